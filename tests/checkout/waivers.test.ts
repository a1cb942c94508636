// Proves that a debt that nobody has to pay is waived with a reason, once, by the consultant alone, and can be owed again.
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setNow } from "../support/site.ts";

/** Friday, 10:00 AM in the practice. */
const NOW = new Date("2026-11-20T15:00:30Z");
const REASON = "Leo was in hospital: quillwort.";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setNow(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
});

beforeEach(async () => {
  await db.appointment.deleteMany({ where: { payments: { none: {} } } });
  await db.appointment.updateMany({ data: { status: "cancelled" } });
});

/** A visit of Maria's that nobody has paid, two hours ago. */
function missedVisit(changes: Record<string, unknown> = {}) {
  const appointmentDate = new Date("2026-11-20T13:00:00Z");
  const data = { userId: maria.id, title: "Hourly Consulting", type: "consultation", status: "no-show" };
  const price = { paymentMethod: "in-person", paymentAmountCents: 7500 };
  return db.appointment.create({ data: { ...data, ...price, appointmentDate, ...changes } });
}

const sheet = (id: number) => `/dashboard/appointments/${id}/payment`;
const waive = (id: number, waiveReason = REASON, who = admin) => who.form(sheet(id), { intent: "waive", waiveReason });
const takeBack = (id: number, who = admin) => who.form(sheet(id), { intent: "unwaive" });
const waivedAtOf = async (id: number) => (await db.appointment.findUniqueOrThrow({ where: { id } })).waivedAt;

test("a missed visit that is waived is owed nowhere, and each list and the file say that it is", async () => {
  const { id } = await missedVisit();
  expect((await admin.get("/money")).visibleText).toMatch(/Due now ?\$75/);
  expect((await waive(id)).status).toBe(302);
  const money = (await admin.get("/money")).visibleText;
  expect(money).toMatch(/Due now ?\$0/);
  expect(money).toContain("$75 waived");
  const { text } = await admin.get("/money.csv?period=2026-11");
  expect(text).toContain('"2026-11-20","Waived ($75)","","Maria Alvarez","Hourly Consulting","2026-11-20","",0.00,""');
  expect((await admin.get(sheet(id))).visibleText).toContain(`$75 waived: ${REASON}`);
  expect((await admin.get(`/dashboard/appointments/${id}`)).visibleText).toContain("waived");
  expect((await admin.get(`/families/${maria.id}`)).visibleText).not.toContain("$75 due");
  const theirs = (await maria.get("/appointments")).visibleText;
  expect(theirs).toContain("$75 waived");
  expect(theirs).not.toContain("quillwort");
  expect((await maria.get("/receipts")).visibleText).not.toContain("Hourly Consulting");
  expect((await maria.get(`/invoices/${id}`)).visibleText).toMatch(/Waived ?\$75\.00.*Amount due ?\$0\.00/);
});

test("it stands in the month in which it was waived, not in that of the visit", async () => {
  await missedVisit({ appointmentDate: new Date("2026-10-30T13:00:00Z") }).then(({ id }) => waive(id));
  const monthOf = async (period: string) => (await admin.get(`/money?period=${period}`)).visibleText;
  expect(await monthOf("2026-11")).toContain("$75 waived");
  expect(await monthOf("2026-10")).not.toContain("waived");
  expect((await admin.get("/money.csv?period=2026-11")).text).toContain('"2026-11-20","Waived ($75)"');
  expect((await admin.get("/money.csv?period=2026-10")).text).not.toContain("Waived");
});

test("its reason is encrypted in the database, in no answer of the API, and the log says who waived it", async () => {
  const { id } = await missedVisit();
  await waive(id);
  const rows = await db.$queryRaw<
    { reason: string }[]
  >`SELECT "waiveReason" AS reason FROM "appointments" WHERE "id" = ${id}`;
  expect(rows[0]?.reason).not.toContain("quillwort");
  expect((await admin.get(`/api/appointments/${id}`)).text).not.toMatch(/waive|quillwort|familyJoined/i);
  const entries = () => db.auditEntry.findMany({ where: { objectId: id, action: { contains: "waived" } } });
  expect((await entries()).map(({ action }) => action)).toEqual(["appointment-waived"]);
  await takeBack(id);
  expect((await entries()).map(({ action }) => action)).toEqual(["appointment-waived", "appointment-unwaived"]);
});

