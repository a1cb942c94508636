// Proves that intake form answers are saved while a family types and when it leaves, and are restored after a reload.
import type { Page, Route } from "playwright/test";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

// Saving that is broken off is an error on the console.
test.use({ allowsConsoleErrors: true });

const NOTES_SECTION = "/dashboard/intake-form?step=additional";
const NOTES = "She counts the steps to the bus.";

/** Opens the section, runs `act` while its scripts are delayed, then waits for hydration. */
async function beforeHydration(page: Page, act: () => Promise<void>) {
  const held = Promise.withResolvers<void>();
  await page.route(/\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(NOTES_SECTION, { waitUntil: "commit" });
  await expect(page.getByLabel("Additional notes")).toBeVisible();
  await act();
  held.resolve();
  await page.waitForLoadState();
  await waitForHydration(page);
  await page.unroute(/\.js$/);
}

/** Whether the words are in the page that another device of the family would get. */
const isSaved = async (page: Page, words: string) =>
  (await (await page.request.get(NOTES_SECTION)).text()).includes(words);

const SECTION = "/dashboard/intake-form?step=client";
const intentOf = (route: Route) => new URLSearchParams(route.request().postData() ?? "").get("intent");

/** What the button sends goes to `onSubmit`, what is saved in passing to `onAutosave`. */
async function interceptSaves(page: Page, onSubmit: (route: Route) => unknown, onAutosave: (route: Route) => unknown) {
  await page.route(/intake-form/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await (intentOf(route) === "keep" ? onAutosave(route) : onSubmit(route));
  });
}

/** Leaves while the answers of a section are still being saved, which breaks the saving off. */
async function saveAndLeave(page: Page) {
  await page.goto(SECTION);
  await expect(page.locator("dialog:modal")).toHaveCount(1);
  await page.getByLabel("Home address").fill("4 Bath Avenue");
  await page.getByLabel("Phone number").fill("(732) 555-0188");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByRole("button", { name: "Saving…" })).toBeVisible();
  await page.keyboard.press("Escape");
}

async function expectKept(page: Page) {
  await page.unroute(/intake-form/);
  await page.goto(SECTION);
  await expect(page.getByLabel("Home address")).toHaveValue("4 Bath Avenue");
}

test.beforeEach(async ({ site, login }) => {
  await login(await site.family());
});

test("answers are saved while the family is still typing", async ({ page }) => {
  await page.goto(NOTES_SECTION);
  await waitForHydration(page);
  await page.getByLabel("Additional notes").fill(NOTES);
  await expect.poll(() => isSaved(page, NOTES)).toBe(true);
  await page.getByLabel("Additional notes").pressSequentially(" And back.");
  await expect.poll(() => isSaved(page, `${NOTES} And back.`)).toBe(true);
});

test("answers typed while earlier ones are being saved are saved as well", async ({ page }) => {
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await interceptSaves(
    page,
    (route) => route.abort(),
    async (route) => {
      const response = await route.fetch();
      held.resolve();
      await released.promise;
      await route.fulfill({ response });
    },
  );
  await page.goto(NOTES_SECTION);
  await page.getByLabel("Additional notes").fill(NOTES);
  await held.promise;
  await page.getByLabel("Additional notes").pressSequentially(" And back.");
  released.resolve();
  await expect.poll(() => isSaved(page, `${NOTES} And back.`)).toBe(true);
});

test("answers typed right before a reload are restored", async ({ page }) => {
  await page.goto(NOTES_SECTION);
  await waitForHydration(page);
  await page.getByLabel("Additional notes").fill(NOTES);
  await page.getByLabel("How did you hear about us?").fill("The school nurse");
  await page.reload();
  await expect(page.getByLabel("Additional notes")).toHaveValue(NOTES);
  await expect(page.getByLabel("How did you hear about us?")).toHaveValue("The school nurse");
  await page.getByLabel("Preferred days").fill("Sundays");
  await page.reload();
  await expect(page.getByLabel("Preferred days")).toHaveValue("Sundays");
  await expect(page.getByLabel("Additional notes")).toHaveValue(NOTES);
});

test("answers that the server receives after the reload appear on the page", async ({ page, site }) => {
  await page.goto(NOTES_SECTION);
  await waitForHydration(page);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  await page.reload();
  // The other request arrives after the page was made, as it does when the page left is still sending.
  const responses = new URLSearchParams({ intent: "keep", additionalNotes: NOTES });
  const saved = await fetch(new URL(NOTES_SECTION, site.origin), {
    method: "POST",
    body: responses,
    headers: { cookie, origin: site.origin },
  });
  expect(saved.status).toBe(200);
  await expect(page.getByLabel("Additional notes")).toHaveValue(NOTES);
});

test("answers typed before the script has loaded are kept and saved", async ({ page }) => {
  await beforeHydration(page, () => page.getByLabel("Additional notes").fill(NOTES));
  await expect(page.getByLabel("Additional notes")).toHaveValue(NOTES);
  await expect.poll(() => isSaved(page, NOTES)).toBe(true);
  await beforeHydration(page, () => page.getByLabel("Additional notes").fill(`${NOTES} Twice.`));
  await expect(page.getByLabel("Additional notes")).toHaveValue(`${NOTES} Twice.`);
  await expect.poll(() => isSaved(page, `${NOTES} Twice.`)).toBe(true);
});

test("answers are saved when the family leaves while a slow submission is pending", async ({ page }) => {
  const never = Promise.withResolvers<void>();
  await interceptSaves(
    page,
    () => never.promise,
    (route) => route.continue(),
  );
  await saveAndLeave(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  never.resolve();
  await expectKept(page);
});

test("answers are saved when the form is closed in the moment of its submission", async ({ page }) => {
  const never = Promise.withResolvers<void>();
  await interceptSaves(
    page,
    () => never.promise,
    (route) => route.continue(),
  );
  await page.goto(SECTION);
  await waitForHydration(page);
  await page.getByLabel("Home address").fill("4 Bath Avenue");
  // The guard of a left form is registered once the page has nothing else to do.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.evaluate(() => {
    document.querySelector<HTMLElement>("button[value=continue]")?.click();
    document.querySelector<HTMLElement>("[aria-label=Close]")?.click();
  });
  await expect(page).toHaveURL(/\/dashboard$/);
  never.resolve();
  await expectKept(page);
});

test("a submission that completes while the family leaves does not stop it from leaving", async ({ page }) => {
  const left = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  await interceptSaves(
    page,
    async (route) => {
      await left.promise;
      await route.continue();
    },
    async (route) => {
      left.resolve();
      await saved.promise;
      await route.continue();
    },
  );
  await saveAndLeave(page);
  await expect(page.getByLabel("Child's name")).toBeVisible();
  saved.resolve();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expectKept(page);
});

test("leaving with answers that could not be saved asks for confirmation", async ({ page }) => {
  const question = page.waitForEvent("dialog");
  const never = Promise.withResolvers<void>();
  await interceptSaves(
    page,
    () => never.promise,
    (route) => route.abort("connectionfailed"),
  );
  await saveAndLeave(page);
  const asked = await question;
  expect(asked.message()).toBe("Your last answers could not be saved. Leave anyway?");
  await asked.dismiss();
  never.resolve();
  await expect(page).toHaveURL(/step=client/);
  await expect(page.getByLabel("Home address")).toHaveValue("4 Bath Avenue");
});
