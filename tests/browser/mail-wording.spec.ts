// Proves that the consultant previews, saves and resets the wording of an email, with and without script.
import { expect, test } from "../support/browser/playwright-fixtures.ts";

// Each browser has a message of its own on the same site.
const MESSAGES = { "with script": "visit-booked", "without script": "visit-moved" };

test("an email's wording is previewed as text and as HTML, saved, and reset to the default", async ({
  page,
  login,
  site,
}, { project }) => {
  await login(await site.consultant());
  const path = `/mail-wording/${MESSAGES[project.name as keyof typeof MESSAGES]}`;
  await page.goto(path);
  await page.getByLabel("Subject").fill("We meet on {when}");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await expect(page.getByText("Nothing is saved yet.")).toBeVisible();
  await expect(page.getByLabel("Subject")).toHaveValue("We meet on {when}");
  const mail = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Preview as mail" }).click();
  await expect((await mail).getByRole("heading", { level: 1 })).toHaveText(/^We meet on Mon, Dec 7, 2026/);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Wording of messages" })).toBeVisible();
  await page.goto(path);
  await expect(page.getByLabel("Subject")).toHaveValue("We meet on {when}");
  await page.getByRole("button", { name: "Use our own words again" }).click();
  await expect(page.getByRole("heading", { name: "Wording of messages" })).toBeVisible();
  await page.goto(path);
  await expect(page.getByRole("button", { name: "Use our own words again" })).toHaveCount(0);
});
