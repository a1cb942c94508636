import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright/test";
import type { State } from "../../screenshots/capture.ts";
import { NOW, type ScreenshotSite } from "../../screenshots/screenshot-site.ts";
import {
  findTextClippedBySpacing,
  findTextCutByZoom,
  findEdgesLostInForcedColors,
  findMissingLandmarks,
  findRunningAnimations,
  findOffscreenElements,
  findAmbiguousLinks,
  waitForHydration,
  findSmallTargets,
} from "./page-checks.ts";

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 375, height: 812 };
/** A desk's window at 400 %, and as narrow as any phone (WCAG 1.4.10). */
const MAGNIFIED = { width: 320, height: 256 };

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** All that another scheme can change. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const builder = createRequire(import.meta.url).resolve("@axe-core/playwright");
const axeSource = readFileSync(createRequire(builder).resolve("axe-core/axe.min.js"), "utf8");

type AxeRun = { violations: { id: string; nodes: { html: string }[] }[] };
declare const axe: { run: (root: Document, options: object) => Promise<AxeRun> };

type Look = (page: Page, open: () => Promise<void>) => Promise<string[]>;

/** A page with more forms than this is a list with a small button in each row. */
const MAX_FORMS = 3;

/**
 * Brings up each state in one browser and names everything that breaks a rule there. With scripts it also writes down
 * each form as a screen reader tells it, once for all states that show the same.
 */
export async function auditStates(
  browser: Browser,
  site: ScreenshotSite,
  states: State[],
  script: boolean,
): Promise<{ problems: string[]; forms: string }> {
  const context = await browser.newContext({
    timezoneId: "America/New_York",
    reducedMotion: "reduce",
    javaScriptEnabled: script,
  });
  const reader = script ? null : await browser.newContext({ reducedMotion: "reduce", javaScriptEnabled: true });
  const problems: string[] = [];
  const forms = new Map<string, string>();
  for (const state of states) {
    const withScript = async (page: Page, open: () => Promise<void>) => {
      await page.clock.setFixedTime(NOW);
      await context.grantPermissions(state.permissions ?? []);
      await state.prepare?.(page);
      await open();
      await waitForHydration(page);
      await state.act?.(page, context);
      await waitForHydration(page);
      const text = await formsOf(page);
      if (text && ![...forms.values()].includes(text)) forms.set(state.name, text);
      return lookWithScript(page);
    };
    const withoutScript = async (page: Page, open: () => Promise<void>) => {
      await open();
      return reader ? lookWithoutScript(page, reader) : [];
    };
    if (script && state.isPlain) continue;
    const found = await visit(context, site, state, reader ? withoutScript : withScript).catch((error: unknown) => [
      String(error),
    ]);
    problems.push(...found.map((problem) => `${state.role}, ${state.name}: ${problem}`));
  }
  await context.close();
  await reader?.close();
  return { problems, forms: [...forms].map(([name, text]) => `# ${name}\n\n${text}\n`).join("\n") };
}

async function visit(context: BrowserContext, site: ScreenshotSite, state: State, look: Look): Promise<string[]> {
  await context.setOffline(false);
  await context.clearCookies();
  const cookies = [...(state.person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: site.origin }));
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  await page.setViewportSize(state.widths?.includes(1280) === false ? PHONE : DESK);
  const found = await look(page, async () => {
    await page.goto(site.origin + state.path);
  });
  const shown = new URL(page.url()).pathname;
  await page.close();
  return [...(showsWhatItSays(state, shown) ? [] : [`it ends at ${shown}`]), ...found, ...complaints];
}

async function lookWithScript(page: Page): Promise<string[]> {
  const { problems, note } = notes();
  await page.evaluate(axeSource);
  note("everywhere", await page.evaluate(findMissingLandmarks));
  note("in a list of links", await page.evaluate(findAmbiguousLinks));
  note("with less motion", await page.evaluate(findRunningAnimations));
  note("light, wide", await axeOn(page, TAGS));
  await page.emulateMedia({ colorScheme: "dark" });
  note("dark, wide", await axeOn(page, COLOUR_RULES, "rule"));
  note("with large text", await findTextCutByZoom(page));
  await page.setViewportSize(PHONE);
  note("with large text on a phone", await findTextCutByZoom(page));
  note("for a thumb", await page.evaluate(findSmallTargets));
  await page.setViewportSize(MAGNIFIED);
  note("dark, at 400 %", await axeOn(page, TAGS));
  await page.emulateMedia({ colorScheme: "light" });
  note("light, at 400 %", await axeOn(page, COLOUR_RULES, "rule"));
  note("at 400 %", await page.evaluate(findOffscreenElements));
  note("with wide letters", await page.evaluate(findTextClippedBySpacing));
  await page.emulateMedia({ forcedColors: "active" });
  note("in forced colours", await page.evaluate(findEdgesLostInForcedColors));
  return problems;
}

/** axe waits by timers, which a page without scripts does not have: it is shown the same page, its scripts taken out. */
async function lookWithoutScript(page: Page, reader: BrowserContext): Promise<string[]> {
  const { problems, note } = notes();
  note("everywhere", await page.evaluate(findMissingLandmarks));
  await page.setViewportSize(PHONE);
  note("for a thumb", await page.evaluate(findSmallTargets));
  await page.setViewportSize(MAGNIFIED);
  note("at 400 %", await page.evaluate(findOffscreenElements));
  const html = (await page.content()).replace(/<script\b.*?<\/script>|<\/?noscript>/gs, "");
  const copy = await reader.newPage();
  await copy.setViewportSize(MAGNIFIED);
  await copy.route(page.url(), (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: html }));
  await copy.goto(page.url());
  await copy.evaluate(axeSource);
  note("at 400 %", await axeOn(copy, TAGS));
  await copy.close();
  return problems;
}

/** Its forms as a screen reader tells them; what is made up anew each time is taken out. */
async function formsOf(page: Page): Promise<string> {
  const forms = await page
    .locator("main form[method=post], dialog[open] form[method=post]")
    .filter({ visible: true })
    .all();
  if (forms.length > MAX_FORMS) return "";
  const texts = await Promise.all(forms.map((form) => form.ariaSnapshot()));
  return texts
    .join("\n")
    .replace(/family\.\d+\.\d+@/g, "family@")
    .replace(/^\s*- \/url: .*\n/gm, "");
}

async function axeOn(page: Page, values: string[], type = "tag"): Promise<string[]> {
  const run = async (options: object) =>
    (await axe.run(document, options)).violations.map(({ id, nodes }) => ({
      id,
      html: nodes.map((node) => node.html),
    }));
  const found = await page.evaluate(run, { runOnly: { type, values }, resultTypes: ["violations"] });
  return found.map(
    ({ id, html }) =>
      `${id}: ${html
        .slice(0, 3)
        .map((one) => one.slice(0, 200))
        .join(" … ")}`,
  );
}

function showsWhatItSays(state: State, shown: string): boolean {
  const said = (state.shows ?? state.path).replace(/[?#].*/, "");
  return new RegExp(`^${said.replace(/:\w+/g, "[^/]+")}$`).test(shown);
}

function notes() {
  const problems: string[] = [];
  const note = (where: string, found: string[]) => problems.push(...found.map((one) => `${where}: ${one}`));
  return { problems, note };
}
