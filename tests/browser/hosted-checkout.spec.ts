// Proves paying on the provider's page, with and without script.
import { expect, test } from "../support/browser/playwright-fixtures.ts";
import { choosePayment, chooseService, typeTime } from "../support/browser/booking-dialog.ts";

test("a family pays on the provider's page after a declined card, then cancels and sees the refund", async ({
  page,
  site,
  login,
  expectAccessible,
  javaScriptEnabled,
}) => {
  await login(await site.family({ intake: true }));
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2027-07-17T10:00");
  await choosePayment(page, "Pay online");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByRole("heading", { name: "Complete Payment" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay $75", exact: true })).toBeVisible({ visible: javaScriptEnabled });
  await expectAccessible(page);
  await page.getByRole("button", { name: "Pay $75 on the provider's page" }).click();
  await expect(page.getByRole("heading", { name: "Simulated checkout" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Card number").fill("1111 1111 1111 0002");
  await page.getByRole("button", { name: "Pay $75.00" }).click();
  await expect(page.getByRole("alert")).toContainText("GENERIC_DECLINE");
  await page.getByLabel("Card number").fill("1111 1111 1111 1111");
  await page.getByRole("button", { name: "Pay $75.00" }).click();
  await expect(page.getByText("Payment Successful")).toBeVisible();
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Cancel this visit" }).click();
  await page.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(page.getByText("$75 goes back to the card")).toBeVisible();
});
