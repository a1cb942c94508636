// Proves canceling by the consultant: the reason shown to the family, the refund, and which visits can't be canceled.
import { beforeAll, expect, test } from "vitest";
import { bookOrFail, nextFreeHour } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family } from "../support/site.ts";

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
});

const pathOf = (id: number) => `/dashboard/appointments/${id}/cancel`;
const rowOf = (id: number) => db.appointment.findUniqueOrThrow({ where: { id } });

test("a family sees that the consultant canceled its visit and why, and another family can book the time", async () => {
  const appointmentDate = nextFreeHour();
  const { id } = await bookOrFail(maria, { appointmentDate, paymentMethod: "in-person" });
  expect((await admin.get(pathOf(id))).visibleText).toContain("Nothing was paid online, so nothing goes back.");
  const response = await admin.form(pathOf(id), { reason: "I am ill today. I am sorry!" });
  expect(response.status).toBe(302);
  expect(await rowOf(id)).toMatchObject({ status: "cancelled", cancelledBy: "practice", calendarSequence: 1 });
  const list = await maria.get("/appointments");
  expect(list.visibleText).toContain("Your consultant canceled this visit: I am ill today. I am sorry!");
  expect((await admin.get(`/dashboard/appointments/${id}`)).visibleText).toContain("By you: I am ill today.");
  await bookOrFail(await family({ intake: true }), { appointmentDate });
});

test("a visit paid online is refunded in full when the consultant cancels it", async () => {
  const appointmentData = {
    title: "Hourly Consulting",
    duration: 60,
    type: "consultation",
    appointmentDate: nextFreeHour(),
  };
  const paid = await maria.post("/api/payments/process", {
    sourceId: "cnon:card-nonce-ok",
    amount: 75,
    appointmentData,
  });
  const { id } = paid.json.appointment;
  expect((await admin.get(pathOf(id))).visibleText).toContain("$75 goes back to the card.");
  expect((await admin.form(pathOf(id), { reason: "The office is closed." })).status).toBe(302);
  expect(await rowOf(id)).toMatchObject({ status: "cancelled", paymentStatus: "refunded" });
});

test("a visit canceled by the family is recorded and shown as such, without a reason", async () => {
  const { id } = await bookOrFail(maria);
  expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
  expect(await rowOf(id)).toMatchObject({ cancelledBy: "family", cancelReason: null });
  expect((await maria.get("/appointments")).visibleText).toContain("You canceled this visit.");
});

test.each([
  ["no reason", ""],
  ["a reason of spaces", "   "],
  ["a reason of 501 characters", "x".repeat(501)],
])("canceling with %s gets 422 and the visit stays scheduled", async (_, reason) => {
  const { id } = await bookOrFail(maria);
  const response = await admin.form(pathOf(id), { reason });
  expect(response.status).toBe(422);
  expect(await rowOf(id)).toMatchObject({ status: "scheduled", cancelledBy: null });
});

test("canceling a canceled, completed, no-show or past visit gets 409, and an unknown visit gets 404", async () => {
  for (const status of ["cancelled", "completed", "no-show"]) {
    const { id } = await bookOrFail(maria);
    await db.appointment.update({ where: { id }, data: { status } });
    expect([status, (await admin.form(pathOf(id), { reason: "No." })).status]).toEqual([status, 409]);
    expect(await rowOf(id)).toMatchObject({ status, cancelReason: null });
  }
  const past = {
    userId: maria.id,
    title: "Long ago",
    type: "consultation",
    appointmentDate: new Date("2020-01-06T15:00Z"),
  };
  const { id } = await db.appointment.create({ data: past });
  expect((await admin.form(pathOf(id), { reason: "No." })).status).toBe(409);
  expect((await admin.form(pathOf(99_999_999), { reason: "No." })).status).toBe(404);
});

test("the appointments API has no cancelReason or cancelledBy field after the consultant canceled a visit", async () => {
  const { id } = await bookOrFail(maria);
  await admin.form(pathOf(id), { reason: "For the practice's own pages." });
  const { json } = await maria.get("/api/appointments");
  expect(Object.keys(json[0])).not.toContain("cancelReason");
  expect(Object.keys(json[0])).not.toContain("cancelledBy");
});

test("the consultant's reason for canceling is encrypted in the database", async () => {
  const { id } = await bookOrFail(maria);
  await admin.form(pathOf(id), { reason: "A word that nobody else writes: quillwort." });
  const [row] = await db.$queryRaw<
    { cancelReason: string }[]
  >`SELECT "cancelReason" FROM "appointments" WHERE "id" = ${id}`;
  expect(row?.cancelReason).not.toContain("quillwort");
});
