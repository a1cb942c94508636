import type { Page } from "playwright";
import { choosePayment, chooseService, showInDialog, typeTime } from "../support/browser/booking-dialog.ts";
import { changePassword, confirmPassword, showPasswordForm } from "../support/browser/password-dialog.ts";
import { SAMPLES } from "../support/uploads.ts";
import { familyPassword } from "../support/accounts.ts";
import type { Family } from "../support/people.ts";
import type { State } from "./capture.ts";
import { submitInvalid } from "./submit-invalid.ts";
import type { ScreenshotSite } from "./screenshot-site.ts";
import type { SeedData } from "./seed-site.ts";

const STEPS = ["sections", "client", "child", "concerns", "additional", "check"];

export function familyStates(site: ScreenshotSite, seedData: SeedData): State[] {
  const { fresh, one, maria, long, full, visits } = seedData;
  const of =
    (person: Family) =>
    (name: string, path: string, more: Partial<State> = {}): State => ({ role: "Family", name, path, person, ...more });
  const [empty, single, many, wordy, filled] = [of(fresh), of(one), of(maria), of(long), of(full)];
  return [
    many("home, signed in", "/", { window: true }),
    empty("dashboard, empty", "/dashboard"),
    single("dashboard, one of each", "/dashboard"),
    many("dashboard, many", "/dashboard"),
    wordy("dashboard, long names", "/dashboard"),
    many("menu open", "/dashboard", { window: true, act: openMenu }),
    many("settings", "/dashboard/settings"),
    many("change of address", "/change-email"),
    many("change of address, mistakes", "/change-email", { act: submitInvalid("Email me a link") }),
    wordy("change of address, asked for", "/change-email", { act: askForAddress }),
    many("second step", "/second-factor"),
    many("second step, set up", "/second-factor", { act: beginSecondStep }),
    empty("passkeys, none", "/passkeys"),
    many("passkeys", "/passkeys"),
    single("password again", "/confirm-identity"),
    single("password again, mistakes", "/confirm-identity", { act: submitInvalid("Continue") }),
    many("agreements", "/consents"),
    empty("agreement, to sign", "/consents/release-of-records"),
    empty("agreement, mistakes", "/consents/release-of-records", { act: submitInvalid("I have read it and agree") }),
    single("agreement, signed", "/consents/recording"),
    many("terms that have changed", "/accept-terms"),
    many("more", "/more"),
    many("messages", "/messages"),
    many("message, opened", "/messages", { act: openMessage }),
    empty("messages, first day", "/messages"),
    many("calendar link", "/dashboard/settings/calendar"),
    many("calendar link, made", "/dashboard/settings/calendar", { act: makeCalendarLink }),
    many("signed-in devices", "/dashboard/settings/devices"),
    many("your data", "/dashboard/settings/data"),
    many("delete the account", "/dashboard/settings/delete-account"),
    empty("delete the account, mistakes", "/dashboard/settings/delete-account", {
      act: submitInvalid("Delete our account"),
    }),
    empty("access log, first day", "/access-log"),
    many("access log", "/access-log"),
    many("settings, mistakes", "/dashboard/settings", { act: changeNoPassword }),
    many("name and phone", "/dashboard/profile"),
    many("name and phone, mistakes", "/dashboard/profile", { act: emptyName }),
    empty("intake form, not begun", "/dashboard/intake-form"),
    ...STEPS.map((step) => many(`intake form, ${step}`, `/dashboard/intake-form?step=${step}`)),
    empty("intake form, on the way to a booking", "/appointments/intake-form"),
    empty("intake form, mistakes", "/dashboard/intake-form?step=client", { act: emptyStep }),
    wordy("intake form, changes", "/intake-form/changes"),
    empty("appointments, empty", "/appointments"),
    single("appointments, one", "/appointments"),
    many("appointments, many", "/appointments"),
    wordy("appointments, long names", "/appointments"),
    many("questions before a visit", `/appointments/${visits.online}/questions`),
    many("questions before a visit, mistakes", `/appointments/${visits.inPerson}/questions`, {
      act: submitInvalid("Save my answers"),
    }),
    empty("waiting list, empty", "/appointments/waiting-list"),
    empty("waiting list, mistakes", "/appointments/waiting-list", { act: submitInvalid("Tell me when a time opens") }),
    many("waiting list", "/appointments/waiting-list"),
    empty("schedule, no intake form yet", "/appointments/new"),
    many("schedule, from a service", "/appointments?service=Initial%20Consultation"),
    many("schedule, add-ons", "/appointments?service=Add-On%20Services"),
    many("schedule, a day chosen", "/appointments/new", { act: chooseDay }),
    many("schedule, mistakes", "/appointments/new", { act: sendWithoutPaymentMethod }),
    many("pay", "/appointments/new", { act: toPayment, shows: "/appointments/pay" }),
    many("pay, card refused", "/appointments/new", { act: refusedCard, shows: "/appointments/pay" }),
    many("pay, on the provider's page", "/appointments/new", { act: toCheckout, shows: "/simulated-checkout/:id" }),
    many("pay, not yet confirmed", "/appointments/new", { act: backTooEarly(site), shows: "/appointments/pay/return" }),
    many("discard a booking", "/appointments/new", { act: toDiscard, shows: "/appointments/discard" }),
    many("booked, in person", `/appointments/${visits.inPerson}/booked`),
    many("booked, video", `/appointments/${visits.online}/booked`),
    many("booked, paid", `/appointments/${visits.paid}/booked`),
    many("cancel, in person", `/appointments/${visits.inPerson}/cancel`),
    many("cancel, paid, full refund", `/appointments/${visits.paid}/cancel`),
    many("cancel, paid, half comes back", `/appointments/${visits.soon}/cancel`),
    many("move", `/appointments/${visits.paid}/move`),
    many("move, mistakes", `/appointments/${visits.paid}/move`, { act: submitInvalid("Move to this time") }),
    many("move, too late", `/appointments/${visits.soon}/move`),
    many("papers for an appointment", `/appointments/${visits.paid}/documents`),
    empty("receipts, none", "/receipts"),
    many("receipts, many", "/receipts"),
    many("invoice", `/invoices/${visits.inPerson}?child=shown`),
    many("receipt", "/appointments", { act: openReceipt, shows: "/receipts/:id" }),
    many("visit, too early", `/video-call/${visits.online}`),
    many("visit, too late", `/video-call/${visits.missed}`),
    many("visit, without a video room", `/video-call/${visits.inPerson}`),
    many("visit, unknown", "/video-call/999999"),
    empty("documents, empty", "/documents"),
    single("documents, one", "/documents"),
    many("documents, forty", "/documents"),
    wordy("documents, long names", "/documents"),
    many("upload", "/documents/new"),
    many("upload, files chosen", "/documents/new", { act: chooseFiles }),
    many("upload, no file", "/documents/new", { act: submitInvalid("Upload") }),
    filled("upload, no room left", "/documents/new", { act: sendOneMore }),
    many("intake form as a document", "/documents/intake-form"),
    single("delete a document", "/documents", { act: askToDelete, shows: "/documents/:id/delete" }),
    empty("not found, signed in", "/nothing-here"),
    many("message after saving", "/dashboard/settings", { window: true, act: changePassword(maria.password) }),
    empty("something broke", "/dashboard", { act: breakDocuments(site), shows: "/documents" }),
  ];
}

