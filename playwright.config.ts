import { defineConfig, devices } from "playwright/test";
import { findChromium, findHeadlessChromium } from "./tests/support/browser/chromium.js";

// Detected once; the workers inherit it.
process.env.TEST_CHROMIUM ??= findChromium() ?? "";
process.env.TEST_HEADLESS_CHROMIUM ??= findHeadlessChromium() ?? "";

const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  // Accessibility snapshots are the same on every system. Update them with playwright test --update-snapshots
  snapshotPathTemplate: "{testDir}/{testFileDir}/{arg}{ext}",
  fullyParallel: true,
  // The built server is JavaScript that Node reads as it is: compiling its 3 MB again would take each worker seconds.
  build: { external: ["**/build/server/**"] },
  // More workers than cores, because tests spend most of their time waiting.
  workers: 3,
  forbidOnly: true,
  timeout: 180_000,
  // A crowded machine answers late; what never comes fails all the same.
  expect: { timeout: 20_000 },
  use: {
    ...devices["Desktop Chrome"],
    screenshot: "only-on-failure",
    timezoneId: "America/New_York",
    launchOptions: {
      executablePath: process.env.TEST_CHROMIUM || undefined,
      // Chromium's background requests would fail on a network without internet access.
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        // Fake cameras (the second one depth only, which no call can use) and a fake microphone. The permission prompt
        // stays.
        "--use-fake-device-for-media-stream=device-count=3",
        ...(isRoot ? ["--no-sandbox"] : []),
      ],
    },
  },
  // Everything runs with and without JavaScript: nothing may require it, and it must not break what works without it.
  projects: [
    { name: "with script" },
    { name: "without script", use: { javaScriptEnabled: false }, testIgnore: /\.scripted\.spec\.ts$/ },
  ],
});
