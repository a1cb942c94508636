// Proves what a page shows, and what becomes of typed text, when a family's session ends while the page is open.
import { expect, type Page } from "playwright/test";
import { NOW, type ScreenshotSite } from "../screenshots/screenshot-site.ts";
import { test } from "../support/browser/screenshot-site-fixture.ts";
import { addSessionCookies } from "../support/browser/sign-in-as.ts";
import { waitForHydration } from "../support/browser/wait-for-hydration.ts";
import { type Family, signInAs as signInClient } from "../support/people.ts";

const HOUR = 3_600_000;
const INTAKE_FORM = "/dashboard/intake-form";
const WORDS = "He counts the steps to the bus.";
let maria: Family;

test.beforeEach(async ({ context, page, screenshotSite }) => {
  maria = await screenshotSite.family({ intake: true });
  await addSessionCookies(context, screenshotSite, maria);
  await page.goto(`${screenshotSite.origin}/dashboard/intake-form`);
  await waitForHydration(page);
});

test("signing out in one tab sends the family's other tab to the sign-in page", async ({
  context,
  page,
  screenshotSite,
}) => {
  await expect(page.getByText("Leo").first()).toBeVisible();
  const first = await context.newPage();
  await first.goto(`${screenshotSite.origin}/appointments`);
  await waitForHydration(first);
  await first.getByText("Hello,").click();
  await first.getByRole("button", { name: "Logout" }).click();
  await expect(first).toHaveURL(`${screenshotSite.origin}/`);
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Leo")).toHaveCount(0);
});

test("a hidden tab whose session has ended goes to the sign-in page once it is visible again", async ({
  page,
  screenshotSite,
}) => {
  await screenshotSite.db.session.deleteMany();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText("Leo")).toHaveCount(0);
});

test("a tab stays on its page while the session is valid or the session check gets a 503 response", async ({
  context,
  page,
  screenshotSite,
}) => {
  const other = await context.newPage();
  await other.goto(`${screenshotSite.origin}/`);
  await waitForHydration(other);
  await page.route("**/stay-signed-in*", (route) => route.fulfill({ status: 503, body: "Restarting." }));
  const asked = page.waitForResponse(/stay-signed-in/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await asked;
  await page.unroute("**/stay-signed-in*");
  await expect(page).toHaveURL(/intake-form/);
});

/** As if the family had last done something 25 hours ago. */
async function expireSessions({ db }: ScreenshotSite) {
  const activeAt = NOW.getTime() - 25 * HOUR;
  const sess = JSON.stringify({ signedInAt: activeAt, activeAt });
  await db.session.updateMany({ data: { sess, expire: new Date(activeAt + 24 * HOUR) } });
}

async function openStep(page: Page, { origin }: ScreenshotSite, step: string) {
  await page.goto(`${origin}${INTAKE_FORM}?step=${step}`);
  await waitForHydration(page);
  // The steps are hydrated after their dialog.
  await page.waitForFunction(() => {
    const button = document.querySelector("button[value=continue]");
    return button && Object.keys(button).some((key) => key.startsWith("__reactFiber"));
  });
}

async function signInAgain(page: Page) {
  await page.getByLabel("Email").fill(maria.email);
  await page.getByLabel("Password", { exact: true }).fill(maria.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(new RegExp(INTAKE_FORM));
  await waitForHydration(page);
}

for (const [step, label] of [
  ["client", "Home address"],
  ["child", "Diagnosis"],
  ["concerns", "Other concerns"],
  ["additional", "Additional notes"],
] as const) {
  test(`answers sent from the step "${step}" after the session expired are restored after signing in`, async ({
    page,
    screenshotSite,
  }) => {
    await openStep(page, screenshotSite, step);
    await expireSessions(screenshotSite);
    await page.getByLabel(label).fill(WORDS);
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
    await page.getByRole("button", { name: "Save and continue" }).click();
    await expect(page.getByRole("note")).toContainText("What you typed is kept for one hour.");
    await signInAgain(page);
    await expect(page.getByText("Here is what you typed.")).toBeVisible();
    await expect(page.getByLabel(label)).toHaveValue(WORDS);
    await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
    await page.getByRole("button", { name: "Save and continue" }).click();
    await expect(page.getByText("Here is what you typed.")).toHaveCount(0);
    await openStep(page, screenshotSite, step);
    await expect(page.getByLabel(label)).toHaveValue(WORDS);
    await expect(page.getByText("Here is what you typed.")).toHaveCount(0);
  });
}

test("a family that types after its session expired sees a notice, and finds the text after signing in", async ({
  page,
  screenshotSite,
}) => {
  await openStep(page, screenshotSite, "concerns");
  await expireSessions(screenshotSite);
  await page.getByLabel("Other concerns").fill("He cries");
  const notice = page.getByRole("alert").filter({ hasText: "You've been signed out." });
  await expect(notice).toBeInViewport();
  await page.getByLabel("Other concerns").fill(WORDS);
  await notice.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("note")).toContainText("What you typed is kept for one hour.");
  await signInAgain(page);
  await expect(page.getByText("Here is what you typed.")).toBeVisible();
  await expect(page.getByLabel("Other concerns")).toHaveValue(WORDS);
});

test("after the family signs in elsewhere, the form saves again and hides its signed-out notice", async ({
  context,
  page,
  screenshotSite,
}) => {
  await page.clock.install();
  await openStep(page, screenshotSite, "additional");
  await expireSessions(screenshotSite);
  await page.getByLabel("Additional notes").fill("He cries");
  await page.clock.runFor(2_000);
  const notice = page.getByText("You've been signed out.");
  await expect(notice).toBeVisible();
  const again = await signInClient(screenshotSite.origin, maria.email, maria.password);
  await addSessionCookies(context, screenshotSite, again);
  await page.getByLabel("Additional notes").fill(WORDS);
  await page.clock.runFor(12_000);
  await expect(notice).toHaveCount(0);
  expect((await again.get(`${INTAKE_FORM}?step=additional`)).text).toContain(WORDS);
});

test("text typed after another device ended the session is not kept, and the sign-in page says so", async ({
  page,
  screenshotSite,
}) => {
  await openStep(page, screenshotSite, "child");
  await screenshotSite.db.session.deleteMany();
  await page.getByLabel("Diagnosis").fill(WORDS);
  await page.getByRole("alert").getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("note")).toHaveText(
    "You were signed out on this device. What you typed on that page was not kept.",
  );
  await signInAgain(page);
  await expect(page.getByText("Here is what you typed.")).toHaveCount(0);
});
