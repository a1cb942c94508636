// Proves that another place of the practice is told to the families of the visits to come there, to each and once.
import { setTimeout as delay } from "node:timers/promises";
import ICAL from "ical.js";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { whileInsertsFail } from "../support/database/broken-writes.ts";
import { beforeNextCommit, beforeNextTransaction } from "../support/database/interleave.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing } from "../support/site.ts";
import { bookOrFail, nextFreeHour, TEST_NOW } from "../support/bookings.ts";

const PATH = "/practice-details";
const PLACE = "Lincoln School, 4 Park Ave, room 12";
const AREA = "Long Branch, NJ area";
const LINK = "https://meet.example.com/a";
const NEW_PLACE = "9 Harbor Street, Long Branch";
const save = (meetingPlace: string) => admin.form(PATH, { meetingPlace });
const rowOf = (id: number) => db.appointment.findUniqueOrThrow({ where: { id } });
const changedRows = () =>
  db.appointment.findMany({ where: { calendarSequence: { gt: 0 } }, orderBy: { id: "asc" }, select: { id: true } });
const cancelEverything = () => db.appointment.updateMany({ data: { status: "cancelled", calendarSequence: 0 } });

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

beforeEach(async () => {
  await save("");
  await cancelEverything();
});

test("another place is told to the families of all visits to come there, once each, and to nobody else", async () => {
  const at = [await write(), await write(), await write({ userId: devon.id })];
  const visitor = await write({ userId: null, title: "Ann Roe - Hourly Consulting", toldAt: TEST_NOW });
  await write({ place: PLACE });
  await write({ isLiveVideoCall: true });
  await write({ meetingLink: LINK });
  await write({ status: "completed" });
  await write({ appointmentDate: new Date("2026-11-20T14:00:00Z") });
  expect((await admin.get(PATH)).visibleText).toContain(
    "If you change it, 2 families get a message; please tell 1 person without an account.",
  );
  expect((await save(NEW_PLACE)).headers.location).toBe(PATH);
  expect((await admin.get(PATH)).visibleText).toContain(
    "About the place, 2 families get a message; please tell 1 person without an account.",
  );
  await save(NEW_PLACE);
  expect(await changedRows()).toEqual([...at, visitor].map(({ id }) => ({ id })));
  for (const { id } of at) {
    const [message, ...others] = await messagesOf(id);
    expect(message?.content).toContain(`We set the place of your visit: ${NEW_PLACE}.`);
    expect(message?.content).toContain(`"value":"In person, ${NEW_PLACE}"`);
    expect(message?.calendar).toContain("LOCATION:9 Harbor Street\\, Long Branch");
    expect([others, (await calendarOf(admin, id)).sequence]).toEqual([[], 1]);
    expect(await db.auditEntry.count({ where: { action: "appointment-changed", objectId: id } })).toBe(1);
  }
  expect([(await rowOf(visitor.id)).toldAt, await messagesOf(visitor.id)]).toEqual([null, []]);
});

test("the place is to be agreed on again when the consultant empties it", async () => {
  const { id } = await write();
  await save(NEW_PLACE);
  await save("");
  const [, emptied] = await messagesOf(id);
  expect(emptied?.content).toContain("The place of your visit is to be agreed on again.");
  expect(emptied?.content).toContain(`"value":"In person, ${AREA}"`);
});

test("another place is not stored while its messages can't be", async () => {
  await write();
  const response = await whileInsertsFail(db, "messages", () => save(NEW_PLACE));
  expect(response.status).toBe(500);
  expect([await changedRows(), (await db.practiceSettings.findFirst())?.meetingPlace]).toEqual([[], ""]);
});

test("another place is told of a visit that its family moves meanwhile at its new time", async () => {
  const { id } = await write();
  const appointmentDate = new Date(nextFreeHour());
  const data = { appointmentDate, calendarSequence: { increment: 1 } };
  beforeNextTransaction(db, () => db.appointment.update({ where: { id }, data }));
  await save(NEW_PLACE);
  const [message] = await messagesOf(id);
  expect([message?.content.includes("It still starts at the same time."), message?.expiresAt]).toEqual([
    true,
    appointmentDate,
  ]);
  expect((await rowOf(id)).calendarSequence).toBe(2);
});

