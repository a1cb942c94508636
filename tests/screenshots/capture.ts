import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright";
import type { TestClient } from "../support/http-client.ts";
import { NOW, type ScreenshotSite } from "./screenshot-site.ts";

export const SCHEMES = ["light", "dark"] as const;
/** 812 is the phone on its side. */
const HEIGHTS = { 375: 812, 768: 1024, 812: 375, 1280: 800 };
export type Width = keyof typeof HEIGHTS;
const WIDTHS: readonly Width[] = [375, 768, 1280];

export type State = {
  role: "Signed out" | "Family" | "Consultant";
  name: string;
  path: string;
  /** The address at which `act` ends, where that is another one. */
  shows?: string;
  /** Whoever is signed in. */
  person?: TestClient;
  /** What this page may use without asking. */
  permissions?: ("camera" | "microphone")[];
  /** Without a script. */
  isPlain?: true;
  /** What this browser can and can't do, before the page is opened. */
  prepare?: (page: Page) => Promise<void>;
  /** Brings the page into the state, before the first picture. */
  act?: (page: Page, context: BrowserContext) => Promise<void>;
  /** `act` works without a script, too. */
  actsWithoutScript?: true;
  /** Only so wide: what exists on phones alone, for instance. */
  widths?: readonly Width[];
  /** Only what is in the window, not the whole page; where it has been scrolled, from the heading on. */
  window?: true | "heading";
};

export type Screenshot = { role: string; name: string; path: string; width: number; scheme: string; file: string };

/** Takes the pictures of each state in all widths and schemes, in one tab per state. */
export async function captureStates(
  browser: Browser,
  site: ScreenshotSite,
  states: State[],
  folder: string,
): Promise<Screenshot[]> {
  const screenshots: Screenshot[] = [];
  for (const state of states) {
    const context = await browser.newContext({
      timezoneId: "America/New_York",
      reducedMotion: "reduce",
      permissions: state.permissions ?? [],
      javaScriptEnabled: !state.isPlain,
    });
    try {
      screenshots.push(...(await captureState(context, site, state, folder)));
    } catch (error) {
      // One state that can't be brought about must not cost the pictures of all others.
      process.exitCode = 1;
      console.error(`${state.role}, ${state.name} (${state.path}) could not be taken:`, error);
    } finally {
      await context.close();
    }
  }
  return screenshots;
}

async function captureState(
  context: BrowserContext,
  site: ScreenshotSite,
  state: State,
  folder: string,
): Promise<Screenshot[]> {
  const cookies = [...(state.person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: site.origin }));
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const widths = state.widths ?? WIDTHS;
  const [first = 1280] = widths.toReversed();
  await page.setViewportSize({ width: first, height: HEIGHTS[first] });
  if (!state.isPlain) await page.clock.setFixedTime(NOW);
  await state.prepare?.(page);
  await page.goto(site.origin + state.path, { waitUntil: "networkidle" });
  await state.act?.(page, context);
  const screenshots: Screenshot[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: await heightFor(page, width) });
    // A phone's scroll bar takes no room.
    await page.evaluate(
      (gutter) => (document.documentElement.style.scrollbarGutter = gutter),
      width < 768 ? "auto" : "",
    );
    await page.evaluate(() => location.hash && document.querySelector(location.hash)?.scrollIntoView());
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      const file = `${slug(state.role)}-${slug(state.name)}-${width}-${scheme}.jpg`;
      const isWhole = !state.window && (await page.locator("dialog[open], :popover-open").count()) === 0;
      // A header that stays would stand in the middle of a picture that is taken further down.
      if (isWhole) await page.evaluate(freezePage);
      if (state.window === "heading") await page.locator("h1").evaluate((heading) => heading.scrollIntoView());
      await page.screenshot({ path: path.join(folder, file), type: "jpeg", quality: 82, fullPage: isWhole });
      screenshots.push({ role: state.role, name: state.name, path: state.path, width, scheme, file });
    }
  }
  return screenshots;
}

/** From the top on, with nothing that follows the window in the middle of the picture. */
function freezePage() {
  window.scrollTo(0, 0);
  const still = new CSSStyleSheet();
  still.replaceSync(".call-controls { position: static !important }");
  document.adoptedStyleSheets = [still];
}

/** A dialog that is longer than the window is shown whole. */
async function heightFor(page: Page, width: Width): Promise<number> {
  await page.setViewportSize({ width, height: HEIGHTS[width] });
  const dialog = page.locator("dialog[open]").last();
  if ((await dialog.count()) === 0) return HEIGHTS[width];
  const needed = await dialog.evaluate((element) => element.scrollHeight + 32);
  return Math.min(Math.max(HEIGHTS[width], needed), 5000);
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
