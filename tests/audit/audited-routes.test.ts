// Proves that no route shows a family's record without an audit log entry, even if only part of a page is requested.
import { beforeAll, describe, expect, test } from "vitest";
import { accountsOfSite } from "../support/accounts.ts";
import { bookOrFail } from "../support/bookings.ts";
import { type Family, intakeForm } from "../support/people.ts";
import type { TestClient } from "../support/http-client.ts";
import { WORDING_NAMES } from "../../app/wording-names.ts";
import { type RoutePath, routePaths } from "../support/route-table.ts";
import { textFile, uploadFile } from "../support/uploads.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";

const HOUR = 3_660_000;

/** What shows no family's record: forms, settings and texts of the practice, and the consultant's own account. */
const SHOWS_NO_RECORD = [
  "/second-factor",
  "/passkeys",
  "/forgot-password",
  "/account-deleted",
  "/change-email",
  "/confirm-identity",
  "/request-consultation",
  "/legal-request",
  "/comfort",
  "/stay-signed-in",
  "/hipaa-compliance",
  "/privacy-policy",
  "/terms-of-service",
  "/accessibility",
  "/dashboard/settings",
  "/dashboard/settings/calendar",
  "/dashboard/settings/devices",
  "/dashboard/profile",
  // The visits that lie outside of the hours are a list, where there are any.
  "/calendar/hours",
  "/dashboard/reset-link",
  "/consultant-profile",
  "/practice-details",
  "/system-status",
  "/mail-wording",
  "/mail-wording/:name",
  "/mail-wording/:name/preview",
  // An empty form.
  "/requests/new",
  "/families/:id/follow-ups/new",
  "/api/auth/me",
  "/api/auth/sessions",
  "/api/auth/passkeys",
  "/api/intake-form/check",
  "/api/payments/config",
];
/** A visit without an account is no family's. */
const OF_NO_FAMILY = {
  "/dashboard/requests/:id/erase": "request-opened",
  "/dashboard/appointments/:id/claim-link": "appointment-opened",
  "/requests/:id/everything.json": "request-exported",
};
/** For the consultant alone, and only to send a form to: they lead to a page. */
const FORM_TARGETS = ["/dashboard/appointments/:id/told", "/documents/:id/sharing"];

const FAMILY_PAGES_OF_A_VISIT = ["booked", "cancel", "documents", "move", "questions"].map(
  (page) => `/appointments/:id/${page}`,
);
/** Lists of a family's own records, and what shows none of them: not recorded for a family. */
const FAMILY_LISTS_AND_FORMS = [
  "/",
  "/accept-terms",
  "/access-log",
  "/appointments",
  "/appointments/intake-form",
  "/appointments/new",
  "/appointments/waiting-list",
  "/consents",
  "/dashboard",
  "/dashboard/settings/data",
  "/dashboard/settings/delete-account",
  "/documents",
  "/documents/new",
  "/messages",
  "/more",
  "/receipts",
  "/api/appointments",
  "/api/documents",
  "/api/me/access-log",
];

let adminId: number;
let maria: Family;
const ids = new Map<string, number | string>();
/** What each address answered, and the entries that it left. */
type Answer = { status: number; entries: { action: string; familyId: number | null }[] };
const found = new Map<string, Answer>();
const foundByFamily = new Map<string, Answer>();

