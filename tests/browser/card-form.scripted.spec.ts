// Proves paying with the card form: success, declined cards, repeated clicks, a form that can't load.
import Database from "better-sqlite3";
import type { Page } from "playwright/test";
import { choosePayment, chooseService, typeTime } from "../support/browser/booking-dialog.ts";
import { expect, test } from "../support/browser/playwright-fixtures.ts";

/** Each test has a day of its own, far enough to be free and open. */
async function toPayment(page: Page, day: string) {
  await page.goto("/appointments/new");
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, `${day}T10:00`);
  await choosePayment(page, "Pay online");
  await page.getByRole("button", { name: "Schedule Appointment" }).click();
  await expect(page.getByRole("heading", { name: "Complete Payment" })).toBeVisible();
}

async function typeCard(page: Page, number: string) {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiration date (MM/YY)").fill("12/30");
  await page.getByLabel("Security code").fill("123");
}

test.beforeEach(async ({ site, login }) => {
  await login(await site.family({ intake: true }));
});

test("a family pays by card, sees PAID, cancels, and sees the refund", async ({ page, expectAccessible }) => {
  await toPayment(page, "2027-07-03");
  for (const text of ["Payment Required", "Hourly Consulting", "$75"]) {
    await expect(page.getByRole("dialog")).toContainText(text);
  }
  await typeCard(page, "1111 1111 1111 1111");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(page.getByText("Payment Successful")).toBeVisible();
  await expect(page.getByText("Your appointment has been booked and payment processed")).toBeVisible();
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Receipt", exact: true }).click();
  await expect(page.getByRole("heading", { name: /^Receipt \d+$/ })).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Receipts");
  const receipt = page.getByRole("listitem").filter({ hasText: "Hourly Consulting" });
  await expect(receipt).toContainText("Sat, Jul 3, 2027 at 10:00 AM ET");
  await expect(receipt).toContainText(/\$75\s*Paid by card/);
  await expect(page.getByText("Total paid: $75")).toBeVisible();
  await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Appointments" }).click();
  await page.getByRole("link", { name: "Cancel visit Hourly Consulting" }).click();
  await expect(page.getByRole("dialog")).toContainText("Full refund until Fri, Jul 2, 2027 at 10:00 AM ET, then 50%");
  await page.getByRole("button", { name: "Cancel appointment" }).click();
  await expect(page.getByText("$75 goes back to the card. Banks take up to 10 business days.")).toBeVisible();
  await expect(page.getByText("refunded $75")).toBeVisible();
});

test("working on the payment page extends the hold", async ({ page }) => {
  await page.clock.install();
  await toPayment(page, "2027-09-18");
  await expect(page.getByRole("status").filter({ hasText: "Held for you until" })).toBeVisible();
  await expect(page.getByLabel("Card number")).toBeVisible();
  const key = await page.locator("input[name=key]").inputValue();
  await page.clock.fastForward("02:00");
  const renewal = page.waitForRequest((request) => request.postData() === "intent=hold");
  const reload = page.waitForResponse(/\/appointments\/pay\.data/);
  await page.getByLabel("Card number").focus();
  expect((await (await renewal).response())?.status()).toBe(200);
  expect((await reload).status()).toBe(200);
  await expect(page.locator("input[name=key]")).toHaveValue(key);
  await typeCard(page, "1111 1111 1111 1111");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();
});

test("typing into a frame of the card provider extends the hold", async ({ page }) => {
  await page.clock.install();
  await toPayment(page, "2027-07-18");
  await expect(page.getByLabel("Card number")).toBeVisible();
  await page.evaluate(() => {
    // The simulator's fields are in the page itself, unlike those of the card provider.
    const frame = document.createElement("iframe");
    frame.srcdoc = "<label>Number <input></label>";
    document.querySelector("dialog")?.append(frame);
  });
  const renewals: string[] = [];
  page.on("request", (request) => renewals.push(...(request.postData() === "intent=hold" ? [request.url()] : [])));
  await page.clock.fastForward("02:00");
  const renewal = page.waitForResponse((response) => response.request().postData() === "intent=hold");
  await page.frameLocator("dialog iframe").getByLabel("Number").pressSequentially("1111");
  expect((await renewal).status()).toBe(200);
});

test("the payment page says that a time is no longer held as soon as its hold ends", async ({ page, site }) => {
  await page.clock.install();
  await toPayment(page, "2027-07-24");
  await expect(page.getByText("Held for you until")).toBeVisible();
  await expect(page.getByLabel("Card number")).toBeVisible();
  const database = new Database(site.environment.DATABASE_URL.slice("file:".length), { fileMustExist: true });
  database.prepare(`UPDATE holds SET "expiresAt" = ?`).run(Date.now());
  database.close();
  await page.clock.fastForward("15:30");
  await expect(page.getByText("is still free, but we're no longer holding it.")).toBeVisible();
  await expect(page.getByText("Held for you until")).toHaveCount(0);
});

