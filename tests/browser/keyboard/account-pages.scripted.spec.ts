// Proves the pages for account security, personal data and legal requests with the keyboard alone.
import type { Page } from "playwright/test";
import { codeOf } from "../../support/authenticator-app.ts";
import { keyboardUser } from "../../support/browser/keyboard-user.ts";
import { addDevice } from "../../support/browser/passkey-device.ts";
import { intakeForm, signInAs } from "../../support/people.ts";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";

test.describe.configure({ timeout: 240_000 });

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name });

test("a family signs an agreement, adds and removes a passkey, enables two-step sign-in, and changes its email", async ({
  page,
  context,
  site,
  login,
}) => {
  const keys = keyboardUser(page);
  const family = await site.family({ intake: true });
  await login(family);
  await page.goto("/consents");
  await keys.use(link(page, "Recording a visit"));
  await keys.write(page.getByLabel("Sign with your full name"), `${family.firstName} ${family.lastName}`);
  await keys.use(button(page, "I have read it and agree"));
  await keys.use(button(page, "Take it back"));
  await expect(page).toHaveURL(/\/consents$/);

  await addDevice(page);
  await page.goto("/passkeys");
  await keys.write(page.getByLabel("Name"), "Phone");
  await keys.use(button(page, "Add a passkey"));
  await keys.use(page.locator("summary", { hasText: "Remove" }));
  await keys.use(button(page, "Remove Phone for good"));
  await expect(page.getByText("You have no passkeys yet.")).toBeVisible();

  await page.goto("/second-factor");
  await keys.write(page.getByLabel("Your password"), family.password);
  await keys.use(button(page, "Set up"));
  const secret = (await page.locator("main code").innerText()).replaceAll(" ", "");
  await keys.write(page.getByLabel("The six numbers your app shows"), codeOf(secret));
  await keys.use(button(page, "Turn on"));
  await expect(heading(page, "Keep these codes")).toBeVisible();
  const recoveryCode = await page.locator("main li code").first().innerText();
  await keys.use(link(page, "Done. I have my codes"));

  await context.clearCookies();
  await page.goto("/login");
  await keys.write(page.getByLabel("Email"), family.email);
  await keys.write(page.getByLabel("Password", { exact: true }), family.password);
  await keys.use(button(page, "Sign In"));
  await expect(page).toHaveURL(/\/login\/code/);
  // Each code once; the next one is right already.
  await keys.write(page.getByLabel("Code", { exact: true }), codeOf(secret, 1));
  await keys.use(button(page, "Sign In"));
  await expect(page.getByText("Welcome back!")).toBeVisible();

  await page.goto("/change-email");
  await keys.write(page.getByLabel("New email address"), `new.${family.email}`);
  await keys.use(button(page, "Email me a link"));
  await expect(page).toHaveURL(/\/confirm-identity/);
  await keys.write(page.getByLabel("Code", { exact: true }), recoveryCode);
  await keys.use(button(page, "Continue"));
  await expect(page.getByLabel("New email address")).toHaveValue(`new.${family.email}`);
  await keys.use(button(page, "Email me a link"));
  await expect(page).toHaveURL(/\/change-email\?sent/);
});

test("a family downloads its data, deletes its account, and restores it by signing in", async ({
  page,
  site,
  login,
}) => {
  const keys = keyboardUser(page);
  const family = await site.family({ intake: true });
  await login(family);
  await page.goto("/dashboard/settings/data");
  await expect(page.locator("dialog:modal")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await keys.use(link(page, "Download everything we hold about you"));
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);
  await keys.use(link(page, "Delete our account"));
  await keys.write(page.getByLabel("Your password"), family.password);
  await keys.use(button(page, "Delete our account"));
  await expect(page).toHaveURL(/\/account-deleted$/);

  await page.goto("/login");
  await keys.write(page.getByLabel("Email"), family.email);
  await keys.write(page.getByLabel("Password", { exact: true }), family.password);
  await keys.use(button(page, "Sign In"));
  await keys.use(button(page, "Keep my account"));
  await expect(page.getByText("Your account stays").first()).toBeVisible();
});

