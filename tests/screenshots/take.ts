import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright";
import { lookThrough, type Picture, type State } from "./camera.ts";
import { consultantStates, firstDayStates } from "./consultant.ts";
import { familyStates } from "./family.ts";
import { indexPage } from "./index-page.ts";
import { openSite } from "./site.ts";
import { lostVisitor, troubleStates } from "./trouble.ts";
import { visitorStates } from "./visitor.ts";
import { visitStates } from "./visit.ts";
import { fillSite } from "./world.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../screenshots");
const [word = ""] = process.argv.slice(2);

const site = await openSite();
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

const pictures: Picture[] = [];
const look = async (states: State[]) => {
  const wanted = states.filter(({ role, name }) => `${role} ${name}`.includes(word));
  pictures.push(...(await lookThrough(browser, site, wanted, FOLDER)));
};
await look(await firstDayStates(site));
await look(await visitorStates(site));
const world = await fillSite(site);
await look(familyStates(site, world));
await look(await consultantStates(site, world));
await look(await visitStates(site, world));
await look([lostVisitor, ...troubleStates(site, world)]);
writeFileSync(path.join(FOLDER, "index.html"), indexPage(pictures));
console.log(`${pictures.length} pictures: ${path.join(FOLDER, "index.html")}`);
await browser.close();
await site.stop();
process.exit();
