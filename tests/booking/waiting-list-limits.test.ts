// Proves the waiting list limits of new accounts, who gets freed times first, and when an entry or an offer ends.
import { afterAll, beforeAll, expect, test } from "vitest";
import { wallTimeToInstant } from "../../app/booking/wall-time.ts";
import { bookingBody, bookOrFail, TEST_NOW } from "../support/bookings.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPastVisit } from "../support/past-visit.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

// One site with its limits on.
const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url, RATE_LIMITS: "on" });
const { consultant, db, family, origin, setTestClock, testing } = await import("../support/site.ts");

const PATH = "/appointments/waiting-list";
const MINUTE_MS = 60_000;
let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;
let days = Date.parse("2026-11-23T15:00Z");
const job = testing.JOBS.find(({ name }) => name === "offering freed times")!;

beforeAll(async () => {
  // The job would offer times between two steps of a test.
  await testing.stopJobs();
  admin = await consultant();
});
afterAll(() => smtp.stop());

/** A day that is open for one hour, which is booked; `free` cancels that visit. */
async function fullDay() {
  days += 7 * 86_400_000;
  const day = new Date(days).toISOString().slice(0, 10);
  const start = wallTimeToInstant(day, 600, "America/New_York")!.toISOString();
  expect(
    (await admin.form("/calendar/hours", { kind: "open", from: day, opens: "10:00", closes: "11:00" })).status,
  ).toBe(302);
  const owner = await family();
  const visit = { userId: owner.id, title: "Hourly Consulting", type: "consultation", duration: 60 };
  const { id } = await db.appointment.create({ data: { ...visit, appointmentDate: start } });
  return { day, start, free: () => db.appointment.update({ where: { id }, data: { status: "cancelled" } }) };
}

const join = (who: TestClient, day: string) => who.form(PATH, { day, duration: "60" });
const proven = async (who: Family) => {
  await db.user.update({ where: { id: who.id }, data: { emailConfirmedAt: time } });
  return who;
};
/** Whose hold the freed time is now, and for how many minutes. */
async function heldFor(): Promise<[number | null, number] | undefined> {
  await job.run(new AbortController().signal);
  const [hold] = await db.hold.findMany({ where: { offerId: { not: null }, expiresAt: { gt: time } } });
  return hold && [hold.userId, (hold.expiresAt.getTime() - time.getTime()) / MINUTE_MS];
}
function passMinutes(minutes: number) {
  time = new Date(time.getTime() + minutes * MINUTE_MS);
}

test("confirmed and established families get offers before earlier new accounts, each held for two hours", async () => {
  const { day, start, free } = await fullDay();
  const newAccounts = [];
  for (let count = 0; count < 3; count += 1) newAccounts.push(await family({ address: `127.0.41.1${count}` }));
  for (const newAccount of newAccounts) expect((await join(newAccount, day)).status).toBe(302);
  const confirmed = await proven(await family({ intake: true, address: "127.0.41.2" }));
  const established = await family({ address: "127.0.41.3" });
  await addPastVisit(db, established, TEST_NOW);
  for (const who of [confirmed, established]) expect((await join(who, day)).status).toBe(302);
  expect((await confirmed.get(PATH)).visibleText).toContain("You are first on the list");
  const newAccountText = (await newAccounts[0]!.get(PATH)).visibleText;
  expect(newAccountText).toContain("You are number 3 on the list");
  expect(newAccountText).toContain("hold it for you for two hours");
  const inOrder = [confirmed, established, ...newAccounts];
  const listed = await admin.get(`/calendar?view=day&day=${day}`);
  expect(
    [...listed.document.querySelectorAll("ol.rows > li")].map((row) => row.querySelector("a")?.textContent),
  ).toEqual(inOrder.map(({ name }) => name));
  await free();
  expect(await heldFor()).toEqual([confirmed.id, 120]);
  passMinutes(120);
  expect(await heldFor()).toEqual([established.id, 120]);
  passMinutes(120);
  for (const { id } of newAccounts) {
    expect(await heldFor()).toEqual([id, 120]);
    passMinutes(120);
  }
  expect(await heldFor()).toBe(undefined);
  const late = await family({ intake: true, address: "127.0.41.4" });
  const body = bookingBody({ appointmentDate: start, title: "Hourly Consulting" });
  expect((await late.post("/api/appointments", body)).status).toBe(201);
  await testing.deliverDueMessages();
  time = TEST_NOW;
  admin = await consultant();
});