test("a family agrees to the terms, reads changes of its form and its access log, and signs another device out", async ({
  page,
  site,
  login,
}) => {
  const keys = keyboardUser(page);
  const family = await site.family({ intake: true });
  const changed = { ...intakeForm(family), otherConcerns: "Sleep" };
  expect((await family.post("/api/intake-forms", changed)).status).toBe(200);
  await signInAs(site.origin, family.email, family.password);
  await login(family);
  await page.goto("/accept-terms");
  await keys.use(button(page, "I have read them and agree"));
  await expect(page.getByText("We've recorded that you agree.")).toBeVisible();

  await page.goto("/intake-form/changes");
  await expect(page.locator("main")).toContainText("Now: Sleep");
  await keys.use(page.locator("main").getByRole("link", { name: "Back", exact: true }));
  await expect(page).not.toHaveURL(/changes/);

  await page.goto("/access-log");
  await keys.use(link(page, "Others only"));
  await expect(page.getByText("Nobody but you has opened anything so far.").first()).toBeVisible();

  await page.goto("/dashboard/settings/devices");
  const others = page.getByRole("button", { name: /^Sign out (?!this device)/ });
  const count = await others.count();
  await keys.use(others.first());
  await expect(others).toHaveCount(count - 1);
});

test("the consultant searches the access log", async ({ page, site, login }) => {
  const keys = keyboardUser(page);
  const family = await site.family({ intake: true, lastName: "Whimbrel" });
  await login(await site.consultant());
  await page.goto("/activity");
  await keys.write(page.getByLabel("Family", { exact: true }), "Whimbrel");
  await keys.select(page.getByLabel("What", { exact: true }), "change");
  await keys.use(page.locator("main").getByRole("button", { name: "Search", exact: true }));
  await expect(page).toHaveURL(/q=Whimbrel.*kind=change/);
  await expect(page.locator("main li").filter({ hasText: "sent the intake form" })).toHaveCount(1);
  await keys.use(link(page, `${family.firstName} Whimbrel`));
  await expect(page).toHaveURL(new RegExp(`/families/${family.id}$`));
});

test("a visitor sends a privacy request; the consultant reads it, and adds and closes an incident about a family", async ({
  page,
  site,
  login,
}) => {
  const keys = keyboardUser(page);
  await page.goto("/legal-request?kind=accessibility");
  await keys.choose(page.getByRole("radio", { name: /^My privacy or my records/ }));
  await keys.write(page.getByLabel("Your name"), "Wren Keystone");
  await keys.write(page.getByLabel("Email"), "wren@example.org");
  await keys.write(page.getByLabel("What would you like?"), "A copy of my son's file.");
  await keys.use(button(page, "Send"));
  await expect(heading(page, "We have your message")).toBeVisible();

  const family = await site.family();
  await login(await site.consultant());
  await page.goto("/compliance");
  await keys.use(page.getByRole("link", { name: /^Privacy request/ }).last());
  await expect(page.getByText("A copy of my son's file.")).toBeVisible();
  await keys.use(link(page, "All requests and incidents"));
  await keys.use(link(page, "Add a request"));
  await keys.choose(page.getByRole("radio", { name: /^Incident/ }));
  await keys.select(page.getByLabel("Which family is it about?"), String(family.id));
  await keys.write(page.getByLabel("What it is about"), "A letter went to the wrong family.");
  await keys.use(button(page, "Save"));
  await expect(link(page, `${family.firstName} ${family.lastName}`)).toBeVisible();
  await keys.choose(page.getByRole("radio", { name: "You notified whoever had to be" }));
  await keys.write(page.getByLabel("What you did"), "Called both families.");
  await keys.use(button(page, "Close it"));
  await expect(heading(page, "Legal requests")).toBeVisible();
  await expect(page.getByText("Closed", { exact: true }).first()).toBeVisible();
});
