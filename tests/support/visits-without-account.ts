import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { PrismaClient } from "../../prisma/sqlite/client/client.ts";
import { bookingBody } from "./bookings.ts";
import type { TestClient } from "./http-client.ts";
import type { Family } from "./people.ts";

type Site = { db: PrismaClient; visitor: () => TestClient };

export type Word = (name: string) => string;

type Writer = { email: string; write: Word; word: Word };

/**
 * A visit that was scheduled from a request of somebody who was signed out, paid in cash with a note, refunded in part
 * and canceled: it and its payment have no account, and no later confirmation of the address brings them one.
 */
export async function createPaidVisitWithoutAccount({ db, visitor }: Site, admin: TestClient, by: Writer) {
  const name = { firstName: by.write("unownedfirst"), lastName: by.write("unownedlast") };
  const request = { ...name, email: by.email, serviceNeeds: by.write("unownedneeds"), urgency: "routine" };
  const asked = await expectStatus(visitor().post("/api/consultation-requests", { ...request, consent: true }), 201);
  const plan = bookingBody({ title: "Hourly Consulting", notes: by.write("unownedplan") });
  const fields = { ...plan, consultationRequestId: asked.json.id };
  const made = await expectStatus(admin.post("/api/appointments/from-consultation", fields), 201);
  const { id } = made.json;
  const page = `/dashboard/appointments/${id}/payment`;
  await expectStatus(admin.form(page, { intent: "taken", method: "cash", note: by.word("unownednote") }), 302);
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
  const refund = { paymentId: String(payment.id), amount: "5", reason: by.word("unownedreason"), key: randomUUID() };
  await expectStatus(admin.form(page, { intent: "refund", ...refund }), 302);
  await expectStatus(admin.form(`/dashboard/appointments/${id}/cancel`, { reason: by.write("unownedcancel") }), 302);
  const visit = await db.appointment.findUniqueOrThrow({ where: { id } });
  expect([visit.userId, visit.status, payment.userId]).toEqual([null, "cancelled", null]);
  expect(payment.booking).toContain(by.word("unownedfirst"));
  return payment.id;
}

/** The payment of such a visit, paid in cash with a note, whose visit the consultant deleted: it has neither any more. */
export async function createDeletedVisitWithoutAccount({ db, visitor }: Site, admin: TestClient, by: Writer) {
  const name = { firstName: by.write("orphanfirst"), lastName: "Lee" };
  const request = { ...name, email: by.email, serviceNeeds: by.write("orphanneeds"), urgency: "routine" };
  const asked = await expectStatus(visitor().post("/api/consultation-requests", { ...request, consent: true }), 201);
  const fields = { ...bookingBody({ title: "Hourly Consulting" }), consultationRequestId: asked.json.id };
  const { json } = await expectStatus(admin.post("/api/appointments/from-consultation", fields), 201);
  const page = `/dashboard/appointments/${json.id}/payment`;
  await expectStatus(admin.form(page, { intent: "taken", method: "cash", note: by.word("orphannote") }), 302);
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: json.id } });
  await expectStatus(admin.delete(`/api/appointments/${json.id}`), 200);
  const row = await db.payment.findUniqueOrThrow({ where: { id: payment.id } });
  expect([row.userId, row.appointmentId, row.booking]).toEqual([null, null, expect.stringContaining(name.firstName)]);
}

/** A visit that was scheduled from a request with another address, to which its link was mailed, and that the family added. */
export async function createClaimedVisitOfOtherAddress(
  { db, visitor }: Site,
  admin: TestClient,
  { family, write, word }: { family: Family; write: Word; word: Word },
) {
  const email = `${write("other")}@example.com`;
  const request = { firstName: write("otherfirst"), lastName: "Lee", email, serviceNeeds: "IEP", urgency: "routine" };
  const asked = await expectStatus(visitor().post("/api/consultation-requests", { ...request, consent: true }), 201);
  const fields = { ...bookingBody(), consultationRequestId: asked.json.id };
  const { json } = await expectStatus(admin.post("/api/appointments/from-consultation", fields), 201);
  const invited = { firstName: word("otherfirst"), lastName: "Lee", email, appointmentId: String(json.id) };
  await expectStatus(admin.form("/families/invitations", invited), 302);
  const { secretPath } = await db.message.findFirstOrThrow({ where: { event: "invitation", appointmentId: json.id } });
  await expectStatus(family.form(String(secretPath).replace("/invitation/", "/claim-visit/"), {}), 302);
  const mails = await db.message.findMany({ where: { userId: null }, select: { event: true, address: true } });
  const events = mails.filter(({ address }) => address === email).map(({ event }) => event);
  expect(events.toSorted()).toEqual(["invitation", "request-received"]);
}

/** The answer, which has this status: else the test fails with what it says. */
export async function expectStatus(answer: ReturnType<TestClient["post"]>, status: number) {
  const { status: actual, text } = await answer;
  expect([actual, text]).toEqual([status, expect.any(String)]);
  return answer;
}