beforeAll(async () => {
  const admin = await consultant();
  adminId = (await db.user.findFirstOrThrow({ where: { isAdmin: true } })).id;
  maria = await family({ intake: true });
  await maria.post("/api/intake-forms", { ...intakeForm(maria), otherConcerns: "Sleep" });
  const visit = Number((await bookOrFail(maria)).id);
  const userId = maria.id;
  await admin.form(`/dashboard/appointments/${visit}/payment`, { intent: "taken", method: "cash" });
  await admin.form(`/families/${userId}`, { text: "Leo's secret" });
  const asked = {
    firstName: "Ana",
    lastName: "Ruiz",
    email: "ana@example.com",
    serviceNeeds: "IEP",
    urgency: "routine",
  };
  const request = await db.consultationRequest.create({ data: { ...asked, consent: true, userId } });
  const caller = await db.consultationRequest.create({ data: { ...asked, consent: true, status: "scheduled" } });
  const days = { receivedDay: "2026-11-23", dueDay: "2026-12-23" };
  const legal = await db.complianceCase.create({ data: { ...days, kind: "privacy", text: "-", userId } });
  const payment = await db.payment.findFirstOrThrow({ where: { userId } });
  const note = await db.familyNote.findFirstOrThrow({ where: { userId } });
  await admin.form(`/families/${userId}/follow-ups/new`, { followUp: "Call Leo's school", dueDay: "2028-01-10" });
  const followUp = await db.followUp.findFirstOrThrow({ where: { userId } });
  const document = (await uploadFile(maria, { bytes: textFile(1000) })).json.id;
  for (const name of ["appointments/:id", "invoices/:id", "video-call/:appointmentId"]) ids.set(name, visit);
  for (const name of ["families/:id", "users/:id"]) ids.set(name, userId);
  for (const name of ["requests/:id", "consultation-requests/:id"]) ids.set(name, request.id);
  const consultation = { title: "Hourly Consulting", type: "consultation" };
  const past = { ...consultation, userId, appointmentDate: new Date("2026-11-02T15:00Z") };
  ids.set("after", (await db.appointment.create({ data: past })).id);
  const unclaimed = {
    ...consultation,
    consultationRequestId: caller.id,
    appointmentDate: new Date("2027-02-01T15:00Z"),
  };
  ids.set("claim-link", (await db.appointment.create({ data: unclaimed })).id);
  const closed = { ...asked, consent: true, status: "scheduled", firstName: "Once" };
  const withoutVisit = await db.consultationRequest.create({ data: closed });
  ids.set("erase", withoutVisit.id).set("everything.json", withoutVisit.id);
  ids.set("compliance/:id", legal.id).set("receipts/:id", payment.id);
  ids.set("follow-ups/:followUp", followUp.id).set("notes/:note", note.id).set("documents/:id", document);
  const signature = { document: "recording", version: "2026-11-23", signedName: maria.name, signedAt: new Date() };
  ids.set("consents/:consent", (await db.consent.create({ data: { ...signature, userId } })).id);
  ids.set("outbox/:id", (await db.message.findFirstOrThrow({ where: { userId } })).id);
  ids.set("consents/:document", "recording");
  await visitEveryAddressAsFamily();
  await visitEveryAddress();
});

/** Asks for each address as a new session of the consultant, an hour after the one before: lists are recorded hourly. */
async function visitEveryAddress() {
  for (const [index, route] of routePaths.entries()) {
    setTestClock(() => new Date(Date.now() + index * HOUR));
    found.set(route.path, await answerTo(await consultant(), adminId, route, addressOf(route)));
  }
  setTestClock(null);
}

/** Asks for each address that a family may open, each time in a new session: its reads are recorded hourly in one. */
async function visitEveryAddressAsFamily() {
  const { startSession } = accountsOfSite(testing);
  const forFamilies = routePaths.filter(({ layouts }) => !layouts.includes("app/accounts/admin-only-layout.tsx"));
  for (const route of forFamilies) {
    const client = visitor();
    client.storeCookies(await startSession(maria.email));
    const ownPath = addressOf(route).replace(/\?userId=\d+/, "");
    foundByFamily.set(route.path, await answerTo(client, maria.id, route, ownPath));
  }
}

async function answerTo(client: TestClient, actorId: number, route: RoutePath, path: string): Promise<Answer> {
  const last = await db.auditEntry.findFirst({ orderBy: { sequence: "desc" } });
  const alone = route.file.endsWith(".tsx") && route.path !== "/";
  let { status } = await client.get(alone ? leafOf(path, route) : path);
  // The page of a call is always asked for as a document.
  if (status === 202) ({ status } = await client.get(path));
  const entries = await db.auditEntry.findMany({
    where: { sequence: { gt: last?.sequence ?? 0 }, actorId, action: { not: "access-refused" } },
    select: { action: true, familyId: true },
  });
  return { status, entries };
}

