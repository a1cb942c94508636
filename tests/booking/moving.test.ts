// Proves moving a visit through the API and the dialog: permissions, deadline, allowed times, concurrent requests.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";
import { bookOrFail, nextFreeHour, openHours, sortedStatuses, TEST_NOW } from "../support/bookings.ts";

const HOUR = 3_600_000;
const ORIGIN = { "Sec-Fetch-Site": "same-origin" };

setTestClock(() => TEST_NOW);

let maria: Family;
let devon: Family;
let admin: TestClient;

beforeAll(async () => {
  // Their transactions would be interrupted in place of the tested ones.
  await testing.stopJobs();
  maria = await family({ intake: true });
  devon = await family({ intake: true });
  admin = await consultant();
});

function move(client: TestClient, id: number, appointmentDate: unknown, more: object = {}) {
  return client.request("PATCH", `/api/appointments/${id}`, {
    headers: { ...ORIGIN, Origin: client.origin, "Content-Type": "application/json" },
    body: JSON.stringify({ appointmentDate, ...more }),
  });
}

/** Writes an appointment that no family could book, such as one that begins in an hour. */
function write(changes: object = {}) {
  const data = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 60, ...changes };
  return db.appointment.create({ data: { appointmentDate: new Date(nextFreeHour()), ...data } });
}

describe("a family", () => {
  test("moves its visit: the record and its payment are kept, and the old time is free for others", async () => {
    const paid = { paymentId: "p1", paymentStatus: "paid", paymentAmountCents: 7500, notes: "kept" };
    const before = await write(paid);
    const start = nextFreeHour();
    const response = await move(maria, before.id, start);
    expect([response.status, response.json]).toEqual([
      200,
      (await maria.get(`/api/appointments/${before.id}`)).json as object,
    ]);
    expect(response.json).toMatchObject({
      id: before.id,
      appointmentDate: start,
      status: "rescheduled",
      paymentId: "p1",
    });
    expect(await db.appointment.findUnique({ where: { id: before.id } })).toMatchObject({
      ...paid,
      createdAt: before.createdAt,
      calendarSequence: before.calendarSequence + 1,
    });
    await bookOrFail(devon, { appointmentDate: before.appointmentDate.toISOString() });
  });

  test("moves its visit to an overlapping time and back again", async () => {
    const { id, appointmentDate } = await bookOrFail(maria);
    nextFreeHour();
    const half = new Date(Date.parse(appointmentDate) + HOUR / 2).toISOString();
    expect((await move(maria, id, half)).status).toBe(200);
    expect((await move(maria, id, appointmentDate)).status).toBe(200);
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ calendarSequence: 2 });
  });

  test("can't change duration, status, owner or title with a move request", async () => {
    const { id } = await bookOrFail(maria, { duration: 45 });
    for (const duration of [240, "abc", null, { gt: 1 }]) {
      const response = await move(maria, id, nextFreeHour(), {
        duration,
        status: "completed",
        userId: devon.id,
        title: "x",
      });
      expect([response.status, response.json]).toEqual([
        200,
        expect.objectContaining({
          duration: 45,
          userId: maria.id,
          status: "rescheduled",
          title: "Initial Consultation",
        }),
      ]);
    }
  });

  test("can move a visit until 24 hours before its start, and gets 422 one millisecond later", async () => {
    const start = new Date(TEST_NOW.getTime() + 24 * HOUR + 30_000);
    const { id } = await write({ appointmentDate: start });
    setTestClock(() => new Date(start.getTime() - 24 * HOUR + 1));
    const late = await move(maria, id, nextFreeHour());
    expect([late.status, late.json.errors]).toEqual([
      422,
      {
        appointmentDate: [
          "It starts in less than 24 hours, so it can't be moved here. Please call us at (732) 555-0142.",
        ],
      },
    ]);
    const page = await maria.get(`/appointments/${id}/move`);
    expect(page.visibleText).toContain("starts in less than 24 hours");
    expect(page.document.querySelector("dialog input[name=slot]")).toBeNull();
    setTestClock(() => new Date(start.getTime() - 24 * HOUR));
    expect((await move(maria, id, nextFreeHour())).status).toBe(200);
    setTestClock(() => TEST_NOW);
  });

  test.each([
    ["in the past", "2026-11-19T15:00:00Z", "Cannot book appointments in the past"],
    ["outside office hours", "2027-01-02T05:00:00Z", "outside office hours"],
    ["too far ahead", "2029-01-06T15:00:00Z", "2 years ahead"],
    ["not a whole minute", "2027-01-02T15:00:30Z", "whole minute"],
    ["not a date", "soon", "ISO 8601"],
    ["empty", "", "Choose a date and time."],
    ["a number", 5, "text"],
  ])("gets 422 for a new time that is %s, and the visit is unchanged", async (_, appointmentDate, reason) => {
    const before = await write();
    const response = await move(maria, before.id, appointmentDate);
    expect([response.status, response.json.errors.appointmentDate]).toEqual([422, [expect.stringContaining(reason)]]);
    expect(await db.appointment.findUnique({ where: { id: before.id } })).toEqual(before);
  });

  test("gets 422 for the visit's current time and 409 for a taken time; the visit is unchanged", async () => {
    const [before, taken] = [await write(), await bookOrFail(devon)];
    expect((await move(maria, before.id, before.appointmentDate.toISOString())).status).toBe(422);
    const response = await move(maria, before.id, taken.appointmentDate);
    expect([response.status, response.json.message]).toEqual([
      409,
      "This time slot is already taken. Please choose another time.",
    ]);
    expect(await db.appointment.findUnique({ where: { id: before.id } })).toEqual(before);
  });

  test.each([
    ["cancelled", "canceled"],
    ["completed", "completed"],
    ["no-show", "no-show"],
  ])("can't move a visit that is %s", async (status, word) => {
    const before = await write({ status });
    const response = await move(maria, before.id, nextFreeHour());
    expect([response.status, response.json.message]).toEqual([409, expect.stringContaining(word)]);
    expect((await maria.get(`/appointments/${before.id}/move`)).headers.location).toBe("/appointments");
  });

  test("can't move a visit that has begun", async () => {
    const { id } = await write({ appointmentDate: new Date(TEST_NOW.getTime() - HOUR / 2 - 30_000) });
    for (const client of [maria, admin]) {
      const response = await move(client, id, nextFreeHour());
      expect([response.status, response.json.message]).toEqual([409, expect.stringContaining("already begun")]);
    }
  });

  test("gets 404 for another family's visit; a visitor gets 401, a cross-site request 403", async () => {
    const before = await write();
    for (const id of [before.id, 999_999, "0", "1e3", "x"]) {
      const response = await move(devon, id as number, nextFreeHour());
      expect([response.status, response.json]).toEqual([404, { message: "There is no such appointment." }]);
    }
    const visitorClient = visitor();
    expect((await move(visitorClient, before.id, nextFreeHour())).status).toBe(401);
    expect((await devon.get(`/appointments/${before.id}/move`)).status).toBe(404);
    expect((await devon.form(`/appointments/${before.id}/move`, { slot: nextFreeHour() })).status).toBe(404);
    const foreign = await maria.request("PATCH", `/api/appointments/${before.id}`, {
      headers: { Origin: "https://evil.example", "Content-Type": "application/json" },
      body: JSON.stringify({ appointmentDate: nextFreeHour() }),
    });
    expect(foreign.status).toBe(403);
    expect(await db.appointment.findUnique({ where: { id: before.id } })).toEqual(before);
  });
});

