// Proves that the consultant marks a visit as paid with the keyboard alone.
import { expect, test } from "../../support/browser/playwright-fixtures.ts";
import { waitForHydration } from "../../support/browser/wait-for-hydration.ts";
import { keyboardUser } from "../../support/browser/keyboard-user.ts";

test("a skip link leads from a visit's checkbox to the payment method; saving focuses the heading", async ({
  page,
  site,
  login,
}) => {
  const owing = await site.family({ intake: true, firstName: "Keya", lastName: "Aaron" });
  for (const hour of [15, 17]) {
    const appointmentDate = `2028-09-11T${hour}:00:00Z`;
    const booked = await owing.post("/api/appointments/in-person", { title: "Hourly Consulting", appointmentDate });
    expect(booked.status).toBe(201);
  }
  await login(await site.consultant());
  const keys = keyboardUser(page);
  await page.goto("/money");
  await waitForHydration(page);
  await page.locator(".balance-upcoming").evaluate((details: HTMLDetailsElement) => (details.open = true));
  const box = page.getByRole("checkbox", { name: /Keya Aaron/ }).first();
  await keys.reach(box);
  await page.keyboard.press("Space");
  await keys.press("Tab");
  await expect(page.locator(".money-skip:focus")).toHaveCount(1);
  await page.keyboard.press("Enter");
  const method = page.getByLabel("How was it paid?");
  await expect(method).toBeFocused();
  await keys.select(method, "cash");
  await keys.use(page.getByRole("button", { name: "Mark as paid" }));
  await expect(page.getByRole("heading", { name: "Who owes what" })).toBeFocused();
});
