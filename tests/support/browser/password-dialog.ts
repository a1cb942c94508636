import type { Page } from "playwright/test";
import type { Family } from "../people.ts";

/** Opens the account settings with the form that changes the password. */
export async function openPasswordForm(page: Page) {
  await page.goto("/dashboard/settings");
  await showPasswordForm(page);
}

/** Opens the form that changes the password in the account settings. */
export async function showPasswordForm(page: Page) {
  const field = page.getByLabel("Current Password");
  if (!(await field.isVisible())) await page.locator("summary", { hasText: "Change your password" }).click();
  await field.waitFor();
}

/** Opens the account settings and fills in a change of the password, without sending it. */
export async function fillPasswordChange(page: Page, family: Family, next: string) {
  await openPasswordForm(page);
  await typePasswords(page, family.password, next);
}

/** Fills in the form that changes the password. */
export async function typePasswords(page: Page, current: string, next: string) {
  await page.getByLabel("Current Password").fill(current);
  await page.getByLabel("New Password", { exact: true }).fill(next);
  await page.getByLabel(/^Confirm/).fill(next);
}

/** Gives the password on the page that asks for it once more. */
export async function confirmPassword(page: Page, password: string) {
  await page.getByRole("heading", { name: "Confirm it’s you" }).waitFor();
  await page.getByLabel("Your password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Sends the form with the same password once more, and waits for the message. */
export const changePassword = (password: string) => async (page: Page) => {
  await showPasswordForm(page);
  await typePasswords(page, password, password);
  await page.getByRole("button", { name: "Change Password" }).click();
  await page.locator("[data-toasts] .toast").waitFor();
};
