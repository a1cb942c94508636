import type { Browser, BrowserContext, Page } from "playwright/test";
import type { State } from "../../screenshots/capture.ts";
import { NOW, type ScreenshotSite } from "../../screenshots/screenshot-site.ts";
import { axeSource, axeViolations, COLOR_RULES, TAGS } from "./axe.ts";
import { findIncompleteElements, invalidHtml } from "./html-validity.ts";
import {
  findBrokenNames,
  findBrokenNamesByZoom,
  findTextClippedBySpacing,
  findTextCutByZoom,
  findEdgesLostInForcedColors,
  findMissingLandmarks,
  findRunningAnimations,
  findOffscreenElements,
  findAmbiguousLinks,
  findSmallTargets,
} from "./page-checks.ts";
import { waitForHydration } from "./wait-for-hydration.ts";

const DESKTOP_VIEWPORT = { width: 1280, height: 800 };
const PHONE_VIEWPORT = { width: 375, height: 812 };
/** A desk's window at 400 %, and as narrow as any phone (WCAG 1.4.10). */
const ZOOMED_VIEWPORT = { width: 320, height: 256 };

/** `open` returns the document as served. */
type AuditPage = (page: Page, open: () => Promise<string>) => Promise<string[]>;

/** A page with more forms than this is a list with a small button in each row. */
const MAX_FORMS = 4;

/**
 * Opens each state in one browser and returns everything that breaks a rule there. With scripts it also returns the
 * accessibility tree of each form, once for all states that show the same.
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
  const copies = script ? null : await openCopies(browser);
  const shared = await openPage(context);
  if (script)
    await shared.page.addInitScript(() => {
      if (location.protocol.startsWith("http")) sessionStorage.clear();
    });
  const problems: string[] = [];
  const forms = new Map<string, string>();
  for (const state of states) {
    const withScript: AuditPage = async (page, open) => {
      await page.clock.setFixedTime(NOW);
      await context.grantPermissions(state.permissions ?? []);
      await state.prepare?.(page);
      await open();
      await waitForHydration(page);
      await state.act?.(page, context);
      await waitForHydration(page);
      const text = await formSnapshots(page);
      if (text && ![...forms.values()].includes(text)) forms.set(state.name, text);
      return auditWithScript(page, state.role === "Family");
    };
    const withoutScript: AuditPage = async (page, open) => {
      const served = await invalidHtml(await open());
      await state.act?.(page, context);
      const found = copies ? await auditWithoutScript(page, copies) : [];
      return [...served.map((problem) => `as served: ${problem}`), ...found];
    };
    if (script && state.isPlain) continue;
    const audit = copies ? withoutScript : withScript;
    const found = await auditState(context, shared, site, state, audit).catch((error: unknown) => [String(error)]);
    problems.push(...found.map((problem) => `${state.role}, ${state.name}: ${problem}`));
  }
  await context.close();
  await copies?.close();
  return { problems, forms: [...forms].map(([name, text]) => `# ${name}\n\n${text}\n`).join("\n") };
}

type OpenPage = { page: Page; pageErrors: string[] };

async function openPage(context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const pageErrors: string[] = [];
  page.on("pageerror", (error) => pageErrors.push(`uncaught: ${error.message}`));
  return { page, pageErrors };
}

/**
 * States that are only opened share one page, whose process has compiled the product's script and axe already. Each is a
 * new document, without what the last one stored for the tab. A state that prepares or does something has its own page.
 */
async function auditState(
  context: BrowserContext,
  shared: OpenPage,
  site: ScreenshotSite,
  state: State,
  auditPage: AuditPage,
): Promise<string[]> {
  await context.setOffline(false);
  await context.clearCookies();
  const cookies = [...(state.person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: site.origin }));
  await context.addCookies(cookies);
  const isShared = !state.prepare && !state.act;
  const { page, pageErrors } = isShared ? shared : await openPage(context);
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none", reducedMotion: "reduce" });
  await page.setViewportSize(state.widths?.includes(1280) === false ? PHONE_VIEWPORT : DESKTOP_VIEWPORT);
  let status = 0;
  try {
    const found = await auditPage(page, async () => {
      // A fragment alone would open nothing.
      if (state.path.includes("#")) await page.goto("about:blank");
      const response = await page.goto(site.origin + state.path);
      if (response) status = response.status();
      return (await response?.text()) ?? "";
    });
    const shownPath = new URL(page.url()).pathname;
    const errors = pageErrors.splice(0);
    if (!isExpectedPath(state, shownPath)) found.push(`it ends at ${shownPath}`);
    if (status >= 500) found.push(`it was answered with ${status}`); // an error page is accessible, too
    return [...found, ...errors];
  } finally {
    if (!isShared) await page.close();
  }
}