async function toDiscard(page: Page) {
  await toPayment(page);
  await page.goto(new URL("/appointments/discard", page.url()).href);
}

async function beginSecondStep(page: Page) {
  await page.getByLabel("Your password").fill(familyPassword);
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("img", { name: /QR code/ }).waitFor();
}

async function askForAddress(page: Page) {
  await page.getByLabel("New email address").fill("our.new.address@example.org");
  await page.getByRole("button", { name: "Email me a link" }).click();
  await confirmPassword(page, familyPassword);
  await page.getByRole("button", { name: "Email me a link" }).click();
  await page.getByText("Please open the link").waitFor();
}

async function makeCalendarLink(page: Page) {
  await page.getByRole("button", { name: /^Make a/ }).click();
  await page.locator("output.secret").waitFor();
}

async function openMessage(page: Page) {
  await page.locator("a[href*='?open=']").first().click();
  await page.locator("details[open]").waitFor();
}

async function openMenu(page: Page) {
  await page.locator("[data-menu] > summary").click();
}

async function emptyName(page: Page) {
  await page.getByLabel("First Name").fill("");
  await submitInvalid("Save")(page);
}

async function emptyStep(page: Page) {
  await page.getByLabel("Phone number").fill("");
  await submitInvalid("Save and continue")(page);
}

