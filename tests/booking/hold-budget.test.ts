// Proves that a family can't have times held for longer than its budget of a day, and still books without a hold.
import { expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { Family } from "../support/people.ts";

// One site with its limits on.
Object.assign(environmentOverrides, { RATE_LIMITS: "on" });
const { db, family, setNow } = await import("../support/site.ts");

const NOW = new Date("2026-11-20T15:00:00Z");
const MINUTE = 60_000;
const atMinute = (minutes: number) => setNow(() => new Date(NOW.getTime() + minutes * MINUTE));

const choose = (person: Family, appointmentDate: string) =>
  person.form("/appointments/new", {
    title: "Hourly Consulting",
    appointmentDate,
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
  });
const giveUp = (person: Family) => person.form("/appointments/new", { intent: "discard" });
const holdOf = (person: Family) => db.hold.findFirst({ where: { userId: person.id } });

/** For how many of the `length` minutes from `from` on a time was held, of somebody who takes it again all the time. */
async function squat(person: Family, from: number, length: number): Promise<number> {
  let heldMinutes = 0;
  for (let minute = from; minute < from + length; minute += 14) {
    atMinute(minute);
    if ((minute - from) % 42 === 0) await giveUp(person);
    await choose(person, (minute - from) % 84 < 42 ? "2027-01-04T10:00" : "2027-01-04T13:00");
    const hold = await holdOf(person);
    if (hold) heldMinutes += Math.min(14, (hold.expiresAt.getTime() - NOW.getTime()) / MINUTE - minute);
  }
  return heldMinutes;
}

test("times are held for four hours within 24, however often they are given up and chosen again", async () => {
  const person = await family({ intake: true, address: "127.0.31.1" });
  const held = await squat(person, 0, 12 * 60);
  expect(held).toBeGreaterThan(220);
  expect(held).toBeLessThanOrEqual(240);
  atMinute(12 * 60 + 60);
  expect((await choose(person, "2027-01-04T10:00")).headers.location).toBe("/appointments/pay");
  expect(await holdOf(person)).toBeNull();
  expect((await person.get("/appointments/pay")).status).toBe(200);
  expect((await person.form("/appointments/pay", { intent: "in-person" })).headers.location).toMatch(/booked$/);
  expect(await squat(person, 24 * 60 + 1, 12 * 60)).toBeLessThanOrEqual(240);
});

test("a change of mind costs nothing of them", async () => {
  atMinute(0);
  const person = await family({ address: "127.0.31.2" });
  for (let hour = 10; hour < 17; hour += 1) await choose(person, `2027-01-11T${hour}:00`);
  for (let hour = 10; hour < 17; hour += 1) {
    await choose(person, `2027-01-18T${hour}:00`);
    await giveUp(person);
  }
  await choose(person, "2027-01-25T10:00");
  expect((await holdOf(person))?.expiresAt.getTime()).toBe(NOW.getTime() + 15 * MINUTE);
});

test("what many tabs of one family choose and give up at once leaves one hold, and is no failure of ours", async () => {
  atMinute(0);
  const person = await family({ address: "127.0.31.3" });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 4 === 3 ? giveUp(person) : choose(person, `2027-02-01T${10 + (index % 7)}:00`),
    ),
  );
  expect(answers.map(({ status }) => status).filter((status) => ![302, 409, 429].includes(status))).toEqual([]);
  await choose(person, "2027-02-01T10:00");
  expect(await db.hold.count({ where: { userId: person.id } })).toBe(1);
  const { minutes } = await db.holdUsage.findUniqueOrThrow({ where: { userId: person.id } });
  expect(minutes).toBe(45);
});

test("a hold that is taken again after it lapsed costs no more of them", async () => {
  atMinute(0);
  const person = await family({ address: "127.0.31.4" });
  await choose(person, "2027-03-01T10:00");
  atMinute(20);
  await person.form("/appointments/intake-form?step=concerns", { otherConcerns: "The bus", intent: "keep" });
  expect((await holdOf(person))?.expiresAt.getTime()).toBe(NOW.getTime() + 35 * MINUTE);
  expect((await db.holdUsage.findUniqueOrThrow({ where: { userId: person.id } })).minutes).toBe(45);
});