test("new accounts on one network can join six times a day; other networks and established families still can", async () => {
  const days = [await fullDay(), await fullDay(), await fullDay(), await fullDay()].map(({ day }) => day);
  const responses = [];
  for (let count = 0; count < 7; count += 1)
    responses.push(await join(await family({ address: "127.0.42.1" }), days[Math.floor(count / 2)]!));
  expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302, 302, 429]);
  expect(responses.at(-1)?.visibleText).toContain("Too many families have joined from your network today");
  const established = await family({ address: "127.0.42.1" });
  await addPastVisit(db, established, TEST_NOW);
  for (const who of [established, await family({ address: "127.0.42.2" })])
    expect((await join(who, days[0]!)).status).toBe(302);
});

test("only two new accounts on one network can wait for a day, even with confirmed addresses and intake forms", async () => {
  const { day } = await fullDay();
  const address = "127.0.44.1";
  const newAccounts: Family[] = [];
  for (let count = 0; count < 3; count += 1) newAccounts.push(await proven(await family({ intake: true, address })));
  const responses = await Promise.all(newAccounts.map((each) => join(each, day)));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 302, 429]);
  expect(responses.find(({ status }) => status === 429)?.visibleText).toContain(
    "Other families on your network are already waiting for that day.",
  );
  expect(await db.waitingListEntry.count({ where: { day } })).toBe(2);
  const [inLine, refused] = [302, 429].map(
    (status) => newAccounts[responses.findIndex((each) => each.status === status)]!,
  ) as [Family, Family];
  const { id } = await db.waitingListEntry.findFirstOrThrow({ where: { userId: inLine.id } });
  expect((await inLine.form(PATH, { change: "leave", id: String(id) })).status).toBe(302);
  expect((await join(refused, day)).status).toBe(302);
});

test("only four new accounts in one IPv6 /48 can wait for a day, however many of its networks they use", async () => {
  const { day } = await fullDay();
  for (let count = 1; count <= 4; count += 1)
    expect((await join(await family({ address: `127.0.45.${count}` }), day)).status).toBe(302);
  // As if the four addresses were of one /48, which loopback addresses can't be.
  const { wideNetwork } = await db.waitingListEntry.findFirstOrThrow({ where: { day } });
  await db.waitingListEntry.updateMany({ where: { day }, data: { wideNetwork } });
  expect((await join(await family({ address: "127.0.45.1" }), day)).status).toBe(429);
});

test("new accounts can take only half (25) of a day's waiting list; an established family can still join", async () => {
  const { day } = await fullDay();
  for (let count = 0; count < 25; count += 1)
    expect((await join(await family({ address: `127.0.43.${count + 1}` }), day)).status).toBe(302);
  const refused = await join(await family({ address: "127.0.43.90" }), day);
  expect([refused.status, refused.visibleText]).toEqual([
    422,
    expect.stringContaining("Many families are already waiting"),
  ]);
  const confirmed = await proven(await family({ intake: true, address: "127.0.43.91" }));
  expect((await join(confirmed, day)).status).toBe(422);
  const established = await family({ address: "127.0.43.92" });
  await addPastVisit(db, established, TEST_NOW);
  expect((await join(established, day)).status).toBe(302);
  expect((await established.get(PATH)).visibleText).toContain("You are first on the list");
});

