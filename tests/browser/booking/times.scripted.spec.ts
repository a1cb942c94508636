// Proves the choice of a time with script: errors for a typed time, scrolling to times, holds, and time zones.
import { chooseService, typeTime } from "../../support/browser/booking-dialog.ts";
import { expect, test } from "../../support/browser/playwright-fixtures.ts";

test.beforeEach(async ({ page, site, login }) => {
  await login(await site.family({ intake: true }));
  await page.goto("/appointments/new");
});

test("a typed time that can't be booked shows the reason at its field, before the next step", async ({
  page,
  site,
  context,
}) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await chooseService(page, "Hourly Consulting");
  const rival = await site.family({ intake: true });
  const visit = { title: "Hourly Consulting", appointmentDate: "2027-09-11T14:00:00Z" };
  expect((await rival.post("/api/appointments/in-person", visit)).status).toBe(201);
  const typed = page.getByLabel("Date & Time");
  const next = page.getByRole("button", { name: "Continue" });
  for (const [wallTime, reason] of [
    ["2027-07-06T10:00", "On Tuesdays the office is open 6:30pm-9pm."],
    ["2027-09-11T10:30", "This time slot is already taken. Please choose another time."],
    ["2027-03-14T02:30", "Clocks go forward that night"],
    ["2020-09-11T10:30", "Cannot book appointments in the past"],
  ] as const) {
    await typeTime(page, wallTime);
    await next.click();
    await expect(typed).toHaveAccessibleDescription(new RegExp(`Error: .*${reason}`));
    await expect(typed).toBeFocused();
    await expect(page.getByText(reason)).toBeInViewport({ ratio: 1 });
  }
  // A day pressed in its place, and any other time, takes the message away.
  await page.locator("button[name=day]").first().click();
  await expect(page.locator(".field-error")).toHaveCount(0);
  await context.setOffline(true);
  await typeTime(page, "2027-09-11T12:00");
  await page.keyboard.press("Enter");
  await expect(typed).toHaveAccessibleDescription(/Error checking availability/);
  await context.setOffline(false);
  await next.click();
  await expect(page.getByRole("heading", { name: "How?" })).toBeFocused();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(typed).toHaveValue("2027-09-11T12:00");
});

test("Continue holds the chosen time against other bookings; a time booked meanwhile shows an error at its step", async ({
  page,
  site,
}) => {
  const rival = await site.family({ intake: true });
  const bookAsRival = async (start: string) =>
    (await rival.post("/api/appointments/in-person", { title: "Hourly Consulting", appointmentDate: start })).status;
  const next = page.getByRole("button", { name: "Continue" });
  const slots = page.locator("input[name=slot]");
  await page.goto("/appointments/new?service=Hourly%20Consulting&from=2027-08-14");
  const [taken, held] = [await slots.nth(0).inputValue(), await slots.nth(2).inputValue()];
  await slots.nth(0).check();
  expect(await bookAsRival(taken)).toBe(201);
  await next.click();
  await expect(page.getByText(/Error: .* is taken\. Please choose another time\./)).toBeInViewport();
  await expect(page.getByRole("heading", { name: "When?" })).toBeVisible();
  await page.locator(`input[name=slot][value="${held}"]`).check();
  await next.click();
  await expect(page.getByRole("status").filter({ hasText: /^Held for you until \d+:\d\d [AP]M ET$/ })).toBeInViewport();
  expect(await bookAsRival(held)).toBe(409);
  await page.reload();
  await expect(page.getByRole("status").filter({ hasText: "Held for you until" })).toBeVisible();
  const heldTime = page
    .getByRole("status")
    .filter({ hasText: /^\w{3}, Aug \d+, .* is held for you until \d+:\d\d [AP]M ET\.$/ });
  await page.getByRole("button", { name: "Back" }).click();
  await expect(heldTime).toBeVisible();
  await page.goto("/appointments/new");
  await expect(page.locator("dialog:modal")).toBeVisible();
  await expect(page.getByRole("heading", { name: "When?" })).toBeVisible();
  await expect(heldTime).toBeVisible();
});

test("the payment choices keep their position when the hold is confirmed", async ({ page }) => {
  await page.route(/\/appointments\/new\/draft\?hold=chosen/, async (route) => {
    await released;
    await route.continue();
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.goto("/appointments/new?service=Hourly%20Consulting&from=2027-08-21");
  await page.locator("input[name=slot]").first().check();
  await page.getByRole("button", { name: "Continue" }).click();
  const choice = page.getByRole("radio", { name: "Pay in person" });
  await expect(choice).toBeVisible();
  const before = await choice.boundingBox();
  release();
  await expect(page.getByRole("status").filter({ hasText: "Held for you until" })).toBeVisible();
  expect(await choice.boundingBox()).toEqual(before);
});

test("on a small phone, another day's times scroll into view, and the focus stays on the pressed button", async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await page.goto("/appointments/new?service=Hourly%20Consulting&from=2027-07-17");
  await expect(page.locator("dialog:modal")).toBeVisible();
  const legend = page.locator("[data-times] legend");
  const end = page.locator(".sheet-footer");
  for (const button of [
    page.locator("button[name=day]").nth(1),
    page.getByRole("button", { name: "Next open day" }),
    page.getByRole("button", { name: "Later days" }),
    page.getByRole("button", { name: "First days" }),
  ]) {
    const before = await legend.innerText();
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(legend).not.toHaveText(before);
    await expect(legend).toBeInViewport({ ratio: 1 });
    // Down to the last one, of the evening, above the bar with the buttons.
    const last = await page.locator("[data-times] .choice-time").last().boundingBox();
    const bar = await end.boundingBox();
    expect((last?.y ?? Infinity) + (last?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
    if ((await button.count()) > 0) await expect(button).toBeFocused();
  }
});

test("a family in another time zone sees its local time beside the open times and before it pays", async ({
  site,
  openAs,
}) => {
  const page = await openAs(await site.family({ intake: true }), { timezoneId: "Asia/Tokyo" });
  await page.goto("/appointments/new?service=Hourly%20Consulting&date=2027-06-12");
  const slot = page.getByRole("radio", {
    name: "Saturday, June 12, 2027, 9:00 AM Eastern, your time: Saturday, June 12, 2027, 10:00 PM Japan",
  });
  await expect(page.getByText("9:00 AM 10:00 PM")).toBeVisible();
  // There it is Sunday already.
  await expect(page.getByText("11:00 AM Sun 12:00 AM")).toBeVisible();
  await slot.check();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator(".booking-choices:visible")).toContainText(
    "Sat, Jun 12, 2027 at 9:00 AM ET · Your time: Saturday, June 12, 2027, 10:00 PM Japan",
  );
  await page.getByRole("button", { name: "Back" }).click();
  await typeTime(page, "2027-06-12T11:00");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.locator(".booking-choices:visible")).toContainText(
    "Sat, Jun 12, 2027 at 11:00 AM ET · Your time: Sunday, June 13, 2027, 12:00 AM Japan",
  );
});