function addressOf({ path }: RoutePath): string {
  const ownId = ids.get(path.split("/").at(-1) ?? "");
  const named = path
    .replace("mail-wording/:name", `mail-wording/${WORDING_NAMES[0]}`)
    .replace(/[\w-]+\/:\w+/g, (part) => part.replace(/:\w+$/, String(ownId ?? ids.get(part) ?? 1)));
  if (/intake-form/.test(path)) return `${named}?userId=${maria.id}`;
  if (path === "/documents/archive.zip") return `${named}?id=${ids.get("documents/:id")}`;
  if (path === "/search") return `${named}?q=${maria.firstName}`;
  if (path === "/money.csv") return `${named}?period=2026-11`;
  return named;
}

/** Only this part of the page: the loaders of the pages around it don't run. */
function leafOf(path: string, { id }: RoutePath): string {
  const [pathname, query = ""] = path.split("?");
  return `${pathname}.data?${query}&_routes=${encodeURIComponent(id)}`;
}

const shown = () => [...found].filter(([, { status }]) => status === 200);

describe("for the consultant, every route", () => {
  test("that only she may open returns 200 for an existing record, except for form targets", () => {
    const consultantRoutes = routePaths.filter(({ layouts }) => layouts.includes("app/accounts/admin-only-layout.tsx"));
    const unanswered = consultantRoutes.filter(({ path }) => found.get(path)?.status !== 200).map(({ path }) => path);
    expect(unanswered).toEqual(FORM_TARGETS);
    expect(shown().length).toBeGreaterThanOrEqual(90);
  });

  test("adds an audit log entry if it shows data of a family", () => {
    const silent = shown().filter(([, { entries }]) => entries.length === 0);
    expect(silent.map(([path]) => path).toSorted()).toEqual(SHOWS_NO_RECORD.toSorted());
  });

  test("adds an entry that names the family if it shows a single record", () => {
    const ofOne = shown().filter(([path]) => path.includes(":") && !SHOWS_NO_RECORD.includes(path));
    const unnamed = ofOne.filter(([, { entries }]) => entries.every(({ familyId }) => familyId !== maria.id));
    expect(unnamed.map(([path]) => path).toSorted()).toEqual(Object.keys(OF_NO_FAMILY).toSorted());
    for (const [path, read] of Object.entries(OF_NO_FAMILY))
      expect(found.get(path)?.entries.map(({ action }) => action)).toContain(read);
  });
});

describe("for a family, every route", () => {
  test("adds an entry that names the family if it shows a single record", () => {
    const answered = [...foundByFamily].filter(([, { status }]) => status === 200);
    const silent = answered.filter(([, { entries }]) => entries.every(({ familyId }) => familyId !== maria.id));
    const expected = [...FAMILY_LISTS_AND_FORMS, ...SHOWS_NO_RECORD].filter(
      (path) => foundByFamily.get(path)?.status === 200,
    );
    expect(silent.map(([path]) => path).toSorted()).toEqual(expected.toSorted());
    expect(FAMILY_LISTS_AND_FORMS.filter((path) => !expected.includes(path))).toEqual([]);
    expect(answered.map(([path]) => path)).toEqual(expect.arrayContaining(FAMILY_PAGES_OF_A_VISIT));
  });

  test("adds an entry for the first read of a record in each session of the family", async () => {
    const { startSession } = accountsOfSite(testing);
    const document = `/api/documents/${ids.get("documents/:id")}`;
    const visit = `/appointments/${ids.get("appointments/:id")}/booked`;
    const readBy = async (client: TestClient) => {
      const last = await db.auditEntry.findFirstOrThrow({ orderBy: { sequence: "desc" } });
      for (const range of ["bytes=100-199", "bytes=200-"])
        expect((await client.get(document, { range })).status).toBe(206);
      for (const path of [document, visit]) expect((await client.get(path)).status).toBe(200);
      const entries = await db.auditEntry.findMany({ where: { sequence: { gt: last.sequence }, familyId: maria.id } });
      return entries.map(({ action }) => action).toSorted();
    };
    const reads: string[][] = [];
    for (const _ of ["the owner", "a stranger who knows the password"]) {
      const client = visitor();
      client.storeCookies(await startSession(maria.email));
      reads.push(await readBy(client), await readBy(client));
    }
    const first = ["appointment-opened", "document-opened"];
    expect(reads).toEqual([first, [], first, []]);
  });
});
