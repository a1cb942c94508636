// Proves the booking limits of new accounts, of established families, and after many cancellations.
import { beforeAll, describe, expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestResponse, TestClient } from "../support/http-client.ts";
import { addPastVisit } from "../support/past-visit.ts";
import type { Family } from "../support/people.ts";
import { TEST_NOW, openHours, sortedStatuses } from "../support/bookings.ts";

// One site with its limits on.
Object.assign(environmentOverrides, { RATE_LIMITS: "on" });
const site = await import("../support/site.ts");
const { db, setTestClock } = site;

const WEEK_MS = 7 * 86_400_000;
const PHONE = "(732) 555-0142";

let admin: TestClient;
let families = 0;
let weeks = 0;

beforeAll(async () => {
  setTestClock(() => TEST_NOW);
  admin = await site.consultant();
});

/** A family that has just registered, at a network address of its own. */
function newFamily(): Promise<Family> {
  families += 1;
  return site.family({ intake: true, address: `127.0.30.${families}` });
}

/** The days of a week that nobody else was given, with its hours in the practice's zone, EST. */
function nextWeek() {
  const monday = Date.parse("2026-11-30T05:00Z") + weeks * WEEK_MS;
  weeks += 2;
  const at = (day: number, hour: number) => new Date(monday + (day * 24 + hour) * 3_600_000).toISOString();
  return {
    monday: (hour: number) => at(0, hour),
    saturday: (hour: number) => at(5, hour),
    sunday: (hour: number) => at(6, hour),
    mondayAfter: (hour: number) => at(7, hour),
  };
}

const bookingFields = (appointmentDate: string, duration = 60, type = "consultation") => ({
  title: "Hourly Consulting",
  appointmentDate,
  duration,
  type,
});
const book = (family: TestClient, ...fields: Parameters<typeof bookingFields>) =>
  family.post("/api/appointments/in-person", bookingFields(...fields));
const pay = (family: TestClient, ...fields: Parameters<typeof bookingFields>) =>
  family.post("/api/payments/process", {
    sourceId: "cnon:card-nonce-ok",
    amount: 75,
    appointmentData: bookingFields(...fields),
  });

function expectRefused(response: TestResponse, reason: string) {
  expect([response.status, response.json.message]).toEqual([429, expect.stringContaining(reason)]);
  expect(response.json.message).toContain(`Please call us at ${PHONE}.`);
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
}