test("accounts that are closed or awaiting erasure free their waiting-list places and are not listed", async () => {
  const { day } = await fullDay();
  const address = "127.0.46.1";
  const [closed, leaving, next] = [
    await family({ address, lastName: "Endicott" }),
    await family({ address, lastName: "Leavitt" }),
    await family({ address, lastName: "Nextby" }),
  ];
  for (const who of [closed, leaving]) expect((await join(who, day)).status).toBe(302);
  expect((await join(next, day)).status).toBe(429);
  await db.user.update({ where: { id: closed.id }, data: { closedAt: time } });
  const eraseAfter = new Date(time.getTime() + 86_400_000);
  await db.user.update({ where: { id: leaving.id }, data: { eraseAfter } });
  expect((await join(next, day)).status).toBe(302);
  expect((await next.get(PATH)).visibleText).toContain("You are first on the list");
  const { visibleText } = await admin.get(`/calendar?view=day&day=${day}`);
  expect(["Endicott", "Leavitt", "Nextby"].map((name) => visibleText.includes(` ${name}`))).toEqual([
    false,
    false,
    true,
  ]);
});

test("offers to an unconfirmed address count toward its email limit; offers to a confirmed address don't", async () => {
  for (const [isConfirmed, states] of [
    [false, ["not-mailed"]],
    [true, ["pending"]],
  ] as const) {
    const { day, free } = await fullDay();
    const who = await family({ intake: true, address: `127.0.47.${isConfirmed ? 1 : 2}` });
    if (isConfirmed) await proven(who);
    expect((await join(who, day)).status).toBe(302);
    const sent = { event: "visit-moved", userId: who.id, address: who.email, content: "{}", state: "sent" };
    const many = Array.from({ length: isConfirmed ? 60 : 12 }, (_, number) => `${who.id} ${number}`);
    const times = { createdAt: time, nextAttemptAt: time };
    await db.message.createMany({ data: many.map((key) => ({ ...sent, ...times, key, name: key })) });
    await free();
    expect((await heldFor())?.[0]).toBe(who.id);
    const offers = await db.message.findMany({ where: { userId: who.id, event: "waiting-list-offer" } });
    expect([isConfirmed, offers.map(({ state }) => state)]).toEqual([isConfirmed, states]);
    await db.hold.deleteMany();
    await db.waitingListEntry.deleteMany({ where: { day } });
  }
});

test("a family that leaves the waiting list and joins again is last in line", async () => {
  const full = await fullDay();
  const [first, second] = [await proven(await family({ intake: true })), await proven(await family({ intake: true }))];
  for (const who of [first, second]) {
    expect((await join(who, full.day)).status).toBe(302);
    passMinutes(1);
  }
  const { id } = await db.waitingListEntry.findFirstOrThrow({ where: { userId: first.id } });
  expect((await first.form(PATH, { id: String(id), change: "leave" })).status).toBe(302);
  expect((await join(first, full.day)).status).toBe(302);
  expect((await second.get(PATH)).visibleText).toContain("You are first on the list.");
  expect((await first.get(PATH)).visibleText).toContain("You are number 2 on the list.");
});

test("a family that moves a visit to the day it waits for leaves that day's waiting list", async () => {
  const { day, start, free } = await fullDay();
  const maria = await proven(await family({ intake: true }));
  const { id } = await bookOrFail(maria, { title: "Hourly Consulting" });
  expect((await join(maria, day)).status).toBe(302);
  await free();
  const headers = { Origin: origin, "Content-Type": "application/json" };
  const body = JSON.stringify({ appointmentDate: start });
  expect((await maria.request("PATCH", `/api/appointments/${id}`, { headers, body })).status).toBe(200);
  expect((await maria.get(PATH)).visibleText).not.toContain("You are waiting for");
  await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
  expect(await heldFor()).toBe(undefined);
});