async function chooseDay(page: Page) {
  await chooseService(page, "Hourly Consulting");
  await typeTime(page, "2026-12-05T10:00");
}

async function sendWithoutPaymentMethod(page: Page) {
  await chooseDay(page);
  await showInDialog(page, page.getByRole("button", { name: "Schedule Appointment", exact: true }));
  await page.getByRole("button", { name: "Schedule Appointment", exact: true }).click();
  await page.getByText("Please select a payment method to continue").first().waitFor();
}

async function toPayment(page: Page) {
  await chooseDay(page);
  await choosePayment(page, "Pay online");
  await page.getByRole("button", { name: "Schedule Appointment", exact: true }).click();
  await page.getByLabel("Card number").waitFor();
}

async function refusedCard(page: Page) {
  await toPayment(page);
  await page.getByLabel("Card number").fill("1111 1111 1111 9995");
  await page.getByLabel("Expiration date (MM/YY)").fill("12/30");
  await page.getByLabel("Security code").fill("123");
  await page.getByRole("button", { name: "Pay $75", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "Payment Failed" }).waitFor();
}

async function toCheckout(page: Page) {
  await toPayment(page);
  await page.getByRole("button", { name: "Pay $75 on the provider's page" }).click();
  await page.getByRole("heading", { name: "Simulated checkout" }).waitFor();
}

/** Back from the provider's page before anything was paid there. */
const backTooEarly =
  ({ db, origin }: ScreenshotSite) =>
  async (page: Page) => {
    await toCheckout(page);
    const { id } = await db.payment.findFirstOrThrow({ where: { method: "hosted" }, orderBy: { id: "desc" } });
    await page.goto(`${origin}/appointments/pay/return?payment=${id}`);
  };

async function openReceipt(page: Page) {
  await followFirst(page, /^Receipt for/);
  await page.getByRole("heading", { name: /^Receipt \d+$/ }).waitFor();
}

function followFirst(page: Page, name: RegExp) {
  return page.getByRole("link", { name }).first().click();
}

async function chooseFiles(page: Page) {
  const buffer = SAMPLES.txt ?? Buffer.alloc(0);
  const files = ["Letter from school.txt", `${"A very long name of a file ".repeat(5)}.txt`];
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles(files.map((name) => ({ name, mimeType: "text/plain", buffer })));
}

async function sendOneMore(page: Page) {
  const buffer = SAMPLES.txt ?? Buffer.alloc(0);
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "One more.txt", mimeType: "text/plain", buffer });
  await submitInvalid("Upload")(page);
}

async function askToDelete(page: Page) {
  await followFirst(page, /^Delete/);
  await page.getByRole("dialog").waitFor();
}

async function changeNoPassword(page: Page) {
  await showPasswordForm(page);
  await submitInvalid("Change Password")(page);
}

/** As when the database lost a table: nobody can see their documents until it is mended. */
const breakDocuments =
  ({ db, origin }: ScreenshotSite) =>
  async (page: Page) => {
    await db.$executeRawUnsafe("ALTER TABLE documents RENAME TO documents_gone");
    await page.goto(`${origin}/documents`);
    await db.$executeRawUnsafe("ALTER TABLE documents_gone RENAME TO documents");
  };