describe("the consultant", () => {
  test("can move a visit less than 24 hours before its start, and change its duration", async () => {
    const { id } = await write({ appointmentDate: new Date(TEST_NOW.getTime() + HOUR - 30_000) });
    const start = nextFreeHour();
    const response = await move(admin, id, start, { duration: 30 });
    expect([response.status, response.json]).toEqual([
      200,
      expect.objectContaining({ appointmentDate: start, duration: 30, clientFirstName: maria.firstName }),
    ]);
    expect((await move(admin, id, start, { duration: 45 })).json).toMatchObject({
      appointmentDate: start,
      duration: 45,
    });
  });

  test("moves a call that she ended: the end of the call and the family's join time are cleared", async () => {
    const ended = { isLiveVideoCall: true, status: "scheduled", callEndedAt: TEST_NOW, familyJoinedAt: TEST_NOW };
    const appointmentDate = new Date(TEST_NOW.getTime() - 2.5 * HOUR - 30_000);
    const { id } = await write({ ...ended, appointmentDate });
    const fields = { date: "2027-07-10", time: "10:00" };
    expect((await admin.form(`/dashboard/appointments/${id}/reschedule`, fields)).status).toBe(302);
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({
      appointmentDate: new Date("2027-07-10T14:00Z"),
      callEndedAt: null,
      familyJoinedAt: null,
    });
  });

  test.each([14, 241, 30.5, "30", true])("gets 422 for a duration of %s", async (duration) => {
    const before = await write();
    const response = await move(admin, before.id, nextFreeHour(), { duration });
    expect([response.status, Object.keys(response.json.errors)]).toEqual([422, ["duration"]]);
    expect(await db.appointment.findUnique({ where: { id: before.id } })).toEqual(before);
  });
});

