// A real Chromium: Playwright's own, else the system's, else one installed now. Plain JavaScript for any Node from 18 on.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { NODE_EXECUTABLE, ROOT } from "../../../bin/prepare.js";
import { aptInstall, isRoot, hasPasswordlessSudo, executablePaths, run } from "../servers/apt-install.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const HEADLESS_SHELL = "chromium-headless-shell";
const SYSTEM_PATHS = [
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a browser that starts here, or null. */
export function findChromium() {
  return [ownChromium(), ...executablePaths(NAMES), ...SYSTEM_PATHS].find(canStart) ?? null;
}

/**
 * The path of Chromium without the parts that draw windows: a page costs it a third of the CPU time. Without one, the
 * whole browser; undefined where Playwright has both of its own and takes the right one itself.
 */
export function findHeadlessChromium() {
  const shell = executablePaths([HEADLESS_SHELL]).find(canStart);
  if (shell) return shell;
  const whole = findChromium() ?? undefined;
  return whole === ownChromium() ? undefined : whole;
}

/** Finds a browser, or installs one by whichever way this machine allows. Throws a sentence that says what to do. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.log("Installing Chromium …");
  const playwright = path.join(ROOT, "node_modules/playwright/cli.js");
  run(NODE_EXECUTABLE, [
    playwright,
    "install",
    ...(isRoot || hasPasswordlessSudo() ? ["--with-deps"] : []),
    "chromium",
  ]);
  const own = findChromium();
  if (own) return own;
  aptInstall("chromium");
  const installed = findChromium();
  if (installed) return installed;
  throw new Error(
    "The browser tests need Chromium and none could be installed. Install it (Debian: apt-get install chromium; " +
      "elsewhere: npx playwright install --with-deps chromium) and run npm test again.",
  );
}

/** Playwright's own brings its headless shell along; Debian has it as a package. Without it tests take longer. */
export function ensureHeadlessChromium() {
  if (ensureChromium() === ownChromium() || executablePaths([HEADLESS_SHELL]).some(canStart)) return;
  if (run("apt-cache", ["show", HEADLESS_SHELL])) aptInstall(HEADLESS_SHELL);
}

/** @returns {string} where Playwright puts its own */
function ownChromium() {
  return createRequire(import.meta.url)("playwright").chromium.executablePath();
}

/** @param {string} file */
function canStart(file) {
  return existsSync(file) && run(file, ["--version"]);
}
