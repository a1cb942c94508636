import { AxeBuilder } from "@axe-core/playwright";
import {
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  type Request,
} from "playwright/test";
import type { TestClient } from "../http-client.ts";
import { startServer } from "../servers/server-process.ts";
import { waitForHydration } from "./wait-for-hydration.ts";

export type Site = Awaited<ReturnType<typeof startServer>>;

type Fixtures = {
  /** False in tests whose pages never get their scripts: opening a page does not wait for its hydration. */
  waitsForHydration: boolean;
  /** Set by tests that cause errors: the browser's console may have some. */
  allowsConsoleErrors: boolean;
  /** Gives this browser the session of a person who is signed in. */
  login: (person: TestClient) => Promise<void>;
  /** Another browser, where this person is signed in. `ignoresConsole`: its console may have errors. */
  openAs: (person: TestClient, options?: BrowserContextOptions & { ignoresConsole?: true }) => Promise<Page>;
  /** Fails when the page breaks a rule of WCAG 2.2 AA or of good practice, by axe. */
  expectAccessible: (page: Page) => Promise<void>;
};

/**
 * Every test has a browser of its own; every worker has the built product on a database of its own. The browser is
 * Chromium's headless shell, to which a page costs a third of the CPU time; `needsFullBrowser` is for what it
 * lacks: the prompt for the camera.
 */
export const test = base.extend<Fixtures, { site: Site; needsFullBrowser: boolean }>({
  needsFullBrowser: [false, { option: true, scope: "worker" }],
  launchOptions: [
    async ({ launchOptions, needsFullBrowser }, use) => {
      const shell = process.env.TEST_HEADLESS_CHROMIUM;
      await use(needsFullBrowser || !shell ? launchOptions : { ...launchOptions, executablePath: shell });
    },
    { scope: "worker" },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startServer({});
      await use(site);
      site.kill("SIGTERM");
      await site.ended;
    },
    { scope: "worker" },
  ],
  waitsForHydration: [true, { option: true }],
  allowsConsoleErrors: [false, { option: true }],
  baseURL: async ({ site }, use) => use(site.origin),
  context: async ({ context, site, javaScriptEnabled, allowsConsoleErrors }, use) => {
    const consoleErrors: string[] = [];
    recordConsoleErrors(context, site.origin, consoleErrors);
    // With scripts disabled, Chromium reports their preloads as failed.
    if (javaScriptEnabled) context.on("requestfailed", (request) => recordFailedRequest(request, consoleErrors));
    await use(context);
    if (!allowsConsoleErrors) expect(consoleErrors, "the browser's console").toEqual([]);
  },
  page: async ({ page, javaScriptEnabled, waitsForHydration }, use) => {
    if (javaScriptEnabled && waitsForHydration) hydrateOnOpen(page);
    await use(page);
  },
  login: async ({ context, site }, use) => {
    await use(async (person) => {
      const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: site.origin }));
      await context.addCookies(cookies);
    });
  },
  openAs: async ({ browser, javaScriptEnabled, waitsForHydration }, use) => {
    const consoleErrors: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async (person, { ignoresConsole, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: person.origin, ...options });
      contexts.push(context);
      if (!ignoresConsole) recordConsoleErrors(context, person.origin, consoleErrors);
      const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: person.origin }));
      await context.addCookies(cookies);
      const page = await context.newPage();
      if (javaScriptEnabled && waitsForHydration) hydrateOnOpen(page);
      return page;
    });
    for (const context of contexts) await context.close();
    expect(consoleErrors, "the other browsers' consoles").toEqual([]);
  },
  expectAccessible: async ({ browser, javaScriptEnabled }, use) => {
    await use(async (page) => {
      const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
      const analyze = async (at: Page) => {
        // Text that is still fading in has too little contrast for a moment.
        await at.emulateMedia({ reducedMotion: "reduce" });
        await at.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
        return new AxeBuilder({ page: at }).withTags(tags).setLegacyMode().analyze();
      };
      const { violations } = await (javaScriptEnabled ? analyze(page) : analyzeScriptlessCopy(browser, page, analyze));
      const found = violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) }));
      expect(found, `axe on ${page.url()}`).toEqual([]);
    });
  },
});

export { expect };

/**
 * Makes `goto` and `reload` wait until the page is hydrated: a click before that does less, or nothing, and whether it
 * comes before depends on the machine. Not with `waitUntil`, which says what to wait for.
 */
function hydrateOnOpen(page: Page) {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await waitForHydration(page);
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await waitForHydration(page);
    return response;
  };
}

/** axe needs timers, which a page without scripts lacks: it analyzes a copy of the page without its script elements. */
async function analyzeScriptlessCopy<T>(browser: Browser, page: Page, analyze: (copy: Page) => Promise<T>): Promise<T> {
  const html = (await page.content()).replace(/<script\b.*?<\/script>|<\/?noscript>/gs, "");
  const context = await browser.newContext({ viewport: page.viewportSize(), javaScriptEnabled: true });
  const copy = await context.newPage();
  await copy.route(page.url(), (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: html }));
  await copy.goto(page.url());
  const result = await analyze(copy);
  await context.close();
  return result;
}

/** Not recorded: only a test takes its browser offline. */
const OFFLINE_ERROR = "ERR_INTERNET_DISCONNECTED";

/** Records every error and warning of the console, except a 4xx status of the page itself. */
function recordConsoleErrors(context: BrowserContext, origin: string, consoleErrors: string[]) {
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { pathname } = new URL(message.location().url || origin, origin);
    const isRefusal = /Failed to load resource: .* status of 4\d\d/.test(message.text());
    if (isRefusal && !/^\/(assets|static)\//.test(pathname)) return;
    if (message.text().includes(OFFLINE_ERROR)) return;
    consoleErrors.push(`${message.type()}: ${message.text()} (${pathname})`);
  });
  context.on("weberror", (error) => consoleErrors.push(`uncaught: ${error.error().message}`));
}

function recordFailedRequest(request: Request, consoleErrors: string[]) {
  const reason = request.failure()?.errorText ?? "";
  if (!reason.includes("ERR_ABORTED") && !reason.includes(OFFLINE_ERROR))
    consoleErrors.push(`${request.url()}: ${reason}`);
}
