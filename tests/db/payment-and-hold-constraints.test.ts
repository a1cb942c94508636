// Proves that the database itself protects held times, and the integrity of payments and refunds.
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { isOverlapViolation } from "../../app/db/database-errors.server.ts";
import {
  SLOT_START,
  createAppointment,
  createUser,
  db,
  minutesAfterStart,
  rejectionReasons,
} from "../support/database/database-fixture.ts";

type PaymentFields = Parameters<typeof db.payment.create>[0]["data"];
type RefundFields = Partial<Parameters<typeof db.refund.create>[0]["data"]>;

// Payments can't be deleted, so each test has its own.
const createPayment = (fields: Partial<PaymentFields> = {}) =>
  db.payment.create({
    data: {
      method: "card",
      key: randomUUID(),
      booking: "{}",
      amountCents: 7500,
      state: "started",
      leaseEndsAt: SLOT_START,
      ...fields,
    },
  });

async function createRefund(fields: RefundFields = {}) {
  const { id: paymentId } = await createPayment({ state: "paid" });
  const refund = { key: randomUUID(), amountCents: 7500, reason: "cancelled", state: "asked", leaseEndsAt: SLOT_START };
  return db.refund.create({ data: { paymentId, ...refund, ...fields } as never });
}

async function createHold(minutes: number, duration = 60) {
  const { id: userId } = await createUser();
  const { id: paymentId } = await createPayment();
  const appointmentDate = minutesAfterStart(minutes);
  return db.hold.create({ data: { userId, paymentId, appointmentDate, duration, expiresAt: SLOT_START } });
}

/** The database's own words, which Prisma translates. */
async function refusalOf(change: Promise<unknown>): Promise<string> {
  const [error] = rejectionReasons(await Promise.allSettled([change]));
  type Refusal = { meta?: { driverAdapterError?: { cause?: { originalMessage?: string } } } };
  return (error as Refusal | undefined)?.meta?.driverAdapterError?.cause?.originalMessage ?? String(error);
}

afterEach(() => db.hold.deleteMany());

const OVERLAPS: [string, number, number][] = [
  ["at the same time", 0, 60],
  ["from the last minute on", 59, 60],
  ["into the first minute", -14, 15],
  ["inside", 15, 15],
  ["around", -60, 240],
];

describe("a hold on a time during a payment", () => {
  test.each(OVERLAPS)("blocks another hold or appointment: %s", async (_, minutes, duration) => {
    await createHold(0);
    await expect(createHold(minutes, duration)).rejects.toSatisfy(isOverlapViolation);
    await expect(createAppointment(minutesAfterStart(minutes), duration)).rejects.toSatisfy(isOverlapViolation);
    expect([await db.hold.count(), await db.appointment.count()]).toEqual([1, 0]);
  });

  test.each(OVERLAPS)("can't overlap an appointment: %s", async (_, minutes, duration) => {
    await createAppointment(SLOT_START);
    await expect(createHold(minutes, duration)).rejects.toSatisfy(isOverlapViolation);
    expect(await db.hold.count()).toBe(0);
  });

  test("can be adjacent to a hold or an appointment, and overlap a canceled appointment", async () => {
    await createAppointment(SLOT_START, 60, { status: "cancelled" });
    await createAppointment(minutesAfterStart(60));
    await createAppointment(minutesAfterStart(-180));
    await createHold(0);
    await createHold(-60);
    await createHold(-120);
    await createAppointment(SLOT_START, 60, { status: "cancelled" });
    expect(await db.hold.count()).toBe(3);
  });

  test("can't be moved or extended into a hold or an appointment; other changes are allowed", async () => {
    const { id } = await createHold(0);
    await createHold(60);
    await createAppointment(minutesAfterStart(-60));
    const change = (data: { duration?: number; appointmentDate?: Date }) => db.hold.update({ where: { id }, data });
    await expect(change({ duration: 61 })).rejects.toSatisfy(isOverlapViolation);
    await expect(change({ appointmentDate: minutesAfterStart(1) })).rejects.toSatisfy(isOverlapViolation);
    await expect(change({ appointmentDate: minutesAfterStart(-1) })).rejects.toSatisfy(isOverlapViolation);
    await change({ duration: 45, appointmentDate: minutesAfterStart(15) });
    await change({ duration: 60, appointmentDate: SLOT_START });
  });

  test("can't be overlapped by moving, extending or un-canceling an appointment", async () => {
    await createHold(0);
    const { id } = await createAppointment(minutesAfterStart(-60));
    const canceled = await createAppointment(SLOT_START, 60, { status: "cancelled" });
    const change = (data: { duration?: number; appointmentDate?: Date; status?: string }, which = id) =>
      db.appointment.update({ where: { id: which }, data });
    await expect(change({ duration: 61 })).rejects.toSatisfy(isOverlapViolation);
    await expect(change({ appointmentDate: minutesAfterStart(59) })).rejects.toSatisfy(isOverlapViolation);
    await expect(change({ status: "scheduled" }, canceled.id)).rejects.toSatisfy(isOverlapViolation);
    await change({ appointmentDate: minutesAfterStart(60) });
    await change({ duration: 75 }, canceled.id);
  });

  test.each([
    ["14 minutes", SLOT_START, 14, /holds_duration_range/],
    ["241 minutes", SLOT_START, 241, /holds_duration_range/],
    ["a start with seconds", new Date("2027-03-01T15:00:01Z"), 60, /holds_whole_minutes/],
  ])("can't be changed to an invalid time or duration: %s", async (_, appointmentDate, duration, reason) => {
    const { id } = await createHold(0);
    const changed = db.hold.update({ where: { id }, data: { appointmentDate, duration } });
    await expect(changed).rejects.toThrow(reason);
  });
});

