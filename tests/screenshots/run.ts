import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright";
import { captureStates, type Screenshot, type State } from "./capture.ts";
import { adminStates, firstDayStates } from "./admin-states.ts";
import { familyStates } from "./family-states.ts";
import { indexPage } from "./index-page.ts";
import { startScreenshotSite } from "./screenshot-site.ts";
import { offlineVisitor, errorStates } from "./error-states.ts";
import { visitorStates } from "./visitor-states.ts";
import { videoCallStates } from "./video-call-states.ts";
import { seedSite } from "./seed-site.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../screenshots");
const [filter = ""] = process.argv.slice(2);

const site = await startScreenshotSite();
const args = [
  "--disable-background-networking",
  "--disable-component-update",
  "--use-fake-device-for-media-stream=device-count=3",
];
const isRoot = process.getuid?.() === 0;
const browser = await chromium.launch({
  executablePath: process.env.TEST_CHROMIUM,
  args: [...args, ...(isRoot ? ["--no-sandbox"] : [])],
});
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });

const screenshots: Screenshot[] = [];
const capture = async (states: State[]) => {
  const matching = states.filter(({ role, name }) => `${role} ${name}`.includes(filter));
  screenshots.push(...(await captureStates(browser, site, matching, FOLDER)));
};
await capture(await firstDayStates(site));
await capture(await visitorStates(site));
const seedData = await seedSite(site);
await capture(familyStates(site, seedData));
await capture(await adminStates(site, seedData));
await capture(await videoCallStates(site, seedData));
await capture([offlineVisitor, ...errorStates(site, seedData)]);
writeFileSync(path.join(FOLDER, "index.html"), indexPage(screenshots));
console.log(`${screenshots.length} pictures: ${path.join(FOLDER, "index.html")}`);
await browser.close();
await site.stop();
process.exit();
