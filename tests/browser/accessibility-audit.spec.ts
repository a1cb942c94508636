// Proves the accessibility of every page and dialog in its states, with and without script.
import type { Browser } from "playwright/test";
import type { State } from "../screenshots/capture.ts";
import { adminStates, firstDayStates } from "../screenshots/admin-states.ts";
import { familyStates } from "../screenshots/family-states.ts";
import { startScreenshotSite, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { errorStates } from "../screenshots/error-states.ts";
import { videoCallStates } from "../screenshots/video-call-states.ts";
import { visitorStates } from "../screenshots/visitor-states.ts";
import { seedSite, type SeedData } from "../screenshots/seed-site.ts";
import { expect, test as base } from "../support/browser/playwright-fixtures.ts";
import { auditStates } from "../support/browser/accessibility-audit.ts";
import { routePaths } from "../support/route-table.ts";

const MINUTES = 60_000;
/** Leads on to the card provider by itself. */
const PASSED_THROUGH = ["/appointments/pay/checkout"];

type Pages = { site: ScreenshotSite; world: () => Promise<SeedData>; visitor: () => Promise<State[]> };

/** One site for all of it, in order: empty at first, and full once somebody asks for the world. */
const test = base.extend<object, { pages: Pages }>({
  pages: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const site = await startScreenshotSite();
      let world: Promise<SeedData> | undefined;
      let visitor: Promise<State[]> | undefined;
      await use({
        site,
        world: () => (world ??= seedSite(site)),
        visitor: () => (visitor ??= visitorStates(site)),
      });
      await site.stop();
    },
    { scope: "worker", timeout: 2 * MINUTES },
  ],
});

// In order, in one worker; the other one goes on with the other files meanwhile.
test.describe.configure({ mode: "default", timeout: 15 * MINUTES });

/** Without a script only what is there at once: the journeys go through the rest. */
async function expectGoodPages(browser: Browser, site: ScreenshotSite, states: State[], script: boolean) {
  const shown = script ? states : states.filter(({ act }) => !act);
  expect(shown.length).toBeGreaterThan(0);
  const { problems, forms } = await auditStates(browser, site, shown, script);
  expect.soft(problems).toEqual([]);
  return forms;
}

test("before the first family comes", async ({ browser, pages: { site }, javaScriptEnabled }) => {
  await expectGoodPages(browser, site, await firstDayStates(site), javaScriptEnabled);
});

test("what a visitor sees", async ({ browser, pages: { site, visitor }, javaScriptEnabled }) => {
  const forms = await expectGoodPages(browser, site, await visitor(), javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("visitor-forms.txt");
});

test("what a family sees", async ({ browser, pages: { site, world }, javaScriptEnabled }) => {
  const forms = await expectGoodPages(browser, site, familyStates(site, await world()), javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("family-forms.txt");
});

test("what the consultant sees", async ({ browser, pages: { site, world }, javaScriptEnabled }) => {
  const forms = await expectGoodPages(browser, site, await adminStates(site, await world()), javaScriptEnabled);
  if (javaScriptEnabled) expect(forms).toMatchSnapshot("consultant-forms.txt");
});

/** One of each kind: what else is drawn of them has the same parts, and the other files live through it. */
const OF_A_VISIT = ["waiting room without a script", "reconnecting", "nothing gets through", "open in another tab"];
const OF_TROUBLE = ["pay, on its way", "form without an answer"];

test("what a family sees of a visit, and of what fails", async ({
  playwright,
  launchOptions,
  pages: { site, world },
  javaScriptEnabled,
}) => {
  // The headless shell has no cameras.
  const executablePath = process.env.TEST_CHROMIUM || undefined;
  const browser = await playwright.chromium.launch({ ...launchOptions, executablePath });
  const full = await world();
  const visit = OF_A_VISIT.map((name) => `visit, ${name}`);
  const states = [...(await videoCallStates(site, full)), ...errorStates(site, full)];
  const some = states.filter(({ role, name }) => role === "Family" && [...visit, ...OF_TROUBLE].includes(name));
  expect(some).toHaveLength(OF_A_VISIT.length + OF_TROUBLE.length);
  await expectGoodPages(browser, site, some, javaScriptEnabled);
  await browser.close();
});

test("no page of the route table is left out", async ({ pages: { site, world, visitor } }) => {
  const full = await world();
  const states = [...(await visitor()), ...familyStates(site, full), ...(await adminStates(site, full))];
  const seen = states.map(({ path, shows }) => (shows ?? path).replace(/[?#].*/, ""));
  const patterns = routePaths.filter(({ file }) => file.endsWith(".tsx")).map(({ path }) => path);
  const unseen = patterns.filter((pattern) => !seen.some((path) => path === pattern || matches(pattern, path)));
  expect(patterns.length).toBeGreaterThan(30);
  expect(unseen).toEqual(PASSED_THROUGH);
});

/** Whether `path` is best described by `pattern`: `/families` is not the page for any address there is. */
function matches(pattern: string, path: string): boolean {
  return new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+").replace("/*", "/nothing.*")}$`).test(path);
}
