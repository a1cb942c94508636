// A real Chromium: Playwright's own, else the system's, else one installed now. Plain JavaScript for any Node from 18 on.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { NODE, ROOT } from "../../bin/prepare.js";
import { aptInstall, isRoot, maySudo, places, run } from "./apt-install.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const ELSEWHERE = [
  "/snap/bin/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a browser that starts here, or null. */
export function findChromium() {
  const { chromium } = createRequire(import.meta.url)("playwright");
  return [chromium.executablePath(), ...places(NAMES), ...ELSEWHERE].find(starts) ?? null;
}

/** Finds a browser, or installs one by whichever way this machine allows. Throws a sentence that says what to do. */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  console.log("Installing Chromium …");
  const playwright = path.join(ROOT, "node_modules/playwright/cli.js");
  run(NODE, [playwright, "install", ...(isRoot || maySudo() ? ["--with-deps"] : []), "chromium"]);
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

/** @param {string} file */
function starts(file) {
  return existsSync(file) && run(file, ["--version"]);
}
