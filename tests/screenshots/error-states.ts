import { choosePayment, chooseService, typeTime } from "../support/browser/booking-dialog.ts";
import type { BrowserContext, Page } from "playwright";
import { SAMPLES, textFile } from "../support/uploads.ts";
import type { State } from "./capture.ts";
import type { ScreenshotSite } from "./screenshot-site.ts";
import type { SeedData } from "./seed-site.ts";

const SLOW_BYTES = 60_000;

/** What a family sees on its way, while something takes long, or does not work. */
export function errorStates(site: ScreenshotSite, { maria, fresh }: SeedData): State[] {
  const on = (name: string, path: string, more: Partial<State>): State => ({
    role: "Family",
    name,
    path,
    person: maria,
    ...more,
  });
  const pay = (name: string, more: Partial<State>) =>
    on(`pay, ${name}`, "/appointments/new", { shows: "/appointments/pay", ...more });
  const sending = (name: string, act: State["act"]) => on(`upload, ${name}`, "/documents/new", { act });
  return [
    pay("on its way", { act: payFor("1111 1111 1111 1111", neverAnswered) }),
    pay("card declined", { act: payFor("1111 1111 1111 0002", readRefusal) }),
    pay("provider down", { act: payFor("1111 1111 1111 0119", readRefusal) }),
    pay("no card form", { prepare: withoutCardForm, act: toPayment }),
    pay("page of the provider closed", { act: backFromClosed(site) }),
    pay("paid, not yet confirmed", { shows: "/appointments/pay/return", act: backBooked(site) }),
    sending("on its way", sendThree),
    sending("refused by the server", refuseFile),
    sending("connection lost", loseOnTheWay),
    on("dashboard, offline", "/dashboard", { window: true, act: pressOffline }),
    on("dashboard, connected again", "/dashboard", { window: true, act: comeBack }),
    on("next page, on its way", "/dashboard", { window: true, act: waitForPage }),
    on("next page, not to be had", "/dashboard", { window: true, act: cannotHavePage }),
    on("form without an answer", "/appointments/new", { act: sendWithoutAnswer }),
    on("intake form without an answer", "/dashboard/intake-form?step=client", {
      person: fresh,
      act: saveWithoutAnswer,
    }),
  ];
}

/** What a visitor's page says, whose script does not run it. */
export const offlineVisitor: State = {
  role: "Signed out",
  name: "create account, network gone",
  path: "/register",
  window: true,
  act: async (page) => {
    await page.getByLabel("First Name").fill("Maria");
    await cut(page);
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.getByText("then send it again.").waitFor();
  },
};

async function cut(page: Page) {
  await page.route(/localhost/, (route) => route.abort("connectionfailed"));
}

async function toPayment(page: Page) {
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2026-12-19T10:00");
  await choosePayment(page, "Pay online");
  await page.getByRole("button", { name: "Schedule Appointment", exact: true }).click();
  await page.getByRole("heading", { name: "Payment Required" }).waitFor();
}

const payFor =
  (number: string, then: (page: Page, press: () => Promise<void>) => Promise<void>) => async (page: Page) => {
    await toPayment(page);
    await page.getByLabel("Card number").fill(number);
    await page.getByLabel("Expiration date (MM/YY)").fill("12/30");
    await page.getByLabel("Security code").fill("123");
    await then(page, () => page.getByRole("button", { name: "Pay $75", exact: true }).click());
  };

async function neverAnswered(page: Page, press: () => Promise<void>) {
  await page.route(/pay\.data/, () => undefined);
  await press();
  await page.getByRole("button", { name: "Processing..." }).waitFor();
}

async function readRefusal(page: Page, press: () => Promise<void>) {
  await press();
  await page.getByRole("alert").filter({ hasText: "Payment Failed" }).waitFor();
}

async function withoutCardForm(page: Page) {
  await page.route(/simulated-card-form/, (route) => route.abort());
}

