// Proves when a family's account stops being a new one.
import { afterAll, expect, test } from "vitest";
import {
  createAppointment,
  database,
  createUser,
  minutesAfterStart,
  SLOT_START,
} from "../support/database/database-fixture.ts";

const { isNewAccount } = await import("../../app/accounts/new-account.server.ts");
const { setTestClock } = await import("../../app/clock.ts");

afterAll(() => setTestClock(null));

let quarters = 0;

/** A paid visit of 15 minutes on a time of its own before SLOT_START. */
function createPaid(fields: { userId: number; status: string; paymentStatus?: string }) {
  const appointmentDate = minutesAfterStart(-15 * (quarters += 1));
  return database.db.appointment.create({
    data: { title: "Visit", type: "consultation", appointmentDate, duration: 15, paymentStatus: "paid", ...fields },
  });
}

test("a family is new until its first visit has ended, to the millisecond", async () => {
  const { id: userId } = await createUser();
  setTestClock(() => minutesAfterStart(60));
  expect(await isNewAccount(userId)).toBe(true);
  await createAppointment(SLOT_START, 60, { userId, status: "completed" });
  expect(await isNewAccount(userId)).toBe(false);
  setTestClock(() => new Date(minutesAfterStart(60).getTime() - 1));
  expect(await isNewAccount(userId)).toBe(true);
});

test("a family whose first visit has ended stays known while the next one is under way", async () => {
  const { id: userId } = await createUser();
  setTestClock(() => minutesAfterStart(90));
  await createAppointment(minutesAfterStart(60), 60, { userId, status: "completed" });
  expect(await isNewAccount(userId)).toBe(true);
  await createAppointment(SLOT_START, 60, { userId, status: "completed" });
  expect(await isNewAccount(userId)).toBe(false);
});

test("a canceled visit, a missed visit, or another family's visit doesn't make a family known", async () => {
  const [{ id: userId }, other] = [await createUser(), await createUser()];
  setTestClock(() => minutesAfterStart(600));
  await createAppointment(SLOT_START, 60, { userId, status: "cancelled" });
  await createAppointment(SLOT_START, 60, { userId, status: "no-show" });
  await createPaid({ userId, status: "cancelled" });
  await createPaid({ userId, status: "no-show" });
  await createAppointment(minutesAfterStart(60), 60, { userId: other.id, status: "completed" });
  expect(await isNewAccount(userId)).toBe(true);
});

test.each(["scheduled", "rescheduled"])(
  "a past visit that is %s makes a family known once it is paid",
  async (status) => {
    const { id: userId } = await createUser();
    setTestClock(() => minutesAfterStart(61));
    await createPaid({ userId, status, paymentStatus: "pending" });
    await createPaid({ userId, status, paymentStatus: "failed" });
    await createPaid({ userId, status, paymentStatus: "refunded" });
    expect(await isNewAccount(userId)).toBe(true);
    await createPaid({ userId, status });
    expect(await isNewAccount(userId)).toBe(false);
  },
);

test("a completed visit makes a family known, even with a later visit scheduled", async () => {
  const { id: userId } = await createUser();
  setTestClock(() => minutesAfterStart(61));
  await createAppointment(SLOT_START, 60, { userId, status: "completed" });
  await createAppointment(minutesAfterStart(900), 60, { userId });
  expect(await isNewAccount(userId)).toBe(false);
});

test("isNewAccount in a transaction sees that transaction's own writes", async () => {
  const { id: userId } = await createUser();
  setTestClock(() => minutesAfterStart(60));
  const isNew = await database.inTransaction(async (transaction) => {
    await transaction.appointment.create({
      data: {
        title: "Visit",
        type: "consultation",
        appointmentDate: SLOT_START,
        duration: 60,
        userId,
        status: "completed",
      },
    });
    return isNewAccount(userId, transaction);
  });
  expect(isNew).toBe(false);
});
