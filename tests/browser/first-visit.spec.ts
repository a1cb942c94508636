// Proves the number of steps from the first click to a confirmed, paid visit on a phone, with and without script.
import type { Locator, Page } from "playwright/test";
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { intakeForm } from "../support/people.ts";
import { showInDialog, typeTime } from "../support/browser/booking-dialog.ts";

const MAX_SCREENS = 8;
const MAX_TYPED_FIELDS = 12;
const INTAKE_FORM = "Family Advocacy Intake Form";

test.use({ viewport: { width: 375, height: 700 } });

/** Counts what a person sees and types: each address or heading that was not on the screen before is another screen. */
class Walk {
  readonly screens: string[] = [];
  readonly typed: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async seen(): Promise<void> {
    const title = await this.#page.title();
    const step = this.#page.locator("[data-booking-step]:visible h3");
    // Without scripts the steps of the dialog stand one below another, on one screen.
    const steps = await step.allTextContents();
    const screen = `${title} ${steps.length === 1 ? steps[0] : ""}`.trim();
    if (this.screens.at(-1) !== screen) this.screens.push(screen);
  }

  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    await this.seen();
    await field.fill(text);
    this.typed.push((await field.getAttribute("name")) ?? text);
  }

  async press(control: Locator): Promise<void> {
    await control.waitFor();
    await this.seen();
    await control.click();
  }

  get screensBesideIntake(): string[] {
    return this.screens.filter((screen) => !screen.includes(INTAKE_FORM));
  }
}

/** What a person needs to go on is on the screen: the step's heading, and the button that ends it. */
async function expectStepFitsScreen(page: Page, heading: string, button: string) {
  await expect(page.getByRole("heading", { name: heading })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: button })).toBeInViewport({ ratio: 1 });
  const overflow = await page.locator("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
}

async function fillInIntakeForm(page: Page, hasScript: boolean) {
  const answers = {
    "Phone number": "(732) 555-0117",
    "Home address": "12 Ocean Avenue, Long Branch",
    "Child's name": "Leo",
    "Child's age": "4",
    "Child's birthday": "March 14, 2022",
  };
  await page.getByRole("link", { name: "Start the form" }).click();
  const submit = page.getByRole("button", { name: /^Submit/ });
  const next = page.getByRole("button", { name: "Save and continue" });
  for (const heading of [
    "Client Information",
    "Child/Individual Information",
    "Primary Concerns or Goals",
    "Additional Information",
  ]) {
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    for (const [label, text] of Object.entries(answers)) {
      const field = page.getByLabel(label, { exact: true });
      if (await field.isVisible()) await field.fill(text);
    }
    await next.click();
  }
  await expect(page.getByRole("heading", { name: "Check your answers" })).toBeVisible();
  // The page itself scrolls without a script.
  if (hasScript) await expect(submit).toBeInViewport({ ratio: 1 });
  await submit.click();
}

async function createAccount(page: Page, walk: Walk, email: string) {
  await walk.type(page.getByLabel("First Name"), "Maria");
  await walk.type(page.getByLabel("Last Name"), "Delgado");
  await walk.type(page.getByLabel("Email"), email);
  await walk.type(page.getByLabel("Password", { exact: true }), "a long walk home");
  await walk.type(page.getByLabel("Confirm Password"), "a long walk home");
  await walk.press(page.getByRole("button", { name: "Create Account" }));
}

