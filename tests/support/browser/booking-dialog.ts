import { expect, type Locator, type Page } from "playwright/test";

const HYDRATION_TIMEOUT_MS = 5_000;

/** Whether the page's scripts show one group of the schedule dialog at a time; they may be off, or lost on the way. */
async function waitForSteps(page: Page): Promise<void> {
  const canScript = await page.evaluate(() => matchMedia("(scripting: enabled)").matches);
  if (canScript)
    await page
      .locator("dialog:modal")
      .waitFor({ timeout: HYDRATION_TIMEOUT_MS })
      .catch(() => {});
}

/** Goes on through the groups of the schedule dialog until `target` is shown; without scripts it always is. */
export async function showInDialog(page: Page, target: Locator): Promise<void> {
  await waitForSteps(page);
  await expect(async () => {
    if (!(await target.isVisible())) await page.getByRole("button", { name: "Continue" }).click({ timeout: 1000 });
    await expect(target).toBeVisible({ timeout: 1000 });
  }).toPass();
}

export function serviceRadio(page: Page, title: string): Locator {
  return page.locator(`input[type="radio"][value="${title}"]`);
}

/** Chooses a service by its title. */
export async function chooseService(page: Page, title: string): Promise<void> {
  const radio = serviceRadio(page, title);
  await waitForSteps(page);
  // A service chosen before is asked for again at Back alone.
  const back = page.getByRole("button", { name: "Back", exact: true });
  if (await back.isVisible()) await back.click();
  await showInDialog(page, radio);
  await radio.check();
}

/**
 * Types a date and time of the practice, as in "2027-06-05T09:00". It is held once the dialog goes on, for all tests of
 * a worker: each test needs a time of its own.
 */
export async function typeTime(page: Page, wallTime: string): Promise<void> {
  const summary = page.getByText("Type a date and time", { exact: true });
  const field = page.getByLabel("Date & Time");
  await showInDialog(page, summary);
  if (!(await field.isVisible())) await summary.click();
  await field.fill(wallTime);
}

/** Lets no time be held while it is chosen, as for a family that may hold no more, so that another can take it. */
export function preventHold(page: Page): Promise<unknown> {
  const json = { state: "open", when: "", isHeldOnSave: false };
  return page.route("**/appointments/new/draft?hold=*", (route) => route.fulfill({ json }));
}

/** Writes the note and chooses how it is paid, in the last group. */
export async function choosePayment(page: Page, name: "Pay in person" | "Pay online", note?: string): Promise<void> {
  const radio = page.getByRole("radio", { name });
  await showInDialog(page, radio);
  if (note !== undefined) await page.getByLabel(/^Note/).fill(note);
  await radio.check();
}
