import type { Page } from "playwright";
import type { State } from "./capture.ts";
import { practiceTime, type ScreenshotSite } from "./screenshot-site.ts";
import type { SeedData } from "./seed-site.ts";

/** Before any family has come. */
export async function firstDayStates(site: ScreenshotSite): Promise<State[]> {
  const person = await site.consultant();
  const empty = (name: string, path: string): State => ({ role: "Consultant", name, path, person });
  return [
    empty("dashboard, empty", "/dashboard"),
    empty("calendar, empty", "/calendar"),
    empty("families, none", "/families"),
    empty("money, nothing due", "/money"),
    empty("requests, none", "/requests"),
    empty("documents, none", "/documents"),
  ];
}

export async function adminStates(site: ScreenshotSite, seedData: SeedData): Promise<State[]> {
  const person = await site.consultant();
  const { maria, long, visits, requests, cases } = seedData;
  const [urgent = 0] = requests;
  const followUp = await site.db.followUp.findFirstOrThrow({ where: { userId: maria.id } });
  const note = await site.db.familyNote.findFirstOrThrow({ where: { userId: maria.id } });
  const signed = await site.db.consent.findFirstOrThrow({ where: { userId: maria.id, withdrawnAt: null } });
  const leaving = await site.db.user.create({
    data: {
      email: "kei.tanaka@example.com",
      firstName: "Kei",
      lastName: "Tanaka",
      password: "-",
      createdAt: practiceTime(-40, 20, 12),
      eraseAfter: practiceTime(9, 14),
    },
  });
  await site.db.emailChange.create({
    data: {
      userId: leaving.id,
      oldEmail: "kei@example.org",
      undoTokenHash: "-",
      undoUntil: practiceTime(5, 11),
      changedAt: practiceTime(-2, 11),
    },
  });
  const seen = (name: string, path: string, more: Partial<State> = {}): State => ({
    role: "Consultant",
    name,
    path,
    person,
    ...more,
  });
  return [
    seen("dashboard, many", "/dashboard"),
    seen("menu open", "/dashboard", { window: true, act: openMenu }),
    seen("calendar dialog", "/dashboard/calendar"),
    seen("appointment details", `/dashboard/appointments/${visits.paid}`),
    seen("after a visit", `/dashboard/appointments/${visits.missed}/after`),
    seen("after a visit, mistakes", `/dashboard/appointments/${visits.missed}/after`, { act: saveEmptyFollowUp }),
    seen("new follow-up", `/families/${maria.id}/follow-ups/new`),
    seen("reschedule", `/dashboard/appointments/${visits.paid}/reschedule`),
    seen("reschedule, time taken", `/dashboard/appointments/${visits.paid}/reschedule?date=2026-11-22&time=09:00`, {
      act: moveVisit,
    }),
    seen("appointment of no account", `/dashboard/appointments/${visits.unclaimed}`),
    seen("link for the family", `/dashboard/appointments/${visits.unclaimed}/claim-link`),
    seen("cancel an appointment", `/dashboard/appointments/${visits.paid}/cancel`),
    seen("outbox", "/outbox"),
    seen("wording of messages", "/mail-wording"),
    seen("wording of a message", "/mail-wording/visit-booked"),
    seen("wording of a message, mistakes", "/mail-wording/password-reset", { act: saveWithoutLink }),
    seen("messages", "/messages"),
    seen("delete an appointment", `/dashboard/appointments/${visits.paid}/delete`),
    seen("payment of an appointment", `/dashboard/appointments/${visits.paid}/payment`),
    seen("payment in person", `/dashboard/appointments/${visits.inPerson}/payment`),
    seen("schedule a request", `/dashboard/requests/${urgent}/schedule`),
    seen("schedule a request, mistakes", `/dashboard/requests/${urgent}/schedule`, { act: scheduleNothing }),
    seen("delete a request", `/dashboard/requests/${urgent}/delete`),
    seen("delete everything of a request", `/dashboard/requests/${urgent}/erase`),
    seen("reset link", "/dashboard/reset-link"),
    seen("reset link, made", "/dashboard/reset-link", { act: makeLink(maria.email) }),
    seen("settings", "/dashboard/settings"),
    seen("calendar link", "/dashboard/settings/calendar"),
    seen("calendar, month", "/calendar?view=month"),
    seen("calendar, month, moving a visit", `/calendar?view=month&day=2026-11-22&move=${visits.online}`),
    seen("calendar, week", "/calendar"),
    seen("calendar, day", "/calendar?view=day"),
    seen("calendar, waiting list", "/calendar?view=day&day=2026-12-12"),
    seen("calendar, moving a visit", `/calendar?view=week&day=2026-11-22&move=${visits.online}`),
    seen("new appointment", "/calendar/new?view=week&day=2026-11-23&time=14:00"),
    seen("closed days", "/calendar/hours"),
    seen("weekly hours", "/calendar/weekly-hours"),
    seen("about the consultant", "/consultant-profile"),
    seen("address and tax number", "/practice-details"),
    seen("search", "/search?q=maria"),
    seen("search, nothing found", "/search?q=nobody+at+all"),
    seen("families", "/families"),
    seen("invitations", "/families/invitations", { act: inviteRenata }),
    seen("invite the family of a visit", `/families/invitations?appointment=${visits.unclaimed}`),
    seen("family", `/families/${maria.id}`),
    seen("book for a family", `/families/${maria.id}/appointments/new`),
    seen("change a note", `/families/${maria.id}/notes/${note.id}/edit`),
    seen("delete a follow-up", `/families/${maria.id}/follow-ups/${followUp.id}/delete`),
    seen("delete a note", `/families/${maria.id}/notes/${note.id}/delete`),
    seen("signed agreement", `/families/${maria.id}/consents/${signed.id}`),
    seen("end an agreement", `/families/${maria.id}/consents/${signed.id}/withdraw`),
    seen("close an account", `/families/${long.id}/close`),
    seen("delete an account", `/families/${long.id}/delete`),
    seen("delete an account, mistakes", `/families/${long.id}/delete`, { act: deleteUnticked }),
    seen("family, to be deleted", `/families/${leaving.id}`),
    seen("keep an account", `/families/${leaving.id}/keep`),
    seen("end a link in an old mailbox", `/families/${leaving.id}/end-undo-link`),
    seen("open an account", `/families/${long.id}/open`),
    seen("family, long names", `/families/${long.id}`),
    seen("money", "/money"),
    seen("invoice", `/invoices/${visits.inPerson}`),
    seen("money, mistakes", "/money", { act: markNothing }),
    seen("requests", "/requests"),
    seen("add a request", "/requests/new"),
    seen("add a request, mistakes", "/requests/new", { act: addEmptyRequest }),
    seen("requests and incidents", "/compliance"),
    seen("closed requests and incidents", "/compliance?status=closed"),
    seen("new request or incident", "/compliance/new"),
    seen("new request or incident, mistakes", "/compliance/new", { act: saveEmptyCase }),
    seen("request with its clock", `/compliance/${cases.privacy}`),
    seen("incident with its clock", `/compliance/${cases.incident}`),
    seen("system status", "/system-status"),
    seen("access log", "/activity"),
    seen("access log, of a family", `/activity?family=${maria.id}`),
    seen("access log, nothing found", "/activity?q=nobody&kind=refused&day=2020-01-01"),
    seen("documents, of all families", "/documents"),
    seen("upload for a family", "/documents/new"),
    seen("upload for the family of its page", `/families/${maria.id}/documents/new`),
    seen("visit, too early", `/video-call/${visits.online}`),
  ];
}

