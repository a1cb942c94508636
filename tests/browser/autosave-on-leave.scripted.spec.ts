// Proves that answers still being saved are not lost when a family leaves the page.
import type { Page, Route } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

/*
 * A family presses a link while the answers of a section are still being saved: the link would break the saving off.
 */
test.use({ allowsConsoleErrors: true });

const SECTION = "/dashboard/intake-form?step=client";
const intentOf = (route: Route) => new URLSearchParams(route.request().postData() ?? "").get("intent");

/** What the button sends waits for `answer`, which is given the route; what leaving keeps goes to `kept`. */
async function interceptSaves(page: Page, onSubmit: (route: Route) => unknown, onAutosave: (route: Route) => unknown) {
  await page.route(/intake-form/, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await (intentOf(route) === "keep" ? onAutosave(route) : onSubmit(route));
  });
}

async function saveAndLeave(page: Page) {
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

test.beforeEach(async ({ page, site, login }) => {
  await login(await site.family());
  await page.goto(SECTION);
  await expect(page.locator("dialog:modal")).toHaveCount(1);
});

test("words whose saving takes long are kept on the way out", async ({ page }) => {
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

test("saving that comes through meanwhile does not make the page forget where they wanted to go", async ({ page }) => {
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

test("words that nothing can save are not left without a question", async ({ page }) => {
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