test("it can be taken back, once, and is owed again", async () => {
  const { id } = await missedVisit();
  await waive(id);
  expect((await takeBack(id)).status).toBe(302);
  expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toMatchObject({
    waivedAt: null,
    waiveReason: null,
  });
  expect((await admin.get("/money")).visibleText).toMatch(/Due now ?\$75/);
  const again = await takeBack(id);
  expect((await admin.get(again.headers.location ?? "")).visibleText).toContain("This visit is to be paid already.");
});

test("it is waived, and owed again, without any other visit", async () => {
  const [one, other] = [await missedVisit(), await missedVisit({ appointmentDate: new Date("2026-11-20T11:00:00Z") })];
  await waive(one.id);
  expect(await waivedAtOf(other.id)).toBeNull();
  await waive(other.id);
  await takeBack(one.id);
  expect(await waivedAtOf(other.id)).toEqual(NOW);
});

test("of two at the same moment one waives, and a payment is refused as long as nothing is owed", async () => {
  const { id } = await missedVisit();
  const responses = await Promise.all([waive(id), waive(id)]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([302, 409]));
  const paid = await admin.form(sheet(id), { intent: "taken", method: "cash" });
  expect([paid.status, paid.visibleText.includes("nothing is owed for it")]).toEqual([409, true]);
  expect(await db.payment.count({ where: { appointmentId: id } })).toBe(0);
});

test.each([
  ["without a reason", {}, " ", 422],
  ["with a reason of 501 characters", {}, "x".repeat(501), 422],
  ["that is to come", { appointmentDate: new Date("2026-12-07T15:00Z"), status: "scheduled" }, REASON, 409],
  ["that is cancelled", { status: "cancelled" }, REASON, 409],
  ["without a price", { paymentAmountCents: null }, REASON, 409],
])("a visit %s is not waived", async (_, changes, reason, status) => {
  const { id } = await missedVisit(changes);
  expect((await waive(id, reason)).status).toBe(status);
  expect(await waivedAtOf(id)).toBeNull();
});

test("a paid visit is never waived, nor one whose card payment is being settled", async () => {
  const { id } = await missedVisit();
  expect((await admin.form(sheet(id), { intent: "taken", method: "cash" })).status).toBe(302);
  expect((await waive(id)).status).toBe(409);
  expect(await waivedAtOf(id)).toBeNull();
  expect((await admin.get(sheet(id))).document.querySelector("[name=waiveReason]")).toBeNull();

  const settling = await missedVisit({ appointmentDate: new Date("2026-11-20T11:00:00Z") });
  const charge = {
    method: "card",
    key: "settling",
    booking: "{}",
    amountCents: 7500,
    state: "booked",
    leaseEndsAt: new Date("2030-01-01"),
  };
  await db.payment.create({ data: { ...charge, userId: maria.id, appointmentId: settling.id } });
  const refused = await waive(settling.id);
  expect(refused.status).toBe(409);
  expect(refused.visibleText).toContain("still being settled");
  expect(await waivedAtOf(settling.id)).toBeNull();
});

test("no family waives what it owes, or takes that back, and nobody a visit that is not there", async () => {
  const { id } = await missedVisit();
  expect((await waive(id, REASON, maria)).status).toBe(403);
  await waive(id);
  expect((await takeBack(id, maria)).status).toBe(403);
  expect(await waivedAtOf(id)).not.toBeNull();
  expect((await waive(2_000_000_000)).status).toBe(404);
});

test("after a no-show she says on one form that nothing is owed, and why", async () => {
  const { id } = await missedVisit({ status: "scheduled" });
  const form = `/dashboard/appointments/${id}/after`;
  const refused = await admin.form(form, { status: "no-show", paid: "waived" });
  expect([refused.status, refused.visibleText.includes("Say why nothing is owed")]).toEqual([422, true]);
  expect((await admin.form(form, { status: "no-show", paid: "waived", waiveReason: REASON })).status).toBe(302);
  expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toMatchObject({
    status: "no-show",
    waiveReason: REASON,
  });
  expect((await admin.get(form)).visibleText).not.toContain("paid?");
});