test("a declined card shows an error, and another card can be tried", async ({ page }) => {
  await toPayment(page, "2027-07-04");
  await typeCard(page, "1111 1111 1111 0002");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  const alert = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(alert).toContainText("Payment Failed");
  await expect(alert).toContainText("Your card was not charged. Your bank didn't say why.");
  await expect(page).toHaveTitle(/^Error: Complete Payment/);
  await typeCard(page, "1111 1111 1111 0069");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(alert).toContainText("This card has expired.");
  await typeCard(page, "1111 1111 1111 3220");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(page.getByText("Asking your bank… Please don't close this page.")).toBeVisible();
  await expect(alert).toBeHidden();
  await expect(page.locator(".toast")).toHaveCount(0);
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();
});

test("a renewal of the hold keeps the error of a declined card, the focus and the key of the next attempt", async ({
  page,
}) => {
  await page.clock.install();
  await toPayment(page, "2027-08-29");
  await typeCard(page, "1111 1111 1111 0002");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  const alert = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(alert).toBeFocused();
  const key = await page.locator("input[name=key]").inputValue();
  await page.clock.fastForward("02:00");
  const reload = page.waitForResponse(/\/appointments\/pay\.data/);
  await page.getByLabel("Card number").focus();
  expect((await reload).status()).toBe(200);
  await expect(page.getByLabel("Card number")).toBeFocused();
  await expect(alert).toContainText("Your card was not charged.");
  await expect(page).toHaveTitle(/^Error: Complete Payment/);
  await expect(page.locator("input[name=key]")).toHaveValue(key);
  await typeCard(page, "1111 1111 1111 1111");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();
});

test("a card number unknown to the payment simulator is never sent by the browser", async ({ page }) => {
  await toPayment(page, "2027-07-05");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await typeCard(page, "1234 5678 9012 3456");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "none of the simulator's cards" })).toBeVisible();
  expect(sent.filter((each) => /1234.?5678/.test(decodeURIComponent(each)))).toEqual([]);
});

test("on a small phone, card errors are within the viewport", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await toPayment(page, "2027-07-31");
  await expect(page.getByLabel("Card number")).toBeVisible();
  const pay = page.getByRole("button", { name: "Pay $75", exact: true });
  await pay.click();
  const error = page.getByRole("alert").filter({ hasText: "Enter a card number." });
  await expect(error).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel("Card number")).toBeFocused();
  await typeCard(page, "1111 1111 1111 11");
  await pay.click();
  const refused = page.locator("form").getByRole("alert");
  await expect(refused).not.toHaveText("Enter a card number.");
  await expect(refused).toBeInViewport({ ratio: 1 });
});

test("repeated clicks on Pay result in one payment", async ({ page, context }) => {
  await toPayment(page, "2027-07-10");
  await typeCard(page, "1111 1111 1111 3220");
  const button = page.getByRole("button", { name: "Pay $75", exact: true });
  await button.evaluate((element: HTMLButtonElement) => {
    for (let click = 0; click < 6; click++) element.click();
  });
  await expect(page.getByRole("button", { name: "Processing..." })).toBeVisible();
  await expect(page.getByText("PAID", { exact: true })).toHaveCount(1);
  const response = await context.request.get("/api/appointments");
  expect(await response.json()).toHaveLength(1);
});

test("if the card form can't load, the family sees an error and pays on the provider's page", async ({ page }) => {
  await page.route(/simulated-card-form/, (route) =>
    route.fulfill({ status: 200, contentType: "text/javascript", body: "" }),
  );
  await toPayment(page, "2027-07-11");
  await expect(page.getByText("Payment System Error")).toBeVisible();
  await expect(page.getByText("Failed to initialize payment system")).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay $75", exact: true })).toBeHidden();
  await page.getByRole("button", { name: "Pay $75 on the provider's page" }).click();
  await expect(page.getByRole("heading", { name: "Simulated checkout" })).toBeVisible();
  await page.getByLabel("Card number").fill("1111 1111 1111 1111");
  await page.getByRole("button", { name: "Pay $75.00" }).click();
  await expect(page.getByText("Payment Successful")).toBeVisible();
  await expect(page.getByText("PAID", { exact: true })).toBeVisible();
});

test("Escape closes the payment dialog, and nothing is booked", async ({ page, context }) => {
  await toPayment(page, "2027-07-12");
  await expect(page.getByLabel("Card number")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/appointments$/);
  expect(await (await context.request.get("/api/appointments")).json()).toEqual([]);
});

test("an empty card field is marked as invalid and gets the focus", async ({ page }) => {
  await toPayment(page, "2027-07-25");
  const number = page.getByLabel("Card number");
  const expiration = page.getByLabel("Expiration date (MM/YY)");
  await number.fill("1111 1111 1111 1111");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Enter the expiration date." })).toBeVisible();
  await expect(expiration).toHaveAttribute("aria-invalid", "true");
  await expect(expiration).toBeFocused();
  await expect(number).toHaveAttribute("aria-invalid", "false");
  await expect(page.getByText("Payment Failed")).toHaveCount(0);
});