describe("a family whose first visit has not taken place", () => {
  test("can have two unpaid upcoming visits; a third gets 429 until it cancels one or its first visit took place", async () => {
    const [maria, week] = [await newFamily(), nextWeek()];
    for (const hour of [9, 10]) expect((await book(maria, week.saturday(hour))).status).toBe(201);
    const before = await db.appointment.count();
    for (const path of ["/api/appointments", "/api/appointments/in-person"])
      expectRefused(await maria.post(path, bookingFields(week.saturday(11))), "2 upcoming visits that aren't paid yet");
    const typed = { title: "Hourly Consulting", slot: week.saturday(11), duration: "60", type: "consultation" };
    const page = await maria.form("/appointments/new", { ...typed, paymentMethod: "in-person" });
    expect([page.status, page.visibleText]).toEqual([
      429,
      expect.stringContaining("2 upcoming visits that aren't paid yet"),
    ]);
    expect(await db.appointment.count()).toBe(before);
    expect((await pay(maria, week.saturday(11))).status).toBe(200);
    const [first] = (await maria.get("/api/appointments")).json as { id: number }[];
    expect((await maria.delete(`/api/appointments/${first!.id}`)).status).toBe(200);
    expect((await book(maria, week.saturday(12))).status).toBe(201);
    expect((await book(maria, week.saturday(13))).status).toBe(429);
    await addPastVisit(db, maria, TEST_NOW);
    expect((await book(maria, week.saturday(13))).status).toBe(201);
  });

  test("can book 480 minutes, paid or unpaid, in a week from Monday to Sunday; more gets 429", async () => {
    const [maria, week] = [await newFamily(), nextWeek()];
    expect((await pay(maria, week.monday(9), 240)).status).toBe(200);
    expect((await pay(maria, week.saturday(9), 225)).status).toBe(200);
    expectRefused(await pay(maria, week.sunday(9), 16), "8 hours a week");
    expectRefused(await book(maria, week.sunday(9), 16), "8 hours a week");
    expect((await book(maria, week.sunday(9), 15)).status).toBe(201);
    expectRefused(await pay(maria, week.sunday(10), 15), "8 hours a week");
    expectRefused(await book(maria, week.sunday(23.75), 15, "emergency"), "8 hours a week");
    expect((await book(maria, week.mondayAfter(0), 240, "emergency")).status).toBe(201);
    expect(await db.payment.count({ where: { userId: maria.id } })).toBe(2);
    expect(await db.hold.count({ where: { userId: maria.id } })).toBe(0);
  });

  test("can book one emergency per day in the practice's time zone; a second gets 429", async () => {
    const [maria, week] = [await newFamily(), nextWeek()];
    expect((await book(maria, week.saturday(0), 60, "emergency")).status).toBe(201);
    expectRefused(await book(maria, week.saturday(23), 60, "emergency"), "one emergency session a day");
    expectRefused(await pay(maria, week.saturday(23), 60, "emergency"), "one emergency session a day");
    expect((await book(maria, week.sunday(0), 60, "emergency")).status).toBe(201);
    expect((await pay(maria, week.saturday(10))).status).toBe(200);
  });

  test("can have two hosted payments in progress, and their held times count toward the weekly limit", async () => {
    const [maria, week] = [await newFamily(), nextWeek()];
    const open = async (slot: string, duration = "240", type = "consultation") => {
      const typed = { title: "Hourly Consulting", slot, duration, type, paymentMethod: "online" };
      await maria.form("/appointments/new", typed);
      return maria.form("/appointments/pay", { intent: "hosted" });
    };
    expect((await open(week.saturday(0), "240", "emergency")).status).toBe(302);
    expect((await open(week.saturday(5), "15", "emergency")).status).toBe(429);
    expect((await open(week.saturday(9))).status).toBe(302);
    const third = await open(week.mondayAfter(9));
    expect([third.status, third.visibleText]).toEqual([429, expect.stringContaining("2 payments in progress")]);
    expectRefused(await book(maria, week.sunday(9), 15), "8 hours a week");
    expect(await db.hold.count({ where: { userId: maria.id } })).toBe(2);
    setTestClock(() => new Date(TEST_NOW.getTime() + 15 * 60_000));
    expect((await open(week.mondayAfter(9))).status).toBe(302);
    setTestClock(() => TEST_NOW);
  });

  test("gets no more than its limits through concurrent requests", async () => {
    const [maria, noor, week] = [await newFamily(), await newFamily(), nextWeek()];
    const hours = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18];
    const booked = await Promise.all(hours.map((hour) => book(maria, week.saturday(hour))));
    expect(sortedStatuses(booked)).toEqual([201, 201, ...Array<number>(8).fill(429)]);
    const starts = [9, 13].flatMap((hour) => [week.monday(hour), week.sunday(hour)]);
    const paid = await Promise.all(starts.map((start) => pay(noor, start, 240)));
    expect(sortedStatuses(paid)).toEqual([200, 200, 429, 429]);
    expect(await db.hold.count({ where: { userId: noor.id } })).toBe(0);
  });

  test("is not limited when the consultant books for it", async () => {
    const [maria, week] = [await newFamily(), nextWeek()];
    for (const [index, start] of [week.monday(9), week.monday(13), week.saturday(9)].entries()) {
      const response = await admin.post("/api/appointments", { ...bookingFields(start, 240), userId: maria.id });
      expect([index, response.status]).toEqual([index, 201]);
    }
    const asked = {
      firstName: "Ana",
      lastName: "Ruiz",
      email: "ana@example.org",
      serviceNeeds: "IEP",
      urgency: "routine",
    };
    const { id } = await db.consultationRequest.create({ data: { ...asked, consent: true } });
    const plan = { ...bookingFields(week.sunday(9), 240), consultationRequestId: id, userId: maria.id };
    expect((await admin.post("/api/appointments/from-consultation", plan)).status).toBe(201);
  });

  test("can't move a visit into a full week (429), but can within a week, even with too many unpaid visits", async () => {
    const maria = await newFamily();
    // A week of summer that nobody else was given: Monday is September 6.
    const at = (day: number, hour: number) => new Date(Date.UTC(2028, 8, 4 + day, 4 + hour)).toISOString();
    const move = (id: number, appointmentDate: string) =>
      maria.request("PATCH", `/api/appointments/${id}`, {
        headers: { Origin: maria.origin, "Content-Type": "application/json" },
        body: JSON.stringify({ appointmentDate }),
      });
    expect((await pay(maria, at(5, 9), 240)).status).toBe(200);
    expect((await pay(maria, at(6, 9), 240)).status).toBe(200);
    const [one, other] = [await book(maria, at(7, 9)), await book(maria, at(7, 11))];
    const before = await db.appointment.findMany({ where: { userId: maria.id } });
    expectRefused(await move(one.json.id, at(6, 14)), "8 hours a week");
    expect(await db.appointment.findMany({ where: { userId: maria.id } })).toEqual(before);
    await db.appointment.create({
      data: {
        userId: maria.id,
        title: "Booked by the consultant",
        type: "consultation",
        paymentMethod: "in-person",
        appointmentDate: new Date(at(0, 9)),
      },
    });
    expect((await move(other.json.id, at(7, 13))).status).toBe(200);
    const [paid] = before;
    expect((await move(paid!.id, at(5, 10))).status).toBe(200);
  });
});

