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

export type Site = Awaited<ReturnType<typeof startServer>>;

type Fixtures = {
  /** Where something fails on purpose the browser may say so. */
  mayComplain: boolean;
  /** Lets this browser go on where a person signed in. */
  login: (person: TestClient) => Promise<void>;
  /** Another browser, where this person is signed in. `losesServer`: what it says of a server out of reach is no complaint. */
  openAs: (person: TestClient, options?: BrowserContextOptions & { losesServer?: true }) => Promise<Page>;
  /** Fails the test when the page as it stands breaks a rule of WCAG 2.2 AA or of good practice. */
  expectAccessible: (page: Page) => Promise<void>;
};

/**
 * Every test has a browser of its own; every worker has the built product on a database of its own. The browser is
 * Chromium's headless shell, to which a page costs a third of the CPU time; `wholeBrowser` is for what that lacks: it has
 * no cameras that ask before they are used.
 */
export const test = base.extend<Fixtures, { site: Site; wholeBrowser: boolean }>({
  wholeBrowser: [false, { option: true, scope: "worker" }],
  launchOptions: [
    async ({ launchOptions, wholeBrowser }, use) => {
      const shell = process.env.TEST_HEADLESS_CHROMIUM;
      await use(wholeBrowser || !shell ? launchOptions : { ...launchOptions, executablePath: shell });
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
  mayComplain: [false, { option: true }],
  baseURL: async ({ site }, use) => use(site.origin),
  context: async ({ context, site, javaScriptEnabled, mayComplain }, use) => {
    const complaints: string[] = [];
    listen(context, site.origin, complaints);
    // Without scripts Chromium refuses to fetch them ahead and calls that a failure.
    if (javaScriptEnabled) context.on("requestfailed", (request) => noteFailure(request, complaints));
    await use(context);
    if (!mayComplain) expect(complaints, "the browser's console").toEqual([]);
  },
  login: async ({ context, site }, use) => {
    await use(async (person) => {
      const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: site.origin }));
      await context.addCookies(cookies);
    });
  },
  openAs: async ({ browser }, use) => {
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async (person, { losesServer, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: person.origin, ...options });
      contexts.push(context);
      if (!losesServer) listen(context, person.origin, complaints);
      const cookies = [...person.cookies].map(([name, value]) => ({ name, value, url: person.origin }));
      await context.addCookies(cookies);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expect(complaints, "the other browsers' consoles").toEqual([]);
  },
  expectAccessible: async ({ browser, javaScriptEnabled }, use) => {
    await use(async (page) => {
      const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
      const look = async (at: Page) => {
        // Text that is still fading in has too little contrast for a moment.
        await at.emulateMedia({ reducedMotion: "reduce" });
        await at.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
        return new AxeBuilder({ page: at }).withTags(tags).setLegacyMode().analyze();
      };
      const { violations } = await (javaScriptEnabled ? look(page) : lookAtCopy(browser, page, look));
      const found = violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html.slice(0, 200)) }));
      expect(found, `axe on ${page.url()}`).toEqual([]);
    });
  },
});

export { expect };

/** axe waits by timers, which a page without scripts does not have: it is shown the same page, its scripts taken out. */
async function lookAtCopy<T>(browser: Browser, page: Page, look: (copy: Page) => Promise<T>): Promise<T> {
  const html = (await page.content()).replace(/<script\b.*?<\/script>|<\/?noscript>/gs, "");
  const context = await browser.newContext({ viewport: page.viewportSize(), javaScriptEnabled: true });
  const copy = await context.newPage();
  await copy.route(page.url(), (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body: html }));
  await copy.goto(page.url());
  const result = await look(copy);
  await context.close();
  return result;
}

/** Only a test takes its browser offline. */
const TAKEN_OFFLINE = "ERR_INTERNET_DISCONNECTED";

/** Whatever the browser complains of is a mistake of ours, but for refusals that are the page's own answer. */
function listen(context: BrowserContext, origin: string, complaints: string[]) {
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { pathname } = new URL(message.location().url || origin, origin);
    const isRefusal = /Failed to load resource: .* status of 4\d\d/.test(message.text());
    if (isRefusal && !/^\/(assets|static)\//.test(pathname)) return;
    if (message.text().includes(TAKEN_OFFLINE)) return;
    complaints.push(`${message.type()}: ${message.text()} (${pathname})`);
  });
  context.on("weberror", (error) => complaints.push(`uncaught: ${error.error().message}`));
}

function noteFailure(request: Request, complaints: string[]) {
  const reason = request.failure()?.errorText ?? "";
  if (!reason.includes("ERR_ABORTED") && !reason.includes(TAKEN_OFFLINE))
    complaints.push(`${request.url()}: ${reason}`);
}
