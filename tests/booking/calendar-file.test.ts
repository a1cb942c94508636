// Proves the calendar file (.ics) of a visit, as an independent parser reads it.
import ICAL from "ical.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { adminEmail, consultant, db, family, origin, setTestClock, visitor } from "../support/site.ts";
import { bookOrFail, nextFreeHour, TEST_NOW } from "../support/bookings.ts";

setTestClock(() => TEST_NOW);

let maria: Family;
let admin: TestClient;

beforeAll(async () => {
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  admin = await consultant();
});

const linkIn = async (client: TestClient, id: number) =>
  (await client.get("/appointments")).document.querySelector(`a[href="${pathOf(id)}"]`)?.textContent ?? null;
const pathOf = (id: number) => `/api/appointments/${id}/calendar.ics`;

async function readCalendar(client: TestClient, id: number) {
  const response = await client.get(pathOf(id));
  expect([response.status, response.headers["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
  const calendar = new ICAL.Component(ICAL.parse(response.text) as unknown[]);
  const component = calendar.getFirstSubcomponent("vevent")!;
  const event = new ICAL.Event(component);
  return {
    text: response.text,
    method: calendar.getFirstPropertyValue("method"),
    status: component.getFirstPropertyValue("status"),
    event,
    organizer: [component.getFirstProperty("organizer")].map((each) => [
      each?.getFirstValue(),
      each?.getFirstParameter("cn"),
    ])[0],
    start: event.startDate.toJSDate().toISOString(),
    end: event.endDate.toJSDate().toISOString(),
    alarms: component.getAllSubcomponents("valarm").map((alarm) => String(alarm.getFirstPropertyValue("trigger"))),
  };
}

function write(changes: object) {
  const data = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 60, ...changes };
  return db.appointment.create({ data: { appointmentDate: new Date(nextFreeHour()), ...data } });
}

describe("a visit's calendar file", () => {
  test("has the time, the place and alarms a day and an hour before, but no health information", async () => {
    const booked = await bookOrFail(maria, {
      title: "Understanding an autism diagnosis",
      description: "IEP and medication",
      notes: "Leo's evaluation",
      isLiveVideoCall: true,
      duration: 90,
    });
    const { text, event, start, end, alarms, method, status, organizer } = await readCalendar(maria, booked.id);
    expect([start, Date.parse(end) - Date.parse(start)]).toEqual([booked.appointmentDate, 90 * 60_000]);
    expect([event.summary, event.location]).toEqual([
      "Visit with Harbor Family Advocacy",
      `${origin}/video-call/${booked.id}`,
    ]);
    expect([method, status, event.sequence, alarms]).toEqual(["PUBLISH", "CONFIRMED", 0, ["-P1D", "-PT1H"]]);
    expect(organizer).toEqual([`mailto:${adminEmail}`, "Harbor Family Advocacy"]);
    const words = text.replace(/\r\n /g, "").replaceAll(adminEmail, "");
    expect(words).not.toMatch(/autism|diagnosis|IEP|medication|evaluation|Leo|Maria|Alvarez|consult/i);
    expect(text).toMatch(/^CLASS:PRIVATE\r$/m);
    expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  });

  test.each([
    ["the Saturday before clocks go back", "2026-10-31T14:00:00.000Z"],
    ["the Sunday on which clocks go back", "2026-11-01T15:00:00.000Z"],
    ["the first occurrence of the repeated hour", "2026-11-01T05:30:00.000Z"],
    ["the second occurrence of the repeated hour", "2026-11-01T06:30:00.000Z"],
    ["the Monday after clocks go back", "2026-11-02T15:00:00.000Z"],
    ["the Saturday before clocks go forward", "2027-03-13T15:00:00.000Z"],
    ["the night of the skipped hour", "2027-03-14T06:30:00.000Z"],
    ["the Sunday on which clocks go forward", "2027-03-14T13:00:00.000Z"],
    ["the Monday after clocks go forward", "2027-03-15T14:00:00.000Z"],
  ])("has the correct UTC start and end on %s", async (_, start) => {
    const { id } = await write({ appointmentDate: new Date(start), duration: 45 });
    const calendar = await readCalendar(maria, id);
    expect([calendar.start, Date.parse(calendar.end) - Date.parse(start)]).toEqual([start, 45 * 60_000]);
    expect(calendar.text).toContain(`DTSTART:${start.replace(/[-:]|\.000/g, "")}`);
  });

  test("of an in-person visit says that the practice agrees on the exact place by the day before", async () => {
    const { id } = await bookOrFail(maria);
    const { event } = await readCalendar(maria, id);
    expect(event.location).toBe("Long Branch, NJ area");
    expect(event.description).toContain("We'll call or email you by the day before to agree on the exact place.");
    const details = await admin.get(`/dashboard/appointments/${id}`);
    expect(details.visibleText).toContain("The family's mail says that you'll call or email by the day before");
  });

  test("has a UID derived from the visit alone, and different visits have different UIDs", async () => {
    const { id } = await write({ id: 987_654, createdAt: new Date("2026-11-19T15:00:00.123Z") });
    const { event } = await readCalendar(maria, id);
    expect(event.uid).toBe("76909b4e-df11-81be-9158-aff3a7834140");
    const [next, later] = [await write({}), await write({})];
    expect((await readCalendar(maria, next.id)).event.uid).not.toBe((await readCalendar(maria, later.id)).event.uid);
  });

  test("has the event's properties before its alarms, and ends with a line break", async () => {
    const { id } = await bookOrFail(maria);
    const { text } = await readCalendar(maria, id);
    const names = text
      .replace(/\r\n /g, "")
      .split("\r\n")
      .map((line) => line.replace(/^((?:BEGIN|END):\w+|[\w-]+).*$/, "$1"));
    const alarm = ["BEGIN:VALARM", "ACTION", "TRIGGER", "DESCRIPTION", "END:VALARM"];
    expect(names.slice(names.indexOf("BEGIN:VALARM"))).toEqual([...alarm, ...alarm, "END:VEVENT", "END:VCALENDAR", ""]);
    expect(names).toEqual(expect.arrayContaining(["UID", "STATUS", "URL", "CLASS", "ORGANIZER"]));
  });

  test("keeps its UID, increments SEQUENCE with each move and the cancellation, and then has METHOD:CANCEL", async () => {
    const { id } = await bookOrFail(maria);
    const files = [await readCalendar(maria, id)];
    for (const client of [maria, admin]) {
      const moved = await client.request("PATCH", `/api/appointments/${id}`, {
        headers: { Origin: origin, "Content-Type": "application/json" },
        body: JSON.stringify({ appointmentDate: nextFreeHour() }),
      });
      expect(moved.status).toBe(200);
      files.push(await readCalendar(maria, id));
      expect(files.at(-1)?.start).toBe(moved.json.appointmentDate);
    }
    expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
    files.push(await readCalendar(maria, id));
    expect(new Set(files.map(({ event }) => event.uid)).size).toBe(1);
    expect(files.map(({ event }) => event.sequence)).toEqual([0, 1, 2, 3]);
    expect(files.map(({ status, method }) => `${status} ${method}`)).toEqual([
      "CONFIRMED PUBLISH",
      "CONFIRMED PUBLISH",
      "CONFIRMED PUBLISH",
      "CANCELLED CANCEL",
    ]);
    expect(files.at(-1)?.alarms).toEqual([]);
    // RFC 5546 asks for it in what is published and in what is cancelled.
    expect(files.map(({ organizer }) => organizer?.[0])).toEqual(files.map(() => `mailto:${adminEmail}`));
    expect(files.map(({ event }) => event.description.includes("Move or cancel it"))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("is safe from line injection through a meeting link or title", async () => {
    const meetingLink = "https://meet.example.com/a,b;c\\d?x=1";
    const { id } = await write({ meetingLink: `${meetingLink}\r\nATTENDEE:mailto:x@example.com`, title: "a\r\nURL:x" });
    const { text, event } = await readCalendar(maria, id);
    expect(text).not.toMatch(/^ATTENDEE/m);
    expect(event.location).toContain(meetingLink);
  });

  test("is available only to its family and the consultant: another family gets 404, a visitor 401", async () => {
    const { id } = await bookOrFail(maria);
    expect((await readCalendar(admin, id)).event.summary).toBe("Visit with Harbor Family Advocacy");
    const devon = await family();
    for (const path of [
      pathOf(id),
      pathOf(999_999),
      "/api/appointments/x/calendar.ics",
      "/api/appointments/0/calendar.ics",
    ]) {
      const response = await devon.get(path);
      expect([path, response.status, response.json]).toEqual([path, 404, { message: "There is no such appointment." }]);
      expect((await visitor().get(path)).status).toBe(401);
    }
    const posted = await maria.post(pathOf(id), {});
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});

test("a canceled visit to come has a link in the family's list to the file that cancels it, and no other visit has", async () => {
  const [kept, { id, title }] = [await bookOrFail(maria), await bookOrFail(maria)];
  const past = { userId: maria.id, title, type: "consultation", appointmentDate: new Date("2026-11-02T15:00Z") };
  const over = await db.appointment.create({ data: { ...past, status: "cancelled" } });
  expect(await linkIn(maria, id)).toBeNull();
  expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
  expect([await linkIn(maria, kept.id), await linkIn(maria, over.id)]).toEqual([null, null]);
  expect(await linkIn(maria, id)).toMatch(/^Remove from my calendar Initial Consultation, /);
  expect(await readCalendar(maria, id)).toMatchObject({ method: "CANCEL", status: "CANCELLED" });
});
