import { defineConfig, devices } from "playwright/test";
import { findChromium } from "./tests/support/chromium.js";

// Looked for once; the workers inherit what was found.
process.env.TEST_CHROMIUM ??= findChromium() ?? "";

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  // What a screen reader tells is the same on every system. Written anew by: playwright test --update-snapshots
  snapshotPathTemplate: "{testDir}/{testFileName}-snapshots/{arg}{ext}",
  fullyParallel: true,
  // More than the cores: browsers wait for pages and pages for time limits more than they work.
  workers: 3,
  forbidOnly: true,
  timeout: 90_000,
  use: {
    ...devices["Desktop Chrome"],
    screenshot: "only-on-failure",
    timezoneId: "America/New_York",
    launchOptions: {
      executablePath: process.env.TEST_CHROMIUM || undefined,
      // Chromium's own errands would fill a closed network with refused connections.
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        // Cameras that draw (the second only depths, which no call can carry) and a microphone that beeps. Whether a page
        // may use them is still asked.
        "--use-fake-device-for-media-stream=device-count=3",
        ...(isRoot ? ["--no-sandbox"] : []),
      ],
    },
  },
  // Every page and every journey, twice: nothing may need a script, and no script may break what works without it.
  projects: [
    { name: "with script" },
    { name: "without script", use: { javaScriptEnabled: false }, testIgnore: /\.scripted\.spec\.ts$/ },
  ],
});
