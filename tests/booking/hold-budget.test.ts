// Proves the daily budget of hold minutes per family, and that a family can still book without a hold.
import { expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import type { Family } from "../support/people.ts";

// One site with its limits on.
Object.assign(environmentOverrides, { RATE_LIMITS: "on" });
const { db, family, setTestClock, testing } = await import("../support/site.ts");

const NOW = new Date("2026-11-20T15:00:00Z");
const MINUTE = 60_000;
const atMinute = (minutes: number) => setTestClock(() => new Date(NOW.getTime() + minutes * MINUTE));

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
async function holdRepeatedly(person: Family, from: number, length: number): Promise<number> {
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

test("a family holds times for at most four hours within 24, however often it discards and chooses again", async () => {
  const person = await family({ intake: true, address: "127.0.31.1" });
  const held = await holdRepeatedly(person, 0, 12 * 60);
  expect(held).toBeGreaterThan(220);
  expect(held).toBeLessThanOrEqual(240);
  atMinute(12 * 60 + 60);
  expect((await choose(person, "2027-01-04T10:00")).headers.location).toBe("/appointments/pay");
  expect(await holdOf(person)).toBeNull();
  expect((await person.get("/appointments/pay")).status).toBe(200);
  expect((await person.form("/appointments/pay", { intent: "in-person" })).headers.location).toMatch(/booked$/);
  expect(await holdRepeatedly(person, 24 * 60 + 1, 12 * 60)).toBeLessThanOrEqual(240);
});

test("choosing another time or discarding at once uses none of the hold budget", async () => {
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

test("concurrent choices and discards by one family cause no server error; the next choice leaves one hold", async () => {
  atMinute(0);
  const person = await family({ address: "127.0.31.3" });
  const responses = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 4 === 3 ? giveUp(person) : choose(person, `2027-02-01T${10 + (index % 7)}:00`),
    ),
  );
  expect(responses.map(({ status }) => status).filter((status) => ![302, 409, 429].includes(status))).toEqual([]);
  await choose(person, "2027-02-01T10:00");
  expect(await db.hold.count({ where: { userId: person.id } })).toBe(1);
  const { minutes } = await db.holdUsage.findUniqueOrThrow({ where: { userId: person.id } });
  expect(minutes).toBe(45);
});

test("renewing an expired hold uses no more of the hold budget", async () => {
  atMinute(0);
  const person = await family({ address: "127.0.31.4" });
  await choose(person, "2027-03-01T10:00");
  atMinute(20);
  await person.form("/appointments/intake-form?step=concerns", { otherConcerns: "The bus", intent: "keep" });
  expect((await holdOf(person))?.expiresAt.getTime()).toBe(NOW.getTime() + 35 * MINUTE);
  expect((await db.holdUsage.findUniqueOrThrow({ where: { userId: person.id } })).minutes).toBe(45);
});

test("an expired hold whose time another family books uses only the 15 minutes that it was held", async () => {
  atMinute(0);
  const [person, other] = [
    await family({ address: "127.0.31.10" }),
    await family({ intake: true, address: "127.0.31.11" }),
  ];
  await choose(person, "2027-04-12T10:00");
  atMinute(20);
  const slot = { appointmentDate: "2027-04-12T14:30:00.000Z", duration: 60, type: "consultation" };
  expect((await other.post("/api/appointments/in-person", { title: "Hourly Consulting", ...slot })).status).toBe(201);
  expect([await holdOf(person), await usedMinutes(person)]).toEqual([null, 15]);
});

test("a save in progress while its expired hold is deleted doesn't create the hold again", async () => {
  await testing.stopJobs();
  atMinute(0);
  const person = await family({ address: "127.0.31.5" });
  await choose(person, "2027-03-08T10:00");
  atMinute(20);
  const id = (await holdOf(person))?.id;
  beforeNextTransaction(db, () => db.hold.deleteMany({ where: { id } }));
  await person.form("/appointments/intake-form?step=concerns", { otherConcerns: "The bus", intent: "keep" });
  expect(await holdOf(person)).toBeNull();
});

const payByRefusedCard = (person: Family, key: string) =>
  person.form("/appointments/pay", { intent: "card", cents: "7500", sourceId: "cnon:card-nonce-declined", key });
const usedMinutes = async ({ id: userId }: Family) => (await db.holdUsage.findUnique({ where: { userId } }))?.minutes;

test("with the hold budget used up, neither a hosted payment page nor a declined card holds the time", async () => {
  atMinute(0);
  const person = await family({ intake: true, address: "127.0.31.6" });
  await db.holdUsage.create({ data: { userId: person.id, since: NOW, minutes: 240 } });
  await choose(person, "2027-03-15T10:00");
  for (const key of ["first", "second", "third"]) {
    expect((await person.form("/appointments/pay", { intent: "hosted" })).status).toBe(302);
    expect((await payByRefusedCard(person, key)).status).toBe(402);
    expect(await holdOf(person)).toBeNull();
    await giveUp(person);
    await choose(person, "2027-03-15T10:00");
  }
  expect(await usedMinutes(person)).toBe(240);
});

test("declined cards use no more of the hold budget than the minutes that the time was held", async () => {
  atMinute(0);
  const person = await family({ intake: true, address: "127.0.31.7" });
  await choose(person, "2027-03-22T10:00");
  expect(await usedMinutes(person)).toBe(45);
  atMinute(5);
  await person.form("/appointments/pay", { intent: "hosted" });
  expect(await usedMinutes(person)).toBe(5);
  for (const [minute, used] of [
    [10, 40],
    [20, 40],
    [30, 40],
  ] as const) {
    atMinute(minute);
    expect((await payByRefusedCard(person, `at ${minute}`)).status).toBe(402);
    expect((await holdOf(person))?.heldSince).toEqual(NOW);
    expect(await usedMinutes(person)).toBe(used);
  }
  await giveUp(person);
  expect(await usedMinutes(person)).toBe(25);
});

test("declining a chosen waiting-list offer uses only the minutes that the time was held", async () => {
  atMinute(0);
  const person = await family({ intake: true, address: "127.0.31.9" });
  await choose(person, "2027-04-05T10:00");
  const { id = 0, appointmentDate = NOW } = (await holdOf(person)) ?? {};
  const entry = await db.waitingListEntry.create({ data: { userId: person.id, day: "2027-04-05", duration: 60 } });
  const offer = await db.waitingListOffer.create({
    data: { entryId: entry.id, appointmentDate, duration: 60, expiresAt: new Date(NOW.getTime() + 120 * MINUTE) },
  });
  await db.hold.update({ where: { id }, data: { offerId: offer.id } });
  atMinute(2);
  await person.form("/appointments/waiting-list", { id: String(offer.id), change: "decline" });
  expect(await holdOf(person)).toBeNull();
  expect(await usedMinutes(person)).toBe(2);
});

test("a card declined after the hold expired holds the time again", async () => {
  atMinute(0);
  const person = await family({ intake: true, address: "127.0.31.8" });
  await choose(person, "2027-03-29T10:00");
  atMinute(50);
  expect((await payByRefusedCard(person, "late")).status).toBe(402);
  expect((await holdOf(person))?.expiresAt.getTime()).toBe(NOW.getTime() + 65 * MINUTE);
});
