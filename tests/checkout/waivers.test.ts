// Proves that only the consultant can waive an unpaid visit, once and with a reason, and undo the waiver.
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

/** Friday, 10:00 AM in the practice. */
const NOW = new Date("2026-11-20T15:00:30Z");
const REASON = "Leo was in hospital: quillwort.";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
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
const undoWaiver = (id: number, who = admin) => who.form(sheet(id), { intent: "unwaive" });
const waivedAtOf = async (id: number) => (await db.appointment.findUniqueOrThrow({ where: { id } })).waivedAt;

test("a waived visit is no longer due; every list, the CSV and the invoice show the waiver", async () => {
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
  const familyListText = (await maria.get("/appointments")).visibleText;
  expect(familyListText).toContain("$75 waived");
  expect(familyListText).not.toContain("quillwort");
  expect((await maria.get("/receipts")).visibleText).not.toContain("Hourly Consulting");
  expect((await maria.get(`/invoices/${id}`)).visibleText).toMatch(/Waived ?\$75\.00.*Amount due ?\$0\.00/);
});

test("a waiver is reported in the month in which it was made, not in the month of the visit", async () => {
  await missedVisit({ appointmentDate: new Date("2026-10-30T13:00:00Z") }).then(({ id }) => waive(id));
  const monthOf = async (period: string) => (await admin.get(`/money?period=${period}`)).visibleText;
  expect(await monthOf("2026-11")).toContain("$75 waived");
  expect(await monthOf("2026-10")).not.toContain("waived");
  expect((await admin.get("/money.csv?period=2026-11")).text).toContain('"2026-11-20","Waived ($75)"');
  expect((await admin.get("/money.csv?period=2026-10")).text).not.toContain("Waived");
});

test("the waiver's reason is encrypted and not in the API; waiving and undoing create audit log entries", async () => {
  const { id } = await missedVisit();
  await waive(id);
  const rows = await db.$queryRaw<
    { reason: string }[]
  >`SELECT "waiveReason" AS reason FROM "appointments" WHERE "id" = ${id}`;
  expect(rows[0]?.reason).not.toContain("quillwort");
  expect((await admin.get(`/api/appointments/${id}`)).text).not.toMatch(/waive|quillwort|familyJoined/i);
  const entries = () => db.auditEntry.findMany({ where: { objectId: id, action: { contains: "waived" } } });
  expect((await entries()).map(({ action }) => action)).toEqual(["appointment-waived"]);
  await undoWaiver(id);
  expect((await entries()).map(({ action }) => action)).toEqual(["appointment-waived", "appointment-unwaived"]);
  const { id: actorId } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
  expect((await entries()).map((entry) => entry.actorId)).toEqual([actorId, actorId]);
});

test("a waiver can be undone once, and the visit is due again", async () => {
  const { id } = await missedVisit();
  await waive(id);
  expect((await undoWaiver(id)).status).toBe(302);
  expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toMatchObject({
    waivedAt: null,
    waiveReason: null,
  });
  expect((await admin.get("/money")).visibleText).toMatch(/Due now ?\$75/);
  const again = await undoWaiver(id);
  expect((await admin.get(again.headers.location ?? "")).visibleText).toContain("This visit is to be paid already.");
});

test("waiving a visit, or undoing that, does not change another visit", async () => {
  const [one, other] = [await missedVisit(), await missedVisit({ appointmentDate: new Date("2026-11-20T11:00:00Z") })];
  await waive(one.id);
  expect(await waivedAtOf(other.id)).toBeNull();
  await waive(other.id);
  await undoWaiver(one.id);
  expect(await waivedAtOf(other.id)).toEqual(NOW);
});

test("of two concurrent waivers one gets 409, and recording a payment of a waived visit gets 409", async () => {
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
  ["that is upcoming", { appointmentDate: new Date("2026-12-07T15:00Z"), status: "scheduled" }, REASON, 409],
  ["that is cancelled", { status: "cancelled" }, REASON, 409],
  ["without a price", { paymentAmountCents: null }, REASON, 409],
])("waiving a visit %s is rejected", async (_, changes, reason, status) => {
  const { id } = await missedVisit(changes);
  expect((await waive(id, reason)).status).toBe(status);
  expect(await waivedAtOf(id)).toBeNull();
});

test("waiving a visit that is paid, or whose card payment is in progress, gets 409", async () => {
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

test("a family can't waive a visit or undo that (403), and an unknown visit gets 404", async () => {
  const { id } = await missedVisit();
  expect((await waive(id, REASON, maria)).status).toBe(403);
  await waive(id);
  expect((await undoWaiver(id, maria)).status).toBe(403);
  expect(await waivedAtOf(id)).not.toBeNull();
  expect((await waive(2_000_000_000)).status).toBe(404);
});

test("the follow-up form of a no-show can waive the payment, but not without a reason", async () => {
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