async function auditWithScript(page: Page, isFamily: boolean): Promise<string[]> {
  const { problems, note: addProblems } = createProblemList();
  addProblems("as rendered", await invalidHtml(await page.content()));
  addProblems("as rendered", await page.evaluate(findIncompleteElements));
  await page.evaluate(axeSource);
  addProblems("everywhere", await page.evaluate(findMissingLandmarks));
  addProblems("in a list of links", await page.evaluate(findAmbiguousLinks));
  addProblems("with less motion", await page.evaluate(findRunningAnimations));
  addProblems("light, wide", await axeViolations(page, TAGS));
  await page.emulateMedia({ colorScheme: "dark" });
  addProblems("dark, wide", await axeViolations(page, COLOR_RULES, "rule"));
  addProblems("with large text", await findTextCutByZoom(page));
  await page.setViewportSize(PHONE_VIEWPORT);
  addProblems("with large text on a phone", await findTextCutByZoom(page));
  if (isFamily) addProblems("with large text on a phone", await findBrokenNamesByZoom(page));
  addProblems("for a thumb", await page.evaluate(findSmallTargets));
  await page.setViewportSize(ZOOMED_VIEWPORT);
  if (isFamily) addProblems("at 400 %", await page.evaluate(findBrokenNames));
  addProblems("dark, at 400 %", await axeViolations(page, TAGS));
  await page.emulateMedia({ colorScheme: "light" });
  addProblems("light, at 400 %", await axeViolations(page, COLOR_RULES, "rule"));
  addProblems("at 400 %", await page.evaluate(findOffscreenElements));
  addProblems("with wide letters", await page.evaluate(findTextClippedBySpacing));
  await page.emulateMedia({ forcedColors: "active" });
  addProblems("in forced colours", await page.evaluate(findEdgesLostInForcedColors));
  return problems;
}

async function auditWithoutScript(page: Page, copies: Copies): Promise<string[]> {
  const { problems, note: addProblems } = createProblemList();
  addProblems("as served", await page.evaluate(findIncompleteElements));
  addProblems("everywhere", await page.evaluate(findMissingLandmarks));
  await page.setViewportSize(PHONE_VIEWPORT);
  addProblems("for a thumb", await page.evaluate(findSmallTargets));
  await page.setViewportSize(ZOOMED_VIEWPORT);
  addProblems("at 400 %", await page.evaluate(findOffscreenElements));
  const html = (await page.content()).replace(/<script\b.*?<\/script>|<\/?noscript>/gs, "");
  const copy = await copies.open(page.url(), html);
  await copy.evaluate(axeSource);
  addProblems("at 400 %", await axeViolations(copy, TAGS));
  return problems;
}

type Copies = { open: (url: string, html: string) => Promise<Page>; close: () => Promise<void> };

/** axe needs timers, which a page without scripts lacks: it analyzes a copy of the page without its script elements. */
async function openCopies(browser: Browser): Promise<Copies> {
  const context = await browser.newContext({
    reducedMotion: "reduce",
    javaScriptEnabled: true,
    viewport: ZOOMED_VIEWPORT,
  });
  const page = await context.newPage();
  let copied = { address: "", html: "" };
  await page.route(
    ({ href }) => href === copied.address,
    (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: copied.html }),
  );
  return {
    open: async (url, html) => {
      const [address = ""] = url.split("#");
      copied = { address, html };
      await page.goto(address);
      return page;
    },
    close: () => context.close(),
  };
}

/** The accessibility trees of the page's forms, without what differs between runs. */
async function formSnapshots(page: Page): Promise<string> {
  const forms = await page
    .locator("main form[method=post], dialog[open] form[method=post]")
    .filter({ visible: true })
    .all();
  if (forms.length > MAX_FORMS) return "";
  const texts = await Promise.all(forms.map((form) => form.ariaSnapshot()));
  return texts
    .join("\n")
    .replace(/family\.\d+\.\d+@/g, "family@")
    .replace(/\n\s*- \/url: .*/g, "");
}

function isExpectedPath(state: State, shownPath: string): boolean {
  const expectedPath = (state.shows ?? state.path).replace(/[?#].*/, "");
  return new RegExp(`^${expectedPath.replace(/:\w+/g, "[^/]+")}$`).test(shownPath);
}

function createProblemList() {
  const problems: string[] = [];
  const addProblems = (where: string, found: string[]) => problems.push(...found.map((one) => `${where}: ${one}`));
  return { problems, note: addProblems };
}
