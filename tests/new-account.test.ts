import { afterAll, expect, test } from "vitest";
import { book, database, join, minutesAfter, TEN } from "./support/tables.ts";

const { isNewAccount } = await import("../app/accounts/new-account.server.ts");
const { setNow } = await import("../app/clock.ts");

afterAll(() => setNow(null));

test("a family is new until its first visit has ended, to the millisecond", async () => {
  const { id: userId } = await join();
  setNow(() => minutesAfter(60));
  expect(await isNewAccount(userId)).toBe(true);
  await book(TEN, 60, { userId });
  expect(await isNewAccount(userId)).toBe(false);
  setNow(() => new Date(minutesAfter(60).getTime() - 1));
  expect(await isNewAccount(userId)).toBe(true);
});

test("a visit that was cancelled, missed, or another family's makes no family known", async () => {
  const [{ id: userId }, other] = [await join(), await join()];
  setNow(() => minutesAfter(600));
  await book(TEN, 60, { userId, status: "cancelled" });
  await book(TEN, 60, { userId, status: "no-show" });
  await book(minutesAfter(60), 60, { userId: other.id });
  expect(await isNewAccount(userId)).toBe(true);
});

test.each(["scheduled", "rescheduled", "completed"])(
  "a past visit that is %s does, whatever comes after",
  async (status) => {
    const { id: userId } = await join();
    setNow(() => minutesAfter(61));
    await book(TEN, 60, { userId, status });
    await book(minutesAfter(900), 60, { userId });
    expect(await isNewAccount(userId)).toBe(false);
  },
);

test("inside a transaction it sees what the transaction has written", async () => {
  const { id: userId } = await join();
  setNow(() => minutesAfter(60));
  const isNew = await database.inTransaction(async (transaction) => {
    await transaction.appointment.create({
      data: { title: "Visit", type: "consultation", appointmentDate: TEN, duration: 60, userId },
    });
    return isNewAccount(userId, transaction);
  });
  expect(isNew).toBe(false);
});
