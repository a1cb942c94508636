import type { Page } from "playwright/test";
import type { Family } from "../people.ts";

/** Opens the account settings and fills in a change of the password, without sending it. */
export async function fillPasswordChange(page: Page, family: Family, next: string) {
  await page.goto("/dashboard/settings");
  await page.getByLabel("Current Password").fill(family.password);
  await page.getByLabel("New Password", { exact: true }).fill(next);
  await page.getByLabel(/^Confirm/).fill(next);
}