describe("concurrent requests", () => {
  test("of two visits moved to the same time one gets 200; the other gets 409 and is unchanged", async () => {
    const [one, other, start] = [await write(), await write({ userId: devon.id }), nextFreeHour()];
    const responses = await Promise.all([move(maria, one.id, start), move(devon, other.id, start)]);
    expect(sortedStatuses(responses)).toEqual([200, 409]);
    const loser = responses[0].status === 200 ? other : one;
    expect(await db.appointment.findUnique({ where: { id: loser.id } })).toEqual(loser);
  });

  test("a visit moved ten times at once ends at one of the new times; the other times stay free", async () => {
    const { id } = await write();
    const starts = Array.from({ length: 10 }, () => nextFreeHour());
    const responses = await Promise.all(starts.map((start) => move(maria, id, start)));
    const made = responses.filter(({ status }) => status === 200).length;
    expect(sortedStatuses(responses)).toEqual([
      ...Array<number>(made).fill(200),
      ...Array<number>(10 - made).fill(409),
    ]);
    expect(made).toBeGreaterThan(0);
    const after = await db.appointment.findUniqueOrThrow({ where: { id } });
    expect(after.calendarSequence).toBe(made);
    expect(starts).toContain(after.appointmentDate.toISOString());
    for (const start of starts.filter((each) => each !== after.appointmentDate.toISOString()))
      await bookOrFail(devon, { appointmentDate: start });
  });

  test("a visit canceled or moved just before the move's transaction stays so, and the move gets 409", async () => {
    const [canceled, moved, start] = [await write(), await write(), nextFreeHour()];
    beforeNextTransaction(db, () => maria.delete(`/api/appointments/${canceled.id}`));
    expect((await move(maria, canceled.id, start)).status).toBe(409);
    expect(await db.appointment.findUnique({ where: { id: canceled.id } })).toMatchObject({
      status: "cancelled",
      appointmentDate: canceled.appointmentDate,
    });
    const elsewhere = nextFreeHour();
    const row = { appointmentDate: new Date(elsewhere), status: "rescheduled" };
    beforeNextTransaction(db, () => db.appointment.update({ where: { id: moved.id }, data: row }));
    expect((await move(maria, moved.id, start)).status).toBe(409);
    expect(await db.appointment.findUnique({ where: { id: moved.id } })).toMatchObject(row);
  });

  test("a visit moved and canceled at once has one consistent result; if canceled, the new time is free", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [{ id }, start] = [await write(), nextFreeHour()];
      const [moved, canceled] = await Promise.all([move(maria, id, start), maria.delete(`/api/appointments/${id}`)]);
      const after = await db.appointment.findUniqueOrThrow({ where: { id } });
      expect([
        [200, 409, "rescheduled"],
        [409, 200, "cancelled"],
        [200, 200, "cancelled"],
      ]).toContainEqual([moved.status, canceled.status, after.status]);
      if (after.status === "cancelled") await bookOrFail(devon, { appointmentDate: start });
    }
  });

  test("a move to a time and another family's booking of it: one succeeds, the other gets 409", async () => {
    const [{ id }, start] = [await write(), nextFreeHour()];
    const bookingFields = { title: "Hourly Consulting", appointmentDate: start, duration: 60, type: "consultation" };
    const responses = await Promise.all([move(maria, id, start), devon.post("/api/appointments", bookingFields)]);
    expect([
      [200, 409],
      [409, 201],
    ]).toContainEqual(responses.map(({ status }) => status));
    const where = { appointmentDate: new Date(start), status: { not: "cancelled" } };
    expect(await db.appointment.count({ where })).toBe(1);
  });
});

