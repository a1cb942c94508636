// Proves the calendar's columns of hours with the keyboard: empty times are one stop, and arrows go between them.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { keyboardUser } from "../support/browser/keyboard-user.ts";

test("she comes to the empty times with Tab, goes on with arrows, past what is booked, and books with Enter", async ({
  page,
  site,
  login,
}) => {
  const family = await site.family({ intake: true });
  const fields = { title: "Hourly Consulting", appointmentDate: "2028-05-02T22:30:00Z" };
  expect((await family.post("/api/appointments/in-person", fields)).status).toBe(201);
  await login(await site.consultant());
  await page.goto("/calendar?view=week&day=2028-05-01");
  const slot = (name: string) => page.getByRole("link", { name: `New appointment: ${name}`, exact: true });
  await expect(page.locator("[data-slot]:not([tabindex='-1'])")).toHaveCount(1);
  const keys = keyboardUser(page);
  await keys.reach(slot("Sunday, April 30, 2028, 9am"));
  await keys.press("ArrowRight");
  await expect(slot("Monday, May 1, 2028, 9am")).toBeFocused();
  await keys.press("ArrowRight");
  for (let hour = 9; hour < 18; hour += 1) await keys.press("ArrowDown");
  await expect(slot("Tuesday, May 2, 2028, 6pm")).toBeFocused();
  await keys.press("ArrowDown");
  await expect(slot("Tuesday, May 2, 2028, 7:30pm")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main").getByText("Tue, May 2, 2028 at 7:30 PM ET")).toBeVisible();
});