describe("an established family", () => {
  test("can have 60 upcoming visits: of 80 concurrent bookings 20 get 429; after canceling one, it can book another", async () => {
    const eager = await newFamily();
    await addPastVisit(db, eager, TEST_NOW);
    const starts = openHours();
    for (let skipped = 0; skipped < 210; skipped++) starts.next();
    const post = () =>
      eager.post("/api/appointments", { title: "Hourly Consulting", appointmentDate: starts.next().value });
    const responses = await Promise.all(Array.from({ length: 80 }, post));
    const statuses = responses.map(({ status }) => status);
    expect([
      statuses.filter((status) => status === 201).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([60, 20]);
    expect(Number(responses.find(({ status }) => status === 429)?.headers["retry-after"])).toBeGreaterThan(0);
    const typed = { title: "Hourly Consulting", slot: starts.next().value ?? "", duration: "60", type: "consultation" };
    const page = await eager.form("/appointments/new", { ...typed, paymentMethod: "in-person", description: "Sleep." });
    expect([page.status, Number(page.headers["retry-after"]) > 0]).toEqual([429, true]);
    for (const text of ["Booking Failed", "Failed to book appointment. A family can have 60 upcoming visits."])
      expect(page.visibleText).toContain(text);
    expect(page.document.querySelector("textarea[name=description]")?.textContent).toBe("Sleep.");
    const [, first] = (await eager.get("/api/appointments")).json as { id: number }[];
    expect((await eager.delete(`/api/appointments/${first!.id}`)).status).toBe(200);
    expect((await post()).status).toBe(201);
  });

  test("can have 60 hours of upcoming visits to be paid in person; more gets 429 unless it pays online", async () => {
    const maria = await newFamily();
    await addPastVisit(db, maria, TEST_NOW);
    const visit = { title: "IEP", type: "consultation", duration: 240, paymentMethod: "in-person", userId: maria.id };
    const days = Array.from({ length: 14 }, (_, day) => new Date(Date.UTC(2028, 8, 1 + day)));
    await db.appointment.createMany({ data: days.map((appointmentDate) => ({ ...visit, appointmentDate })) });
    expect((await book(maria, "2028-10-07T13:00Z", 240)).status).toBe(201);
    for (const path of ["/api/appointments", "/api/appointments/in-person"]) {
      const { status, json } = await maria.post(path, bookingFields("2028-10-07T17:00Z", 15));
      const message = `You can have 60 hours of visits to come that are paid in person. Please cancel one first, pay online, or call us at ${PHONE}.`;
      expect([status, json.message]).toEqual([429, message]);
    }
    expect((await pay(maria, "2028-10-07T17:00Z", 15)).status).toBe(200);
  });
});

describe("a family that repeatedly books and cancels", () => {
  test("gets 429 for any booking after 20 cancellations in seven days, and can still cancel", async () => {
    const maria = await newFamily();
    // A week of spring that nobody else was given: Monday is April 3.
    const at = (day: number, hour: number) => new Date(Date.UTC(2028, 3, 3 + day, 4 + hour)).toISOString();
    const live = await book(maria, at(6, 9));
    for (let count = 0; count < 20; count += 1) {
      const booked = await book(maria, at(5, 9));
      expect([count, booked.status]).toEqual([count, 201]);
      expect((await maria.delete(`/api/appointments/${booked.json.id}`)).status).toBe(200);
    }
    // What the cleanup forgets makes no cancellation a later one.
    await site.testing.deleteExpiredRows();
    const ofMaria = await db.appointment.findMany({ where: { userId: maria.id, status: "cancelled" } });
    expect(new Set(ofMaria.map(({ updatedAt }) => updatedAt.getTime()))).toEqual(new Set([TEST_NOW.getTime()]));
    expect(new Set(ofMaria.flatMap(({ network, wideNetwork }) => [network, wideNetwork]))).toEqual(new Set([null]));
    const before = [await db.appointment.count(), await db.hold.count(), await db.payment.count()];
    const refused = await book(maria, at(5, 9));
    expectRefused(
      refused,
      "You have canceled 20 visits in 7 days, so you can't book here again until Friday, November 27",
    );
    expect(refused.headers["retry-after"]).toBe(String(7 * 86_400));
    expectRefused(await pay(maria, at(5, 9)), "You have canceled 20 visits");
    const typed = { title: "Hourly Consulting", slot: at(5, 9), duration: "60", type: "consultation" };
    await maria.form("/appointments/new", { ...typed, paymentMethod: "online" });
    const pages = [
      await maria.form("/appointments/pay", { intent: "hosted" }),
      await maria.form("/appointments/new", { ...typed, paymentMethod: "in-person" }),
    ];
    for (const page of pages)
      expect([page.status, page.visibleText]).toEqual([429, expect.stringContaining("You have canceled 20 visits")]);
    expect([await db.appointment.count(), await db.hold.count(), await db.payment.count()]).toEqual(before);
    expect((await maria.delete(`/api/appointments/${live.json.id}`)).status).toBe(200);
    expect((await admin.post("/api/appointments", { ...bookingFields(at(5, 9)), userId: maria.id })).status).toBe(201);
    expect((await book(await newFamily(), at(5, 10))).status).toBe(201);
    const canceled = { userId: maria.id, status: "cancelled" };
    const [oldest] = await db.appointment.findMany({ where: canceled, orderBy: { id: "asc" }, take: 2 });
    const weekAgo = new Date(TEST_NOW.getTime() - WEEK_MS);
    await db.appointment.updateMany({ where: { ...canceled, id: { lte: oldest!.id } }, data: { updatedAt: weekAgo } });
    const dayAgo = new Date(TEST_NOW.getTime() - 86_400_000);
    await db.appointment.updateMany({ where: { ...canceled, id: oldest!.id + 1 }, data: { updatedAt: dayAgo } });
    const next = await book(maria, at(5, 11));
    expect([next.status, next.headers["retry-after"]]).toEqual([429, String(6 * 86_400)]);
    await db.appointment.updateMany({
      where: { ...canceled, id: { lte: oldest!.id + 1 } },
      data: { updatedAt: weekAgo },
    });
    expect((await book(maria, at(5, 11))).status).toBe(201);
  });

  test("can book again after changing its password, as a copied session may have canceled; once in seven days", async () => {
    const own = await newFamily();
    // A Saturday of summer that nobody else was given.
    const start = new Date(Date.UTC(2028, 5, 3, 14)).toISOString();
    const cancelTwenty = async (client: TestClient) => {
      const data = { ...bookingFields(start), appointmentDate: new Date(start), userId: own.id, status: "cancelled" };
      for (let count = 0; count < 19; count += 1)
        await db.appointment.create({ data: { ...data, updatedAt: TEST_NOW } });
      const booked = await book(client, start);
      expect((await client.delete(`/api/appointments/${booked.json.id}`)).status).toBe(200);
      expectRefused(await book(client, start), "You have canceled 20 visits");
    };
    const change = async (currentPassword: string, newPassword: string) => {
      const passwords = { currentPassword, newPassword, confirmPassword: newPassword };
      expect((await own.post("/api/auth/change-password", passwords)).status).toBe(200);
    };
    await cancelTwenty(own.clone());
    setTestClock(() => new Date(TEST_NOW.getTime() + 60_000));
    await change(own.password, "four yellow hills 88");
    const again = await book(own, start);
    expect(again.status).toBe(201);
    expect((await own.delete(`/api/appointments/${again.json.id}`)).status).toBe(200);
    await db.appointment.updateMany({
      where: { userId: own.id },
      data: { updatedAt: new Date(TEST_NOW.getTime() + 60_001) },
    });
    await change("four yellow hills 88", "five yellow hills 88");
    expectRefused(await book(own, start), "You have canceled 20 visits");
    setTestClock(() => TEST_NOW);
  });
});

describe("families whose first visits have not taken place, together", () => {
  test("can hold half of a week's office hours while booking; beyond that they get no hold but can still book", async () => {
    // After the hours of the family above.
    weeks += 10;
    const week = nextWeek();
    const choose = async (family: Family, slot: string, duration: number) => {
      const typed = { title: "Hourly Consulting", slot, duration: String(duration), type: "consultation" };
      const response = await family.form("/appointments/new", { ...typed, paymentMethod: "online" });
      return [response.headers.location, await db.hold.count({ where: { chosenByUserId: family.id } })];
    };
    // Five times 240 minutes and 90 of the 1,305: elsewhere each, so that no network's own limit counts.
    for (const start of [week.saturday(9), week.saturday(13), week.sunday(9), week.sunday(13), week.monday(9)])
      expect(await choose(await newFamily(), start, 240)).toEqual(["/appointments/pay", 1]);
    const [last, first] = [await newFamily(), await newFamily()];
    expect(await choose(last, week.monday(13), 106)).toEqual(["/appointments/pay", 0]);
    expect(await choose(last, week.monday(13), 105)).toEqual(["/appointments/pay", 1]);
    expect(await choose(first, week.monday(15), 15)).toEqual(["/appointments/pay", 0]);
    expect((await book(first, week.monday(15), 15)).status).toBe(201);
    await db.hold.deleteMany();
  });

  test("can book half of a week's office hours unpaid; more gets 429", async () => {
    const week = nextWeek();
    // 43.5 office hours: 21 hours and 45 minutes.
    const starts = [week.monday(9), week.monday(13), week.saturday(9), week.saturday(13), week.sunday(9)];
    const at = (hours: number) => new Date(Date.parse(week.sunday(0)) + hours * 3_600_000).toISOString();
    for (const start of starts) expect((await book(await newFamily(), start, 240)).status).toBe(201);
    const maria = await newFamily();
    const full = await book(maria, at(13), 106);
    expect([full.status, full.json.message]).toEqual([
      429,
      expect.stringContaining(`pay online, or call us at ${PHONE}`),
    ]);
    expect((await book(maria, at(13), 105)).status).toBe(201);
    expect((await book(maria, at(15), 15)).status).toBe(429);
    expect((await pay(maria, at(15), 60)).status).toBe(200);
    expect((await book(maria, week.mondayAfter(9), 60)).status).toBe(201);
    const known = await newFamily();
    await addPastVisit(db, known, TEST_NOW);
    expect((await book(known, at(16), 60)).status).toBe(201);
    expect((await admin.post("/api/appointments", { ...bookingFields(at(17), 60), userId: maria.id })).status).toBe(
      201,
    );
  });
});

describe("families whose first visits have not taken place, on one network", () => {
  let networks = 0;
  /** An address that nobody else books from. */
  const sharedAddress = () => `127.0.31.${(networks += 1)}`;
  const familyAt = async (address: string) => Object.assign(await newFamily(), { ip: address });

  test("can book 480 unpaid minutes a week together; more gets 429, but a family on another network can book", async () => {
    const [week, shared] = [nextWeek(), sharedAddress()];
    for (const start of [week.saturday(9), week.sunday(9)])
      expect((await book(await familyAt(shared), start, 240)).status).toBe(201);
    const third = await familyAt(shared);
    const before = await db.appointment.count();
    const refused = await book(third, week.monday(9), 15);
    expect([refused.status, refused.json.message]).toEqual([
      429,
      `Too many unpaid visits were booked from your network. Please pay online or call us at ${PHONE}.`,
    ]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    const typed = { title: "Hourly Consulting", slot: week.monday(9), duration: "60", type: "consultation" };
    const page = await third.form("/appointments/new", { ...typed, paymentMethod: "in-person" });
    expect([page.status, page.visibleText]).toEqual([429, expect.stringContaining("booked from your network")]);
    expect(await db.appointment.count()).toBe(before);
    expect((await book(await newFamily(), week.monday(9), 60)).status).toBe(201);
    expect((await pay(third, week.monday(10), 60)).status).toBe(200);
    expect((await book(third, week.mondayAfter(9), 60)).status).toBe(201);
    const known = await familyAt(shared);
    await addPastVisit(db, known, TEST_NOW);
    expect((await book(known, week.monday(11), 60)).status).toBe(201);
    expect(
      (await admin.post("/api/appointments", { ...bookingFields(week.monday(12)), userId: third.id })).status,
    ).toBe(201);
  });

  test("can have six unpaid upcoming visits in total, even with concurrent requests; more gets 429", async () => {
    const shared = sharedAddress();
    const weeksToCome = [nextWeek(), nextWeek(), nextWeek()];
    const newFamilies = await Promise.all([1, 2, 3, 4].map(() => familyAt(shared)));
    const starts = weeksToCome.flatMap((week) => [week.saturday(9), week.saturday(10), week.saturday(11)]);
    const booked = await Promise.all(starts.slice(0, 8).map((start, index) => book(newFamilies[index % 4]!, start)));
    expect(sortedStatuses(booked)).toEqual([201, 201, 201, 201, 201, 201, 429, 429]);
    const kept = booked.find(({ status }) => status === 201)!.json as { id: number; userId: number };
    const owner = newFamilies.find(({ id }) => id === kept.userId)!;
    expect((await owner.delete(`/api/appointments/${kept.id}`)).status).toBe(200);
    expect((await book(owner, starts[8]!)).status).toBe(201);
    expect((await book(await familyAt(shared), weeksToCome[0]!.sunday(9))).status).toBe(429);
  });

  test("can't exceed the weekly limit by moving visits from another week, even without a stored network", async () => {
    const [week, other, shared] = [nextWeek(), nextWeek(), sharedAddress()];
    const [maria, noor, devon] = [await familyAt(shared), await familyAt(shared), await familyAt(shared)];
    const booked = [
      await book(maria, week.saturday(9), 240),
      await book(noor, other.saturday(9), 240),
      await book(devon, other.sunday(9), 15),
    ];
    expect(booked.map(({ status }) => status)).toEqual([201, 201, 201]);
    await db.appointment.updateMany({ data: { network: null, wideNetwork: null } });
    const move = (family: Family, index: number, appointmentDate: string) =>
      family.request("PATCH", `/api/appointments/${booked[index]!.json.id}`, {
        headers: { Origin: family.origin, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
        body: JSON.stringify({ appointmentDate }),
      });
    expect((await move(maria, 0, week.sunday(9))).status).toBe(200);
    expect((await move(noor, 1, week.saturday(9))).status).toBe(200);
    const refused = await move(devon, 2, week.monday(9));
    expect([refused.status, refused.json.message]).toEqual([429, expect.stringContaining("booked from your network")]);
    const kept = await db.appointment.findUniqueOrThrow({ where: { id: booked[2]!.json.id } });
    expect(kept.appointmentDate.toISOString()).toBe(other.sunday(9));
    expect((await move(Object.assign(devon, { ip: sharedAddress() }), 2, week.monday(9))).status).toBe(200);
  });

  test("gain no minutes when one of them moves a visit within the week from another network", async () => {
    const [week, shared] = [nextWeek(), sharedAddress()];
    const [maria, noor] = [await familyAt(shared), await familyAt(shared)];
    const booked = [await book(maria, week.saturday(9), 240), await book(noor, week.sunday(9), 240)];
    expect(booked.map(({ status }) => status)).toEqual([201, 201]);
    Object.assign(maria, { ip: sharedAddress() });
    const moved = await maria.request("PATCH", `/api/appointments/${booked[0]!.json.id}`, {
      headers: { Origin: maria.origin, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
      body: JSON.stringify({ appointmentDate: week.saturday(14) }),
    });
    expect(moved.status).toBe(200);
    expect((await book(await familyAt(shared), week.monday(9), 15)).status).toBe(429);
  });

  test("can have four hosted payments in progress, and another one once a held time expired", async () => {
    const [week, shared] = [nextWeek(), sharedAddress()];
    const open = async (family: Family, slot: string) => {
      const typed = { title: "Hourly Consulting", slot, duration: "60", type: "consultation", paymentMethod: "online" };
      await family.form("/appointments/new", typed);
      return family.form("/appointments/pay", { intent: "hosted" });
    };
    const [one, two, three] = [await familyAt(shared), await familyAt(shared), await familyAt(shared)];
    for (const [hour, family] of [one, two].entries())
      for (const day of [week.saturday, week.sunday]) expect((await open(family, day(9 + hour))).status).toBe(302);
    const fifth = await open(three, week.saturday(14));
    expect([fifth.status, fifth.visibleText]).toEqual([
      429,
      expect.stringContaining("Too many payments are under way from your network"),
    ]);
    expect((await open(await newFamily(), week.saturday(14))).status).toBe(302);
    setTestClock(() => new Date(TEST_NOW.getTime() + 15 * 60_000));
    expect((await open(three, week.saturday(15))).status).toBe(302);
    setTestClock(() => TEST_NOW);
  });

  test("have a keyed hash of their network stored, but not shown, until the visit is paid or 30 days have passed", async () => {
    const [week, shared] = [nextWeek(), sharedAddress()];
    const [maria, known] = [await familyAt(shared), await familyAt(shared)];
    const booked = await Promise.all([9, 10].map((hour) => book(maria, week.saturday(hour))));
    const ids = booked.map(({ json }) => json.id as number);
    await addPastVisit(db, known, TEST_NOW);
    const plain = await book(known, week.saturday(11));
    const noted = async () => {
      const rows = await db.appointment.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
      return rows.map(({ network, wideNetwork }) => network !== null || wideNetwork !== null);
    };
    expect((await db.appointment.findUnique({ where: { id: plain.json.id } }))?.wideNetwork).toBeNull();
    const rows = await db.appointment.findMany({ where: { id: { in: ids } } });
    expect(rows[0]?.network).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain(shared);
    for (const path of ["/api/appointments", "/dashboard", `/dashboard/appointments/${ids[0]}`])
      expect((await admin.get(path)).text).not.toContain(rows[0]?.network);
    await site.testing.deleteExpiredRows();
    expect(await noted()).toEqual([true, true]);
    const paid = await admin.form(`/dashboard/appointments/${ids[0]}/payment`, {
      intent: "taken",
      method: "cash",
      note: "",
    });
    expect(paid.status).toBe(302);
    await site.testing.deleteExpiredRows();
    expect(await noted()).toEqual([false, true]);
    await db.appointment.updateMany({ where: { id: ids[1]! }, data: { updatedAt: TEST_NOW } });
    setTestClock(() => new Date(TEST_NOW.getTime() + 30 * 86_400_000 + 1));
    await site.testing.deleteExpiredRows();
    expect(await noted()).toEqual([false, false]);
    setTestClock(() => TEST_NOW);
  });
});
