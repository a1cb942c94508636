// Proves which visit a stored note draft is about, and that a saved note is not kept as a draft.
import type { Page } from "playwright/test";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../../support/browser/wait-for-hydration.ts";
import { bookVideoAppointment } from "../../support/video-appointment.ts";

const WORDS = "He counts the steps to the bus.";
/** Each test has a visit of its own, at another time. */
let visits = 0;

let familyPath: string;
let visitPath: string;

test.beforeEach(async ({ site, login }) => {
  const { id, family, consultant } = await bookVideoAppointment(site, { minutes: 24 * 60 + 30 * (visits += 1) });
  visitPath = `/appointments/${id}`;
  familyPath = `/families/${family.id}`;
  await login(consultant);
});

async function open(page: Page, path: string) {
  await page.goto(path);
  await waitForHydration(page);
}

const storedText = (page: Page) => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
const expectKept = (page: Page) => expect.poll(() => storedText(page)).toContain(WORDS);

test("a stored note draft keeps its chosen visit; without one it is about the visit in the page's URL", async ({
  page,
}) => {
  const id = visitPath.replace(/\D/g, "");
  const about = page.getByLabel("About (optional)");
  await open(page, familyPath);
  await page.getByLabel("New note").fill(WORDS);
  await about.selectOption(id);
  await expectKept(page);
  await page.goto("/families");
  await open(page, `${familyPath}?visit=0`);
  await expect(page.getByLabel("New note")).toHaveValue(WORDS);
  await expect(about).toHaveValue(id);
  await about.selectOption("");
  await expect.poll(() => storedText(page)).not.toContain(`\\"${id}\\"`);
  await open(page, `${familyPath}?visit=${id}`);
  await expect(page.getByLabel("New note")).toHaveValue(WORDS);
  await expect(about).toHaveValue(id);
});

test("a note sent before the autosave script has loaded is not kept as a draft once it is saved", async ({ page }) => {
  await open(page, familyPath);
  const releases: (() => void)[] = [];
  const hold = async (url: string | RegExp, method: string) => {
    const held = new Promise<void>((resolve) => releases.push(resolve));
    await page.route(url, async (route) => {
      if (route.request().method() === method) await held;
      await route.continue();
    });
  };
  await hold(/\.js$/, "GET");
  await hold(/\/families\/\d+\.data/, "POST");
  const [releaseScripts, releaseAnswer] = releases;
  await page.getByLabel("New note").fill(WORDS);
  await page.getByRole("button", { name: "Save note" }).click();
  await expect(page.getByRole("button", { name: "Saving…" })).toBeVisible();
  releaseScripts?.();
  await expectKept(page);
  releaseAnswer?.();
  await expect(page.getByRole("listitem").filter({ hasText: WORDS })).toBeVisible();
  await expect(page.getByLabel("New note")).toHaveValue("");
  await expect.poll(() => storedText(page)).not.toContain(WORDS);
});