describe("the move dialog", () => {
  test("offers the next free days and their times, and moves the visit without JavaScript", async () => {
    const { id } = await bookOrFail(maria);
    const page = await maria.get(`/appointments/${id}/move?date=2027-06-05`);
    const { document } = page;
    expect([...document.querySelectorAll(".day-strip a")].length).toBe(6);
    expect(document.querySelector(".day-strip [aria-current]")?.textContent).toContain(
      "Saturday, June 5, 2027, 19 times",
    );
    const slots = [...document.querySelectorAll("dialog input[name=slot]")];
    expect(slots[0]?.getAttribute("aria-label")).toBe("Saturday, June 5, 2027, 9:00 AM Eastern");
    const slot = slots[3]?.getAttribute("value") ?? "";
    const response = await maria.follow(await maria.form(`/appointments/${id}/move`, { slot, appointmentDate: "" }));
    expect(response.visibleText).toContain("Your visit is moved");
    expect(response.visibleText).toContain("Saturday, June 5, 2027");
    expect(response.document.querySelector(".toast")).toBeNull();
    expect((await db.appointment.findUnique({ where: { id } }))?.appointmentDate.toISOString()).toBe(slot);
  });

  test("opens at the visit's day without its current time, and links back to the first days", async () => {
    const { id, appointmentDate } = await bookOrFail(maria);
    const { document } = await maria.get(`/appointments/${id}/move`);
    const shown = [...document.querySelectorAll("dialog input[name=slot]")].map((slot) => slot.getAttribute("value"));
    const dayOf = (text: string | null | undefined) => new Date(Date.parse(text ?? "") - 5 * 3_600_000).toDateString();
    expect(new Set(shown.map(dayOf))).toEqual(new Set([dayOf(appointmentDate)]));
    expect(shown).not.toContain(new Date(appointmentDate).toISOString());
    expect(document.querySelector(".day-strip a")?.getAttribute("aria-current")).toBe("date");
    const back = [...document.querySelectorAll("dialog a")].find(
      ({ textContent }) => textContent === "Back to the first days",
    );
    const first = await maria.get(back?.getAttribute("href") ?? "");
    expect(first.document.querySelector(".day-strip a")?.getAttribute("href")).toContain("date=2026-11-20");
  });

  test("accepts a typed time in the practice's time zone; an invalid time gets 422 with the reason", async () => {
    const { id } = await bookOrFail(maria);
    const path = `/appointments/${id}/move`;
    for (const [appointmentDate, reason] of [
      ["", "Choose a date and time."],
      ["2027-06-06T05:00", "outside office hours"],
      ["2027-03-14T02:30", "does not exist"],
      ["2026-11-01T10:00", "in the past"],
    ] as const) {
      const response = await maria.form(path, { appointmentDate });
      expect([response.status, response.visibleText]).toEqual([422, expect.stringContaining(reason)]);
      expect(response.document.title).toMatch(/^Error: /);
      expect(response.document.querySelector("details input[name=appointmentDate]")?.getAttribute("value")).toBe(
        appointmentDate,
      );
    }
    expect((await maria.form(path, { appointmentDate: "2027-06-06T10:00" })).status).toBe(302);
    const { appointmentDate } = await db.appointment.findUniqueOrThrow({ where: { id } });
    expect(appointmentDate.toISOString()).toBe("2027-06-06T14:00:00.000Z");
  });

  test("is linked from the cancel dialog, and for a day without free times names the next open day", async () => {
    const { id } = await bookOrFail(maria);
    const cancel = await maria.get(`/appointments/${id}/cancel`);
    expect(cancel.visibleText).toContain("Need another time instead? Move this visit");
    const link = [...cancel.document.querySelectorAll("dialog a")].find(
      ({ textContent }) => textContent === "Move this visit",
    );
    expect(link?.getAttribute("href")).toBe(`/appointments/${id}/move`);
    await db.hoursOverride.create({ data: { day: "2027-08-07" } });
    // Closed days of other processes are seen within a second.
    await expect
      .poll(async () => (await maria.get(`/appointments/${id}/move?date=2027-08-07`)).visibleText, { timeout: 5000 })
      .toContain("Nothing is open on Saturday, August 7, 2027. The next open day is Sunday, August 8, 2027.");
    for (const bad of ["date=2027-13-40", "from=x", "date=1999-01-01", "from=9999-12-31"])
      expect((await maria.get(`/appointments/${id}/move?${bad}`)).status).toBe(200);
  });
});

test("the open hours used by these tests start on January 2, 2027 at 9:00 AM ET", () => {
  expect(openHours().next().value).toBe("2027-01-02T14:00:00.000Z");
});

test("when the practice moves a visit into the last 24 hours, its email offers to cancel without a fee", async () => {
  const price = { paymentMethod: "in-person", paymentAmountCents: 7500 };
  const { id } = await write({ ...price, duration: 30 });
  const told = async () => {
    const where = { appointmentId: id, event: "visit-moved" };
    return (await db.message.findFirst({ where, orderBy: { id: "desc" } }))?.content ?? "";
  };
  const evening = new Date(TEST_NOW.getTime() + 8 * HOUR - 30_000).toISOString();
  expect((await move(admin, id, evening)).status).toBe(200);
  expect(await told()).toContain("because we moved it, we cancel it for you without a fee.");
  expect(await told()).not.toContain("50% fee");
  expect((await move(admin, id, evening, { duration: 45 })).status).toBe(200);
  expect(await told()).toContain("50% fee");
});