describe("payments and refunds", () => {
  test.each<[string, Partial<PaymentFields>, RegExp]>([
    ["an amount of zero", { amountCents: 0 }, /payments_amount/],
    ["a negative amount", { amountCents: -7500 }, /payments_amount/],
    ["more refunded than paid", { refundedCents: 7501 }, /payments_amount/],
    ["a negative refunded amount", { refundedCents: -1 }, /payments_amount/],
    ["an unknown state", { state: "PAID" }, /payments_state_known/],
    ["an unknown method", { method: "barter" }, /payments_method_known/],
  ])("a payment with %s is rejected", async (_, fields, reason) => {
    await expect(createPayment(fields)).rejects.toThrow(reason);
  });

  test.each<[string, RefundFields, RegExp]>([
    ["an amount of zero", { amountCents: 0 }, /refunds_amount/],
    ["an unknown state", { state: "DONE" }, /refunds_state_known/],
  ])("a refund with %s is rejected", async (_, fields, reason) => {
    await expect(createRefund(fields)).rejects.toThrow(reason);
  });

  test("have unique keys, order ids and provider ids", async () => {
    const own = { key: randomUUID(), orderId: randomUUID(), providerPaymentId: randomUUID() };
    await createPayment(own);
    for (const [name, value] of Object.entries(own))
      await expect(createPayment({ [name]: value })).rejects.toThrow(/unique/i);
    const refund = { key: randomUUID(), providerRefundId: randomUUID() };
    await createRefund(refund);
    for (const [name, value] of Object.entries(refund))
      await expect(createRefund({ [name]: value })).rejects.toThrow(/unique/i);
  });

  test("can't be deleted or get another key, amount or transition; their state can change", async () => {
    const { id, paymentId } = await createRefund();
    const step = await db.paymentTransition.create({ data: { paymentId, state: "paid", at: SLOT_START } });
    const alone = await createPayment();
    expect(await refusalOf(db.payment.delete({ where: { id: alone.id } }))).toContain("payments_stay");
    expect(await refusalOf(db.refund.delete({ where: { id } }))).toContain("refunds_stay");
    expect(await refusalOf(db.paymentTransition.delete({ where: { id: step.id } }))).toContain("payment_steps_stay");
    const changedStep = db.paymentTransition.update({ where: { id: step.id }, data: { state: "voided" } });
    expect(await refusalOf(changedStep)).toMatch(/payment_steps_(stay|unchanged)/);
    for (const data of [{ amountCents: 7499 }, { key: randomUUID() }]) {
      const changes = [db.payment.update({ where: { id: alone.id }, data }), db.refund.update({ where: { id }, data })];
      for (const change of changes) expect(await refusalOf(change)).toMatch(/^(payments|refunds)_/);
    }
    const { key, amountCents } = alone;
    await db.payment.update({ where: { id: alone.id }, data: { key, amountCents, state: "authorized" } });
    await db.refund.update({ where: { id }, data: { amountCents: 7500, state: "done" } });
  });
});