test("a new family gets a paid visit with at most eight screens and twelve fields, besides the intake form", async ({
  page,
}, { project }) => {
  const hasScript = project.name === "with script";
  const walk = new Walk(page);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto("/");
  await walk.press(page.getByRole("link", { name: "Request to Book Initial Consultation" }));
  await expect(page.getByRole("heading", { level: 1, name: "Create Account" })).toBeVisible();
  await createAccount(page, walk, `maria.${project.name.replace(" ", ".")}@example.com`);

  await expect(page).toHaveURL("/");
  const accents = page.getByRole("main").locator(".button-primary:visible");
  await expect(accents).toHaveText(["Continue booking your Initial Consultation"]);
  await expect(accents).toBeInViewport();
  await walk.press(accents);
  await expect(page.locator("input[name=title][value='Initial Consultation']")).toBeChecked();
  if (hasScript) {
    await expect(page.locator("dialog:modal")).toBeVisible();
    await expectStepFitsScreen(page, "When?", "Continue");
    await page.getByRole("button", { name: "Back" }).click();
    await expectStepFitsScreen(page, "What do you need?", "Continue");
    await page.getByRole("button", { name: "Continue" }).click();
  }
  await walk.press(page.locator("label:has(input[name=slot])").last());
  if (hasScript) {
    await walk.press(page.getByRole("button", { name: "Continue" }));
    await expectStepFitsScreen(page, "How?", "Proceed");
  }
  await walk.press(page.getByRole("radio", { name: "Pay online" }));
  await walk.press(page.getByRole("button", { name: "Proceed" }));

  await expect(page.getByRole("dialog", { name: INTAKE_FORM })).toContainText("Held for you until");
  await walk.seen();
  await fillInIntakeForm(page, hasScript);
  await expect(page).toHaveURL("/appointments/pay");
  await expect(page.getByText(/^Held for you until \d+:\d\d [AP]M ET$/)).toBeInViewport();
  await walk.seen();
  if (!hasScript) {
    const toProvider = page.getByRole("button", { name: "Pay $75 on the provider's page" });
    await expect(toProvider).toHaveClass(/button-primary/);
    await walk.press(toProvider);
  }
  await walk.type(page.getByLabel("Card number"), "1111 1111 1111 1111");
  if (hasScript) {
    await walk.type(page.getByLabel(/^Expiration date/), "12/30");
    await walk.type(page.getByLabel("Security code"), "123");
  }
  await walk.press(page.getByRole("button", { name: /^Pay \$75/ }).first());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are booked");
  await expect(page.getByRole("main")).toContainText(/paid/i);
  await expect(page.getByRole("main")).toContainText("Find the papers you have: school letters, evaluations");
  await walk.seen();

  expect(walk.screens.some((screen) => screen.includes(INTAKE_FORM))).toBe(true);
  expect(walk.screensBesideIntake.length, walk.screensBesideIntake.join("\n")).toBeLessThanOrEqual(MAX_SCREENS);
  expect(walk.typed.length, walk.typed.join("\n")).toBeLessThanOrEqual(MAX_TYPED_FIELDS);
});

test("a family that interrupts its booking can continue or discard it later", async ({
  page,
  site,
  login,
  expectAccessible,
}, { project }) => {
  const family = await site.family();
  await login(family);
  await page.goto("/appointments?service=Hourly%20Consulting");
  await typeTime(page, project.name === "with script" ? "2027-07-03T09:00" : "2027-07-03T11:00");
  await showInDialog(page, page.getByRole("button", { name: "Proceed" }));
  await page.getByRole("radio", { name: "Pay online" }).check();
  await page.getByRole("button", { name: "Proceed" }).click();
  await expect(page.getByRole("dialog", { name: INTAKE_FORM })).toBeVisible();
  for (const step of ["client", "child", "concerns"])
    expect((await family.form(`/appointments/intake-form?step=${step}`, intakeForm(family))).status).toBe(302);
  for (const path of ["/dashboard", "/appointments"]) {
    await page.goto(path);
    const card = page.getByRole("region", { name: "Pick up where you left off" });
    await expect(card).toContainText("Hourly Consulting");
    await expect(card).toContainText("Sat, Jul 3");
    await expect(card).toContainText("held for you until");
    await expect(card).toContainText("Intake form: 3 of 4 sections completed.");
    await expectAccessible(page);
  }
  await page.getByRole("link", { name: "Continue booking" }).click();
  await expect(page.getByRole("dialog", { name: INTAKE_FORM })).toBeVisible();
  await page.goto("/appointments");
  await page.getByRole("link", { name: "Discard this booking" }).click();
  await expect(page.getByRole("dialog")).toContainText("held for you until");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Discard booking" }).click();
  await expect(page.getByText("Booking discarded")).toBeVisible();
  const rest = page.getByRole("region", { name: "Pick up where you left off" });
  await expect(rest).toContainText(/^Pick up where you left off\s*Your intake form\s*3 of 4 sections completed/);
  await expect(rest.getByRole("link")).toHaveText(["Continue the intake form"]);
});