async function addEmptyRequest(page: Page) {
  await page.getByRole("button", { name: "Add the request" }).click();
  await page.getByText("There is a problem").waitFor();
}

async function deleteUnticked(page: Page) {
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("alert").first().waitFor();
}

async function inviteRenata(page: Page) {
  await page.getByLabel("First name").fill("Renata");
  await page.getByLabel("Last name").fill("Kowalski-Featherstonehaugh");
  await page.getByLabel("Email address").fill("renata.kowalski@example.org");
  await page.getByRole("button", { name: "Invite the family" }).click();
  await page.getByText("Send again").first().waitFor();
}

async function saveWithoutLink(page: Page) {
  await page.getByLabel("Text").fill("Your new password is one press away.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
}

async function openMenu(page: Page) {
  await page.locator("[data-menu] > summary").click();
}

async function scheduleNothing(page: Page) {
  await page.getByRole("dialog").getByLabel("Title").fill("");
  await page.getByRole("dialog").getByRole("radio", { name: "Enter a different time" }).check();
  await page.getByRole("dialog").getByRole("button", { name: "Schedule Consultation" }).click();
  await page.getByRole("alert").first().waitFor();
}

async function moveVisit(page: Page) {
  await page.getByRole("dialog").getByRole("button", { name: "Move visit" }).click();
  await page.getByRole("alert").first().waitFor();
}

async function markNothing(page: Page) {
  await page.getByRole("button", { name: "Mark as paid" }).click();
  await page.getByRole("alert").first().waitFor();
}

async function saveEmptyCase(page: Page) {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
}

async function saveEmptyFollowUp(page: Page) {
  await page.getByRole("dialog").getByLabel("To do (optional)").fill("Call the school about the bus");
  await page.getByRole("dialog").getByLabel("By when", { exact: true }).fill("");
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").first().waitFor();
}

const makeLink = (email: string) => async (page: Page) => {
  await page.getByRole("dialog").getByLabel(/mail/).fill(email);
  await page.getByRole("dialog").getByRole("button", { name: /link/i }).click();
  await page.locator(".secret").waitFor();
};
