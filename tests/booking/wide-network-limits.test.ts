// Proves the booking limits that the new accounts in one IPv6 /48 share, however many of its networks they use.
import { beforeAll, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { TEST_NOW } from "../support/bookings.ts";
import type { Family } from "../support/people.ts";

Object.assign(environmentOverrides, { RATE_LIMITS: "on" });
const { db, family, setTestClock, testing } = await import("../support/site.ts");

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
let addresses = 0;
let weeks = 0;

beforeAll(() => setTestClock(() => TEST_NOW));

/** A network of its own; a loopback address can't be of a /48. */
const nextAddress = () => `127.0.33.${(addresses += 1)}`;
const newFamily = (address = nextAddress()) => family({ intake: true, address });

/** The hours of a Saturday and of its Sunday, in a week that nobody else was given. */
function nextWeekend() {
  const saturday = Date.parse("2026-12-05T05:00Z") + (weeks += 1) * WEEK_MS;
  const at = (day: number) => (hour: number) => new Date(saturday + (24 * day + hour) * HOUR_MS).toISOString();
  return { saturday: at(0), sunday: at(1) };
}

async function book(client: Family, appointmentDate: string, duration = 60): Promise<[status: number, words?: string]> {
  const visit = { title: "Hourly Consulting", type: "consultation", appointmentDate, duration };
  const response = await client.post("/api/appointments/in-person", visit);
  return response.status === 201 ? [201] : [response.status, response.json.message as string];
}

async function startPayment(client: Family, slot: string): Promise<[status: number, words: string]> {
  const typed = { title: "Hourly Consulting", slot, duration: "60", type: "consultation", paymentMethod: "online" };
  await client.form("/appointments/new", typed);
  const response = await client.form("/appointments/pay", { intent: "hosted" });
  return [response.status, response.status === 302 ? "" : response.visibleText];
}

const TOO_MANY_VISITS = [429, expect.stringContaining("Too many unpaid visits were booked from your network.")];
const TOO_MANY_PAYMENTS = [429, expect.stringContaining("Too many payments are under way from your network.")];

/** As if what these people have were of the /48 in which the first of them is. */
async function moveIntoOneWideNetwork([first, ...others]: Family[]): Promise<void> {
  const userId = { in: others.map(({ id }) => id) };
  const own = { where: { userId: first!.id } };
  const visit = await db.appointment.findFirst(own);
  if (visit) await db.appointment.updateMany({ where: { userId }, data: { wideNetwork: visit.wideNetwork } });
  const hold = await db.hold.findFirst(own);
  if (hold) await db.hold.updateMany({ where: { userId }, data: { wideNetwork: hold.wideNetwork } });
}

test("new accounts in one /48 can have 12 unpaid upcoming visits, and another one once one is canceled", async () => {
  const address = nextAddress();
  const first = await newFamily(address);
  const weekends = [nextWeekend(), nextWeekend(), nextWeekend()];
  const starts = weekends.flatMap(({ saturday }) => [9, 10, 11, 12].map(saturday));
  expect(await book(first, starts.pop()!)).toEqual([201]);
  const others: Family[] = [];
  for (let count = 0; count < 5; count += 1) {
    others.push(await newFamily());
    for (let visit = 0; visit < 2; visit += 1) expect(await book(others.at(-1)!, starts.pop()!)).toEqual([201]);
  }
  await moveIntoOneWideNetwork([first, ...others]);
  const last = await newFamily(address);
  expect(await book(last, starts.pop()!)).toEqual([201]);
  const more = nextWeekend();
  expect(await book(last, more.saturday(9))).toEqual(TOO_MANY_VISITS);
  expect(await book(await newFamily(), more.saturday(9))).toEqual([201]);
  const { id } = await db.appointment.findFirstOrThrow({ where: { userId: others[0]!.id } });
  expect((await others[0]!.delete(`/api/appointments/${id}`)).status).toBe(200);
  expect(await book(last, more.saturday(10))).toEqual([201]);
});

test("new accounts in one /48 can book 720 unpaid minutes in a week; 15 more get 429, but not in another week", async () => {
  const address = nextAddress();
  const week = nextWeekend();
  const people = [await newFamily(address)];
  for (let count = 0; count < 4; count += 1) people.push(await newFamily());
  const starts = [9, 11, 13].flatMap((hour) => [week.saturday(hour), week.sunday(hour)]);
  for (const each of people) expect(await book(each, starts.pop()!, 120)).toEqual([201]);
  await moveIntoOneWideNetwork(people);
  expect(await book(await newFamily(address), starts.pop()!, 120)).toEqual([201]);
  const next = await newFamily(address);
  expect(await book(next, week.saturday(15), 15)).toEqual(TOO_MANY_VISITS);
  expect(await book(next, nextWeekend().saturday(15), 15)).toEqual([201]);
});

test("new accounts in one /48 can have eight hosted payments in progress; a ninth gets 429", async () => {
  const address = nextAddress();
  const week = nextWeekend();
  const first = await newFamily(address);
  const starts = [9, 10, 11, 12, 13].flatMap((hour) => [week.saturday(hour), week.sunday(hour)]);
  expect(await startPayment(first, starts.pop()!)).toEqual([302, ""]);
  const others = [await newFamily(), await newFamily(), await newFamily()];
  for (const each of others)
    for (let count = 0; count < 2; count += 1) expect(await startPayment(each, starts.pop()!)).toEqual([302, ""]);
  await moveIntoOneWideNetwork([first, ...others]);
  expect(await startPayment(first, starts.pop()!)).toEqual([302, ""]);
  const next = await newFamily(address);
  const start = starts.pop()!;
  expect(await startPayment(next, start)).toEqual(TOO_MANY_PAYMENTS);
  expect(await startPayment(await newFamily(), start)).toEqual([302, ""]);
});

test("visits that the consultant canceled don't count toward a family's limit of cancellations; its own do", async () => {
  const { saturday, sunday } = nextWeekend();
  const canceled = (userId: number, cancelledBy: string) => {
    const visit = { userId, title: "Hourly Consulting", type: "consultation", appointmentDate: sunday(9) };
    const row = { ...visit, status: "cancelled", cancelledBy, updatedAt: TEST_NOW };
    return db.appointment.createMany({ data: Array.from({ length: 20 }, () => row) });
  };
  const [maria, devon] = [await newFamily(), await newFamily()];
  await canceled(maria.id, "practice");
  await canceled(devon.id, "family");
  expect(await book(maria, saturday(9))).toEqual([201]);
  expect(await book(devon, saturday(10))).toEqual([429, expect.stringContaining("You have canceled 20 visits")]);
});

test("an unpaid visit's networks are deleted once it has begun, and those of a later visit are kept", async () => {
  const { saturday, sunday } = nextWeekend();
  const maria = await newFamily();
  for (const start of [saturday(9), sunday(9)]) expect(await book(maria, start)).toEqual([201]);
  // As if booked shortly before: a visit that nobody has changed for 30 days has no networks for that reason alone.
  await db.appointment.updateMany({ where: { userId: maria.id }, data: { updatedAt: new Date(saturday(8)) } });
  setTestClock(() => new Date(Date.parse(saturday(9)) + 60_000));
  await testing.deleteExpiredRows();
  setTestClock(() => TEST_NOW);
  const visits = await db.appointment.findMany({ where: { userId: maria.id }, orderBy: { appointmentDate: "asc" } });
  const hashes = [expect.any(String), expect.any(String)];
  expect(visits.map(({ network, wideNetwork }) => [network, wideNetwork])).toEqual([[null, null], hashes]);
});