test("a time that a family takes from an offer stays held for two hours when it saves the booking again", async () => {
  const { day, start, free } = await fullDay();
  const [maria, devon] = [await proven(await family({ intake: true })), await family({ intake: true })];
  expect((await join(maria, day)).status).toBe(302);
  await free();
  expect(await heldFor()).toEqual([maria.id, 120]);
  const { id } = await db.waitingListOffer.findFirstOrThrow({ where: { entry: { userId: maria.id } } });
  expect((await maria.form(PATH, { id: String(id), change: "take" })).headers.location).toBe("/appointments/new");
  const fields = { title: "Hourly Consulting", slot: start, duration: "60", type: "consultation" };
  for (const hold of ["chosen", "renew"]) {
    const saved = await maria.form(`/appointments/new/draft?hold=${hold}`, fields);
    expect([hold, saved.json.state, saved.json.msLeft]).toEqual([hold, "held", 120 * MINUTE_MS]);
  }
  passMinutes(16);
  const body = bookingBody({ appointmentDate: start, title: "Hourly Consulting" });
  expect((await devon.post("/api/appointments", body)).status).toBe(409);
  time = TEST_NOW;
  admin = await consultant();
});

test.each([
  ["at 8 PM the evening before has it until 9 AM", 14 * 60, 13 * 60, "9:00 AM"],
  ["at 3:57 AM has it until 10 AM, when the visit begins", 363, 363, "10:00 AM"],
])("a family that is offered a time %s, and is told so", async (_, minutesToVisit, minutesHeld, clock) => {
  const { day, start, free } = await fullDay();
  const maria = await proven(await family({ intake: true, address: "127.0.48.1" }));
  expect((await join(maria, day)).status).toBe(302);
  await free();
  time = new Date(Date.parse(start) - minutesToVisit * MINUTE_MS);
  smtp.mails.splice(0);
  expect(await heldFor()).toEqual([maria.id, minutesHeld]);
  await testing.deliverDueMessages();
  const mail = smtp.mails.find(({ event }) => event === "waiting-list-offer");
  const [, until = ""] = /^Held until: (.+)$/m.exec(mail?.text ?? "") ?? [];
  expect(until).toMatch(new RegExp(`^Mon, .+ at ${clock} ET$`));
  const page = await (await signInAs(origin, maria.email, maria.password)).get(PATH);
  expect(page.visibleText).toContain(`Until ${until} we are holding it for you.`);
  await db.hold.deleteMany();
  time = TEST_NOW;
  admin = await consultant();
});

test("an offer made at night ends when its visit begins, even if two hours by day are not over", async () => {
  const { day, start, free } = await fullDay();
  const nine = new Date(Date.parse(start) - 60 * MINUTE_MS);
  await admin.form("/calendar/hours", { kind: "open", from: day, opens: "09:00", closes: "10:00" });
  await db.appointment.updateMany({ where: { appointmentDate: start }, data: { appointmentDate: nine } });
  const maria = await proven(await family({ intake: true, address: "127.0.48.1" }));
  expect((await join(maria, day)).status).toBe(302);
  await free();
  time = new Date(nine.getTime() - 300 * MINUTE_MS);
  expect(await heldFor()).toEqual([maria.id, 300]);
  await db.hold.deleteMany();
  time = TEST_NOW;
  admin = await consultant();
});

test("a day that is over is not on a family's page, even before the cleanup job", async () => {
  const { day } = await fullDay();
  const maria = await proven(await family());
  expect((await join(maria, day)).status).toBe(302);
  expect((await maria.get(PATH)).visibleText).toContain("You are waiting for");
  time = new Date(`${day}T23:00:00Z`);
  passMinutes(24 * 60);
  const page = await (await signInAs(origin, maria.email, maria.password)).get(PATH);
  expect([page.status, page.visibleText.includes("You are waiting for")]).toEqual([200, false]);
  expect(await db.waitingListEntry.count({ where: { day } })).toBe(1);
});