test("another place is stored after every family was told, in several transactions if there are many", async () => {
  const at = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 60 };
  const times = Array.from({ length: 60 }, () => new Date(nextFreeHour()));
  await db.appointment.createMany({ data: times.map((appointmentDate) => ({ ...at, appointmentDate })) });
  const [first] = await db.appointment.findMany({ where: { status: "scheduled" }, orderBy: { id: "asc" } });
  const moved = { appointmentDate: new Date(nextFreeHour()), calendarSequence: { increment: 1 } };
  // The family moves a visit that was told already, while the message of a move still says the former place.
  beforeNextTransaction(db, async () =>
    beforeNextTransaction(db, () => db.appointment.update({ where: { id: first!.id }, data: moved })),
  );
  expect((await save(NEW_PLACE)).status).toBe(302);
  expect((await db.practiceSettings.findFirst())?.meetingPlace).toBe(NEW_PLACE);
  const rows = await db.appointment.findMany({ where: { calendarSequence: { gt: 0 } }, orderBy: { id: "asc" } });
  expect(rows.map(({ calendarSequence }) => calendarSequence)).toEqual([3, ...Array.from({ length: 59 }, () => 1)]);
  expect(await messagesOf(first!.id)).toHaveLength(2);
});

test("another place is told and stored beside any number of visits on a link", async () => {
  const at = { userId: maria.id, title: "Hourly Consulting", type: "consultation", duration: 60 };
  const links = Array.from({ length: 41 }, () => ({
    ...at,
    appointmentDate: new Date(nextFreeHour()),
    meetingLink: LINK,
  }));
  await db.appointment.createMany({ data: links });
  const { id } = await write();
  expect((await save(NEW_PLACE)).status).toBe(302);
  expect((await db.practiceSettings.findFirst())?.meetingPlace).toBe(NEW_PLACE);
  expect([await changedRows(), (await messagesOf(id)).length]).toEqual([[{ id }], 1]);
});

test("a booking and a move tell the place that another process has stored a moment ago", async () => {
  await db.practiceSettings.updateMany({ data: { meetingPlace: NEW_PLACE } });
  const { id } = await bookOrFail(maria);
  const move = JSON.stringify({ appointmentDate: nextFreeHour() });
  const headers = { "Sec-Fetch-Site": "same-origin", Origin: maria.origin, "Content-Type": "application/json" };
  expect((await maria.request("PATCH", `/api/appointments/${id}`, { headers, body: move })).status).toBe(200);
  const [booked] = await messagesOf(id, "visit-booked");
  const [moved] = await messagesOf(id);
  for (const message of [booked, moved]) {
    expect(message?.content).toContain(`"value":"In person, ${NEW_PLACE}"`);
    expect(message?.calendar).toContain("LOCATION:9 Harbor Street\\, Long Branch");
  }
  expect(moved?.content).not.toContain("We set the place");
});

test("another place is told of a visit that is booked while it is being stored", async () => {
  let saving: Promise<unknown> = Promise.resolve();
  beforeNextCommit(db, async () => {
    saving = save(NEW_PLACE);
    // On SQLite, and behind the lock, the place is not stored before the booking has committed.
    await Promise.race([saving, delay(1_500)]);
  });
  const { id } = await bookOrFail(admin, { userId: maria.id });
  await saving;
  expect((await messagesOf(id, "visit-booked"))[0]?.content).toContain(`"value":"In person, ${AREA}"`);
  expect((await messagesOf(id))[0]?.content).toContain(`We set the place of your visit: ${NEW_PLACE}.`);
  expect((await db.practiceSettings.findFirst())?.meetingPlace).toBe(NEW_PLACE);
});