async function toCheckout(page: Page, { db }: ScreenshotSite) {
  await toPayment(page);
  await page.getByRole("button", { name: "Pay $75 on the provider's page" }).click();
  await page.getByRole("heading", { name: "Simulated checkout" }).waitFor();
  return db.payment.findFirstOrThrow({ where: { method: "hosted" }, orderBy: { id: "desc" } });
}

const backFromClosed = (site: ScreenshotSite) => async (page: Page) => {
  const { id } = await toCheckout(page, site);
  await site.db.payment.update({ where: { id }, data: { state: "voided" } });
  await page.goto(`${site.origin}/appointments/pay/return?payment=${id}`);
  await page.getByText("nothing was charged").first().waitFor();
};

const backBooked = (site: ScreenshotSite) => async (page: Page) => {
  const { id } = await toCheckout(page, site);
  await site.db.payment.update({ where: { id }, data: { state: "booked" } });
  await page.goto(`${site.origin}/appointments/pay/return?payment=${id}`);
  await page.getByText("your payment is being confirmed").waitFor();
};

const plain = (name: string, bytes = 0) => ({
  name,
  mimeType: "text/plain",
  buffer: bytes > 0 ? textFile(bytes) : (SAMPLES.txt ?? Buffer.alloc(0)),
});

/** A line that carries little. */
async function slowDown(page: Page) {
  const line = await page.context().newCDPSession(page);
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: SLOW_BYTES };
  await line.send("Network.emulateNetworkConditions", conditions);
}

async function sendThree(page: Page) {
  const files = [
    plain("Letter from school.txt"),
    plain("Evaluation of October.txt", 4_000_000),
    plain("IEP draft.txt"),
  ];
  await page.getByLabel("File", { exact: true }).setInputFiles(files);
  await slowDown(page);
  await page.getByRole("button", { name: "Upload 3 Documents" }).click();
  await page.getByText(/about .* left/).waitFor();
}

async function refuseFile(page: Page) {
  await page.route(/api\/documents/, (route) => route.abort("connectionreset"));
  await page.getByLabel("File", { exact: true }).setInputFiles(plain("Letter from school.txt"));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByRole("button", { name: "Try again" }).waitFor();
}

async function loseOnTheWay(page: Page, context: BrowserContext) {
  await page.route(/api\/documents$/, async (route) => {
    await context.setOffline(true);
    await route.abort("internetdisconnected");
  });
  await page.getByLabel("File", { exact: true }).setInputFiles(plain("Evaluation of October.txt"));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByText("starts over by itself").first().waitFor();
}

async function pressOffline(page: Page, context: BrowserContext) {
  await context.setOffline(true);
  await page.getByRole("link", { name: "Total Appointments" }).click();
  await page.getByText("will open on its own").waitFor();
}

async function comeBack(page: Page, context: BrowserContext) {
  await page.clock.install();
  await context.setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await context.setOffline(false);
  await page.getByText("You are connected again.").waitFor();
}

async function waitForPage(page: Page) {
  await page.route(/\.data/, () => undefined);
  await page.getByRole("link", { name: "Total Appointments" }).click();
  await page.locator(".page-loading").waitFor();
}

async function cannotHavePage(page: Page) {
  await page.route(/\.data/, (route) => route.abort("connectionfailed"));
  await page.getByRole("link", { name: "Total Appointments" }).click();
  await page.getByText("We keep trying").waitFor();
}

async function sendWithoutAnswer(page: Page) {
  await chooseService(page, "Hourly Consulting");
  // The payment states hold the day before.
  await typeTime(page, "2026-12-20T15:00");
  await choosePayment(page, "Pay in person", "We have a meeting at school on the Monday after.");
  await cut(page);
  await page.getByRole("button", { name: "Schedule Appointment", exact: true }).click();
  await page.getByText("then send it again.").waitFor();
}

async function saveWithoutAnswer(page: Page) {
  await page.getByLabel("Phone number").fill("(732) 555-0188");
  await cut(page);
  await page.getByRole("button", { name: "Save and continue" }).click();
  await page.getByText("then send it again.").waitFor();
}
