// Proves the place of a visit's own: who sets it, where it is told, and what is refused.
import ICAL from "ical.js";
import { beforeAll, describe, expect, test } from "vitest";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";
import { bookOrFail, nextFreeHour, TEST_NOW } from "../support/bookings.ts";

const PLACE = "Lincoln School, 4 Park Ave, room 12";
const AREA = "Long Branch, NJ area";
const TOO_LONG = "The place can have at most 200 characters.";
const ONLINE = "Only a visit in person has a place. This one is online.";
const LINK = "https://meet.example.com/a";

setTestClock(() => TEST_NOW);

let maria: Family;
let devon: Family;
let admin: TestClient;

beforeAll(async () => {
  // Their transactions would be interrupted in place of the tested ones.
  await testing.stopJobs();
  maria = await family({ intake: true });
  devon = await family({ intake: true });
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
  admin = await consultant();
});

function change(client: TestClient, id: number, body: object) {
  return client.request("PATCH", `/api/appointments/${id}`, {
    headers: { "Sec-Fetch-Site": "same-origin", Origin: client.origin, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

const detailsOf = (id: number) => `/dashboard/appointments/${id}`;
const setByForm = (client: TestClient, id: number, place: string) =>
  client.form(detailsOf(id), { intent: "place", place });
const storedPlace = async (id: number) =>
  (await db.appointment.findUniqueOrThrow({ where: { id }, select: { place: true } })).place;

function write(changes: object = {}) {
  const data = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 60, ...changes };
  return db.appointment.create({ data: { appointmentDate: new Date(nextFreeHour()), ...data } });
}

async function calendarOf(client: TestClient, id: number) {
  const { text } = await client.get(`/api/appointments/${id}/calendar.ics`);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return new ICAL.Event(calendar.getFirstSubcomponent("vevent")!);
}

const messagesOf = (appointmentId: number, event = "visit-moved") =>
  db.message.findMany({ where: { appointmentId, event }, orderBy: { id: "asc" } });

describe("a family", () => {
  test("proposes a place while booking, which every page, the API and the calendar file tell", async () => {
    const visit = await bookOrFail(maria, { place: `  ${PLACE}\n` });
    expect(visit.place).toBe(PLACE);
    expect((await maria.get(`/api/appointments/${visit.id}`)).json.place).toBe(PLACE);
    expect((await maria.get("/api/appointments")).json).toContainEqual(expect.objectContaining({ place: PLACE }));
    const event = await calendarOf(maria, visit.id);
    expect([event.location, event.sequence]).toEqual([PLACE, 0]);
    expect(event.description).not.toContain("agree on");
    for (const path of [`/appointments/${visit.id}/booked`, "/dashboard", "/appointments"]) {
      const { visibleText } = await maria.get(path);
      expect([path, visibleText.includes(`In person, ${PLACE}`), visibleText.includes("agree on")]).toEqual([
        path,
        true,
        false,
      ]);
    }
    const { visibleText } = await admin.get(detailsOf(visit.id));
    expect([visibleText.includes(PLACE), visibleText.includes("To be agreed on")]).toEqual([true, false]);
    expect((await admin.get(`/dashboard?q=${maria.lastName}`)).visibleText).toContain(`In person, ${PLACE}`);
  });

  test("proposes it in the form, under more options; it stays in the draft", async () => {
    const own = await family();
    const fields = { title: "Hourly Consulting", appointmentDate: "2026-12-07T10:00", duration: "60" };
    const form = { ...fields, paymentMethod: "in-person", isLiveVideoCall: "", place: PLACE };
    expect((await own.form("/appointments/new", form)).status).toBe(302);
    const { document } = await own.get("/appointments/new");
    const input = document.querySelector<HTMLInputElement>('details input[name="place"]');
    expect(input?.value).toBe(PLACE);
    expect(input?.closest(".field")?.textContent).toContain("Where should we meet? (optional)");
  });

  test.each([
    ["a video visit", { isLiveVideoCall: true }],
    ["a meeting on a link", { meetingLink: LINK }],
  ])("has no place for %s, whatever it sends", async (_, kind) => {
    const visit = await bookOrFail(maria, { ...kind, place: PLACE });
    expect([visit.place, await storedPlace(visit.id)]).toEqual([null, null]);
  });

  test.each([
    ["too long a place", "x".repeat(201), TOO_LONG],
    ["a place that is no text", 5, "The place must be text."],
    ["a place with a NUL", "a\u0000b", "The place contains a character that can't be stored."],
  ])("books nothing with %s", async (_, place, message) => {
    const count = await db.appointment.count();
    const body = { title: "Hourly Consulting", appointmentDate: nextFreeHour(), place };
    for (const path of ["/api/appointments", "/api/appointments/in-person"]) {
      const response = await maria.post(path, body);
      expect([response.status, response.json.errors]).toEqual([422, { place: [message] }]);
    }
    expect(await db.appointment.count()).toBe(count);
  });

  test("can't set the place of a booked visit: it is ignored with a move, and refused without a time", async () => {
    const { id } = await bookOrFail(maria);
    const moved = await change(maria, id, { appointmentDate: nextFreeHour(), place: PLACE });
    expect([moved.status, moved.json.place]).toEqual([200, null]);
    for (const place of [5, "x".repeat(201), ["a"], null])
      expect((await change(maria, id, { appointmentDate: nextFreeHour(), place })).status).toBe(200);
    const alone = await change(maria, id, { place: PLACE });
    expect([alone.status, alone.json.errors]).toEqual([422, { appointmentDate: [expect.any(String)] }]);
    expect((await change(devon, id, { place: PLACE })).status).toBe(404);
    expect((await change(visitor(), id, { place: PLACE })).status).toBe(401);
    expect((await setByForm(maria, id, PLACE)).status).toBe(403);
    expect((await setByForm(visitor(), id, PLACE)).headers.location).toMatch(/^\/login/);
    expect(await storedPlace(id)).toBeNull();
  });
});

describe("the consultant", () => {
  test("sets the place on the visit's page; the calendar's SEQUENCE rises and the family is told once", async () => {
    const { id } = await bookOrFail(maria);
    const before = await admin.get(detailsOf(id));
    expect(before.visibleText).toContain("Set the place of this visit");
    for (const place of [PLACE, `${PLACE} `]) {
      const response = await setByForm(admin, id, place);
      expect([response.status, response.headers.location]).toEqual([302, detailsOf(id)]);
    }
    const event = await calendarOf(maria, id);
    expect([event.location, event.sequence]).toEqual([PLACE, 1]);
    expect(await messagesOf(id)).toHaveLength(1);
    const page = await admin.get(detailsOf(id));
    expect(page.document.querySelector<HTMLInputElement>('input[name="place"]')?.value).toBe(PLACE);
    const stored = await db.appointment.findUniqueOrThrow({ where: { id } });
    expect(stored).toMatchObject({ status: "scheduled", movedAt: null });
    const audited = { action: "appointment-changed", objectId: id, familyId: maria.id };
    expect(await db.auditEntry.count({ where: audited })).toBe(1);
  });

  test("removes the place again, so that it is to be agreed on", async () => {
    const { id } = await bookOrFail(maria, { place: PLACE });
    expect((await change(admin, id, { place: null })).json.place).toBeNull();
    const event = await calendarOf(maria, id);
    expect([event.location, event.sequence]).toEqual([AREA, 1]);
    expect((await admin.get(detailsOf(id))).visibleText).toContain("To be agreed on");
    expect((await setByForm(admin, id, PLACE)).status).toBe(302);
    expect((await setByForm(admin, id, "")).status).toBe(302);
    expect(await storedPlace(id)).toBeNull();
  });

  test("sets the place with PATCH: alone, with the same time, or with a new time, which keeps it", async () => {
    const { id, appointmentDate } = await bookOrFail(maria);
    expect((await change(admin, id, { place: "A" })).json).toMatchObject({ place: "A", status: "scheduled" });
    const same = await change(admin, id, { appointmentDate, duration: 60, place: "B" });
    expect([same.status, same.json]).toEqual([200, expect.objectContaining({ place: "B", status: "scheduled" })]);
    const moved = await change(admin, id, { appointmentDate: nextFreeHour(), place: "C" });
    expect([moved.status, moved.json]).toEqual([200, expect.objectContaining({ place: "C", status: "rescheduled" })]);
    expect(await messagesOf(id)).toHaveLength(3);
    expect((await change(maria, id, { appointmentDate: nextFreeHour() })).json.place).toBe("C");
    expect((await calendarOf(maria, id)).location).toBe("C");
  });

  test("books at a place for a family, by form and by the API, and from a request", async () => {
    const made = await bookOrFail(admin, { userId: maria.id, place: PLACE });
    expect(made.place).toBe(PLACE);
    const day = { date: "2027-02-01", time: "10:00", duration: "60" };
    const form = { title: "Hourly Consulting", type: "consultation", ...day, place: "The clinic" };
    expect((await admin.form(`/families/${maria.id}/appointments/new`, form)).status).toBe(302);
    expect(await db.appointment.findFirst({ where: { userId: maria.id }, orderBy: { id: "desc" } })).toMatchObject({
      place: "The clinic",
    });
    const asker = { firstName: "Jane", lastName: "Doe", email: "jane@example.org", serviceNeeds: "IEP" };
    const request = await db.consultationRequest.create({ data: { ...asker, urgency: "routine", consent: true } });
    const scheduled = { title: "Initial Consultation", ...day, time: "12:00", place: PLACE };
    expect((await admin.form(`/dashboard/requests/${request.id}/schedule`, scheduled)).status).toBe(302);
    const visit = await db.appointment.findFirstOrThrow({ where: { consultationRequestId: request.id } });
    expect(visit.place).toBe(PLACE);
    const mailto = (await admin.get(detailsOf(visit.id))).document.querySelector('a[href^="mailto:jane"]');
    expect(decodeURIComponent(mailto?.getAttribute("href") ?? "")).toContain(`We meet here: ${PLACE}.`);
  });

  test("can't set a place for an online, past, canceled, completed or unknown visit", async () => {
    const past = new Date("2026-11-20T14:59:00Z");
    const cases = [
      [{ isLiveVideoCall: true }, 422, ONLINE],
      [{ meetingLink: LINK }, 422, ONLINE],
      [{ appointmentDate: past }, 409, "This visit has already begun, so its place can't be changed."],
      [{ status: "cancelled" }, 409, "This visit is canceled, so its place can't be changed."],
      [{ status: "completed" }, 409, "This visit is marked completed, so its place can't be changed."],
    ] as const;
    for (const [changes, status, message] of cases) {
      const { id } = await write(changes);
      const response = await change(admin, id, { place: PLACE });
      expect([changes, response.status, response.json.message]).toEqual([changes, status, message]);
      expect((await setByForm(admin, id, PLACE)).status).toBe(status);
      expect((await admin.get(detailsOf(id))).document.querySelector('input[name="place"]')).toBeNull();
      expect([await storedPlace(id), await messagesOf(id)]).toEqual([null, []]);
    }
    expect((await change(admin, 999_999, { place: PLACE })).status).toBe(404);
    expect((await setByForm(admin, 999_999, PLACE)).status).toBe(404);
  });

  test.each([
    [{ place: "x".repeat(201) }, { place: [TOO_LONG] }],
    [{ place: ["x"] }, { place: ["The place must be text."] }],
    [{ place: "" }, { appointmentDate: [expect.any(String)] }],
    [{ place: PLACE, duration: 90 }, { appointmentDate: [expect.any(String)] }],
    [{ place: PLACE, appointmentDate: "soon" }, { appointmentDate: [expect.any(String)] }],
    [{}, { appointmentDate: [expect.any(String)] }],
  ])("gets 422 for %j", async (body, errors) => {
    const { id } = await bookOrFail(maria);
    const response = await change(admin, id, body);
    expect([response.status, response.json.errors]).toEqual([422, errors]);
    expect(await storedPlace(id)).toBeNull();
  });

  test("gets 422 with a place and a new time for a video visit, which stays where it is", async () => {
    const { id, appointmentDate } = await bookOrFail(maria, { isLiveVideoCall: true });
    const response = await change(admin, id, { appointmentDate: nextFreeHour(), place: PLACE });
    expect([response.status, response.json.errors]).toEqual([422, { place: [ONLINE] }]);
    expect((await maria.get(`/api/appointments/${id}`)).json.appointmentDate).toBe(appointmentDate);
  });

  test("reads the message at the field when the form is refused, with the typed text kept", async () => {
    const { id } = await bookOrFail(maria);
    const response = await setByForm(admin, id, "y".repeat(201));
    const field = response.document.querySelector<HTMLInputElement>('input[name="place"]');
    expect([response.status, field?.value, field?.closest("details")?.hasAttribute("open")]).toEqual([
      422,
      "y".repeat(201),
      true,
    ]);
    expect(field?.closest(".field")?.textContent).toContain(TOO_LONG);
  });

  test("gets 409 when the family cancels meanwhile, and nothing is told", async () => {
    const { id } = await bookOrFail(maria);
    beforeNextTransaction(db, () =>
      db.appointment.update({ where: { id }, data: { status: "cancelled", calendarSequence: { increment: 1 } } }),
    );
    const response = await change(admin, id, { place: PLACE });
    expect([response.status, await storedPlace(id), await messagesOf(id)]).toEqual([409, null, []]);
  });
});

test("a place that a video visit has in the database is told nowhere", async () => {
  const { id } = await write({ isLiveVideoCall: true, place: "Roosevelt High" });
  expect((await maria.get(`/api/appointments/${id}`)).json.place).toBeNull();
  for (const path of [`/appointments/${id}/booked`, `/api/appointments/${id}/calendar.ics`])
    expect((await maria.get(path)).text).not.toContain("Roosevelt High");
  expect((await admin.get(detailsOf(id))).text).not.toContain("Roosevelt High");
});

describe("an address that nobody has confirmed", () => {
  const textOf = ({ content, calendar }: { content: string; calendar: string | null }) =>
    `${content}${calendar ?? ""}`.replaceAll(/\r\n |\\/g, "");

  test("gets neither the place that was typed nor another one later, but where to read it", async () => {
    const { id } = await bookOrFail(devon, { place: PLACE });
    expect((await setByForm(admin, id, "The library, room 3")).status).toBe(302);
    const [booked, moved] = [...(await messagesOf(id, "visit-booked")), ...(await messagesOf(id))];
    for (const message of [booked!, moved!]) {
      expect(textOf(message)).not.toMatch(/Lincoln|library/);
      expect(textOf(message)).toContain("In person. The place is on the page of your visit.");
      expect(textOf(message)).toContain("/appointments");
    }
    expect(textOf(moved!)).toContain(
      "We set the place of your visit. It is on the page of your visit. It still starts",
    );
    expect((await devon.get("/appointments")).visibleText).toContain("The library, room 3");
  });

  test("gets no link that was typed, in the message or its calendar file", async () => {
    const { id } = await bookOrFail(devon, { meetingLink: LINK });
    const [booked] = await messagesOf(id, "visit-booked");
    expect(textOf(booked!)).not.toContain("meet.example.com");
    expect(textOf(booked!)).toContain("LOCATION:");
  });
});

test("the consultant's message about a booking says that the family asks for another place, not which", async () => {
  const { id } = await bookOrFail(devon, { place: PLACE });
  const message = await db.message.findFirstOrThrow({ where: { event: "visits-changed" }, orderBy: { id: "desc" } });
  expect(message.content).toContain("Booked, asking for another place");
  expect(message.content).not.toContain("Lincoln");
  expect((await admin.get(detailsOf(id))).visibleText).toContain(PLACE);
});

test("the person of a visit without an account is to be told again when its place changes", async () => {
  const { id } = await write({ userId: null, title: "Ann Roe - Hourly Consulting", toldAt: TEST_NOW });
  expect((await setByForm(admin, id, PLACE)).status).toBe(302);
  expect(await db.appointment.findUniqueOrThrow({ where: { id } })).toMatchObject({ place: PLACE, toldAt: null });
  // The person knows of the visit, so the cancellation is to be told, too.
  expect((await admin.get(`${detailsOf(id)}/cancel`)).visibleText).toContain("nobody gets our emails: please call");
  expect((await admin.form(`${detailsOf(id)}/cancel`, { reason: "Ill" })).status).toBe(302);
  expect((await admin.get(detailsOf(id))).visibleText).toContain("doesn't know yet that it's canceled");
});

test("nobody is to be told again when the place is the one that is told anyway", async () => {
  const { id } = await write({ userId: null, title: "Ann Roe - Hourly Consulting", toldAt: TEST_NOW, place: PLACE });
  expect((await setByForm(admin, id, PLACE)).status).toBe(302);
  expect((await db.appointment.findUniqueOrThrow({ where: { id } })).toldAt).toEqual(TEST_NOW);
});

test("availability and the public page never say a place", async () => {
  const { appointmentDate } = await bookOrFail(maria, { place: PLACE });
  const query = new URLSearchParams({ date: appointmentDate.slice(0, 10), time: "10:00", duration: "60" });
  expect((await devon.get(`/api/appointments/availability?${query}`)).text).not.toContain("Lincoln School");
  expect((await visitor().get("/")).text).not.toContain("Lincoln School");
});

test("a reminder of a visit with its own place has no text about agreeing on one", async () => {
  const own = await family({ intake: true });
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: TEST_NOW } });
  const start = new Date("2026-11-21T21:00:00Z");
  const visit = { userId: own.id, title: "Hourly Consulting", type: "consultation", place: PLACE };
  const { id } = await db.appointment.create({
    data: { ...visit, appointmentDate: start, createdAt: new Date(TEST_NOW.getTime() - 3_600_000) },
  });
  for (const [hours, event] of [
    [23, "visit-reminder-24h"],
    [0.5, "visit-reminder-1h"],
  ] as const) {
    setTestClock(() => new Date(start.getTime() - hours * 3_600_000));
    await testing.writeVisitReminders();
    const [message] = await messagesOf(id, event);
    expect(message?.content).toContain(`"value":"In person, ${PLACE}"`);
    expect(message?.content).not.toContain("Exact place");
  }
  setTestClock(() => TEST_NOW);
});
