// Proves what happens to emails that a mail server refuses, temporarily or permanently, and how the consultant sees it.
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { bookOrFail, openHours, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { createPeople } from "../support/people.ts";
import { received, site, smtp } from "../support/site-with-mail.ts";

const { consultant, db, origin, setTestClock, testing, visitor } = site;
/** Registers through the API, as families do. */
const { family: register } = createPeople(origin);

let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
  await received();
});

const CONTENT = { subject: "News", preview: "", paragraphs: ["Something is new."] };
const INVITATIONS = "/families/invitations";

/** Whom the dashboard lists as not reached, each with where that leads; /system-status counts as many. */
async function undelivered() {
  const { document } = await admin.get("/dashboard");
  for (const hidden of document.querySelectorAll(".sr-only")) hidden.remove();
  const rows = [...document.querySelectorAll(".attention-row")]
    .filter((row) => row.querySelector(".badge")?.textContent === "Mail not delivered")
    .map((row) => ({
      text: (row.textContent ?? "").replace(/\s+/g, " ").trim(),
      path: row.querySelector("a")?.getAttribute("href"),
    }));
  const { visibleText } = await admin.get("/system-status");
  expect(Number(/did not reach (\d+) p/.exec(visibleText)?.[1] ?? 0)).toBe(rows.length);
  return rows;
}

test("an email that expired before it could be sent is listed on the dashboard as not delivered", async () => {
  const maria = await register({ firstName: "Nadia", lastName: "Unsent" });
  await received();
  time = new Date(time.getTime() + 1_000);
  const row = { event: "visit-reminder-1h", userId: maria.id, address: maria.email, content: "{}" };
  await db.message.create({ data: { ...row, key: "unsent", nextAttemptAt: time, expiresAt: time, createdAt: time } });
  expect(await received(maria.email)).toEqual([]);
  expect(await db.message.findUnique({ where: { key: "unsent" } })).toMatchObject({ state: "failed", failure: null });
  admin = await consultant();
  const text = expect.stringMatching(/^Nadia Unsent.*It could not be sent in time\./) as string;
  expect(await undelivered()).toContainEqual({ text, path: `/families/${maria.id}` });
});

describe("a mail server", () => {
  test("that refuses an email temporarily gets it again, with the same Message-ID, until it accepts it", async () => {
    const seen: string[][] = [];
    smtp.refuseMessage = ({ to, messageId }) => (seen.push([to, messageId]) % 3 === 0 ? null : 450);
    const maria = await register();
    expect(await received()).toEqual([]);
    time = new Date(time.getTime() + 61_000);
    expect(await received()).toEqual([]);
    time = new Date(time.getTime() + 121_000);
    const delivered = (await received()).map(({ to, messageId }) => [to, messageId]);
    expect([delivered.length, delivered[0]?.[0]]).toEqual([1, maria.email]);
    expect(seen).toEqual([delivered[0], delivered[0], delivered[0]]);
    smtp.refuseMessage = () => null;
  });

  test("gets a new Message-ID for a key that recurs after a restore; a row of an older version keeps its key's hash", async () => {
    const email = "restored@example.org";
    const fields = { firstName: "Ines", lastName: "Roe", serviceNeeds: "An IEP", urgency: "routine", consent: true };
    const sent: string[] = [];
    const keys: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      await visitor().post("/api/consultation-requests", { ...fields, email });
      sent.push(...(await received(email)).map(({ messageId }) => messageId));
      const { id, key } = await db.message.findFirstOrThrow({
        where: { event: "request-received" },
        orderBy: { id: "desc" },
      });
      keys.push(key);
      // A backup that was made before has none of it.
      await db.message.delete({ where: { id } });
    }
    expect([keys.length, new Set(keys).size, new Set(sent).size]).toEqual([2, 1, 2]);
    const maria = await register();
    await received();
    const row = { event: "document-added", userId: maria.id, address: maria.email, content: JSON.stringify(CONTENT) };
    await db.message.create({ data: { ...row, nextAttemptAt: time, createdAt: time, key: "of an older program" } });
    const hash = createHash("sha256").update("of an older program").digest("base64url");
    expect((await received(maria.email))[0]?.messageId).toBe(`<${hash}@${new URL(origin).hostname}>`);
  });

  test("that refuses an email permanently (550) gets no retry, and other recipients get their emails", async () => {
    const bad = "gone@example.org";
    smtp.refuse = ({ to }) => (to === bad ? 550 : null);
    const lost = await register({ email: bad });
    const maria = await register();
    expect((await received()).map(({ to }) => to)).toEqual([maria.email]);
    const row = await db.message.findFirst({ where: { userId: lost.id } });
    expect(row).toMatchObject({ state: "failed", failure: "550", attempts: 1, secretPath: null });
    smtp.refuse = () => null;
  });

  test("that refuses an address without an account: the dashboard names it, and its request or invitation is marked", async () => {
    admin = await consultant();
    await received();
    const [invited, asking] = ["invited.gone@example.org", "asking.gone@example.org"];
    smtp.refuse = ({ to }) => (to === invited || to === asking ? 550 : null);
    await admin.form(INVITATIONS, { firstName: "Jane", lastName: "Doe", email: invited });
    const fields = { firstName: "Ines", lastName: "Roe", serviceNeeds: "An IEP", urgency: "routine", consent: true };
    const asked = await visitor().post("/api/consultation-requests", { ...fields, email: asking });
    await received();
    smtp.refuse = () => null;
    const ofThese = async () => (await undelivered()).filter(({ text }) => /invited\.gone|asking\.gone/.test(text));
    expect(await ofThese()).toEqual([
      {
        text: expect.stringMatching(/^asking\.gone@example\.org, request \d+.*Check the address, or call\./) as string,
        path: `/dashboard/requests/${asked.json.id}/schedule`,
      },
      { text: expect.stringMatching(/^invited\.gone@example\.org, invitation/) as string, path: INVITATIONS },
    ]);
    const marked = async (path: string) =>
      (await admin.get(path)).document.querySelector("main .rows")?.textContent?.includes("Email not delivered");
    for (const path of [INVITATIONS, "/requests"]) expect([path, await marked(path)]).toEqual([path, true]);
    const { id } = await db.invitation.findUniqueOrThrow({ where: { email: invited } });
    await admin.form(INVITATIONS, { change: "resend", id: String(id) });
    expect(await received(invited)).toHaveLength(1);
    await admin.delete(`/api/consultation-requests/${asked.json.id}`);
    expect([await ofThese(), await marked(INVITATIONS)]).toEqual([[], false]);
  });

  test("that refuses an email temporarily until it expires: the dashboard lists it with the last status code", async () => {
    const maria = await register({ firstName: "Mareike", lastName: "Late" });
    await received();
    await visitor().post("/api/auth/forgot-password", { email: maria.email });
    await testing.drainResetLinkQueue();
    smtp.refuse = () => 451;
    for (const minutes of [0, 1, 2, 5, 15, 15, 15, 7]) {
      time = new Date(time.getTime() + minutes * 60_000);
      await received();
    }
    smtp.refuse = () => null;
    const where = { userId: maria.id, event: "password-reset" };
    const lost = { state: "failed", failure: "451", secretPath: null };
    expect(await db.message.findFirst({ where })).toMatchObject(lost);
    admin = await consultant();
    expect(await undelivered()).toContainEqual({
      text: expect.stringMatching(/^Mareike Late.*It was not accepted in time \(451\)\./) as string,
      path: `/families/${maria.id}`,
    });
  });
});

describe("a visit whose email is refused", () => {
  const wait = (minutes: number) => void (time = new Date(time.getTime() + minutes * 60_000 + 1_000));
  const events = async (to: string) => (await received(to)).map(({ event }) => event);
  const days = openHours();
  /** Hours on which the office is open, some days from now. */
  const nextHour = (): Date => {
    const hour = new Date(days.next().value);
    return hour.getTime() > time.getTime() + 2 * 86_400_000 ? hour : nextHour();
  };
  const inHours = (hours: number) => new Date(Math.ceil(time.getTime() / 900_000) * 900_000 + hours * 3_600_000);
  const move = (id: number, appointmentDate: Date) =>
    admin.request("PATCH", `/api/appointments/${id}`, {
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({ appointmentDate }),
    });

  /** A visit whose mail was refused `times` times. */
  async function refusedBooking(times: number, appointmentDate = nextHour()) {
    const maria = await site.family({ intake: true });
    await received();
    smtp.refuse = ({ to }) => (to === maria.email ? 451 : null);
    // An emergency may lie outside of the office hours.
    const fields = { type: "emergency", appointmentDate: appointmentDate.toISOString() };
    const { id } = await bookOrFail(maria, fields);
    for (const minutes of [0, 1, 2, 5, 15, 30].slice(0, times)) {
      wait(minutes);
      expect(await events(maria.email)).toEqual([]);
    }
    smtp.refuse = () => null;
    admin = await consultant();
    await received();
    return { maria, id: Number(id), start: appointmentDate };
  }

  /** Mails something that is about no visit. */
  async function sendOther({ id, email }: { id: number; email: string }) {
    const row = { event: "document-added", userId: id, address: email, content: JSON.stringify(CONTENT) };
    await db.message.create({ data: { ...row, nextAttemptAt: time, createdAt: time, key: `other ${id}` } });
    expect(await events(email)).toEqual(["document-added"]);
  }

  test("has its emails delivered in order: booking, then move", async () => {
    const { maria, id } = await refusedBooking(1);
    expect((await move(id, nextHour())).status).toBe(200);
    expect(await events(maria.email)).toEqual([]);
    wait(1);
    expect(await events(maria.email)).toEqual(["visit-booked", "visit-moved"]);
  });

  test("has its cancellation delivered at once, together with the email that was waiting for a retry", async () => {
    const { maria, id } = await refusedBooking(4);
    expect(await events(maria.email)).toEqual([]);
    await admin.delete(`/api/appointments/${id}`);
    const mails = await received(maria.email);
    expect(mails.map(({ event }) => event)).toEqual(["visit-booked", "visit-cancelled"]);
    expect(mails.map(({ calendar }) => calendar?.method)).toEqual(["PUBLISH", "CANCEL"]);
  });

  test("has its move email delivered although the earlier email was refused permanently", async () => {
    const { maria, id } = await refusedBooking(1);
    expect((await move(id, nextHour())).status).toBe(200);
    const first = smtp.attempts + 1;
    smtp.refuse = ({ number }) => (number === first ? 550 : null);
    wait(1);
    expect(await events(maria.email)).toEqual(["visit-moved"]);
    smtp.refuse = () => null;
  });

  test("has its move email delivered after 45 minutes if the earlier email stays refused, which is dropped", async () => {
    const { maria, id } = await refusedBooking(1);
    const refused = { event: "visit-booked", code: 451 };
    smtp.refuseMessage = ({ to, event }) => (to === maria.email && event === refused.event ? refused.code : null);
    wait(1);
    expect(await events(maria.email)).toEqual([]);
    expect((await move(id, nextHour())).status).toBe(200);
    for (let minutes = 0; minutes < 45; minutes += 5) {
      expect(await events(maria.email)).toEqual([]);
      wait(5);
    }
    expect(await events(maria.email)).toEqual(["visit-moved"]);
    smtp.refuseMessage = () => null;
    wait(240);
    expect(await events(maria.email)).toEqual([]);
    const where = { userId: maria.id, event: "visit-booked" };
    expect(await db.message.findFirst({ where })).toMatchObject({ state: "dropped" });
  });

  test("still has its reminders sent while its move email is refused with 421 every time", async () => {
    const { maria, id } = await refusedBooking(0, inHours(72));
    smtp.refuse = () => null;
    await received();
    const start = inHours(30);
    expect((await move(id, start)).status).toBe(200);
    smtp.refuseMessage = ({ to, event }) => (to === maria.email && event === "visit-moved" ? 421 : null);
    const failure = "DATA 421";
    expect(await events(maria.email)).toEqual([]);
    const where = { userId: maria.id, event: "visit-moved" };
    expect(await db.message.findFirst({ where })).toMatchObject({ state: "pending", failure });
    for (const hours of [24, 1]) {
      while (start.getTime() - time.getTime() > hours * 3_600_000) {
        expect(await events(maria.email)).toEqual([]);
        wait(10);
      }
      await testing.writeVisitReminders();
      expect(await events(maria.email)).toEqual([`visit-reminder-${hours}h`]);
    }
    smtp.refuseMessage = () => null;
  });

  test("delays another visit's email by at most 45 minutes", async () => {
    const { maria, id } = await refusedBooking(0);
    smtp.refuse = () => null;
    await received();
    expect((await move(id, nextHour())).status).toBe(200);
    smtp.refuseMessage = ({ to, event }) => (to === maria.email && event === "visit-moved" ? 421 : null);
    expect(await events(maria.email)).toEqual([]);
    await bookOrFail(maria, { type: "emergency", appointmentDate: nextHour().toISOString() });
    for (let minutes = 0; minutes < 45; minutes += 5) {
      expect(await events(maria.email)).toEqual([]);
      wait(5);
    }
    expect(await events(maria.email)).toEqual(["visit-booked"]);
    smtp.refuseMessage = () => null;
    wait(15);
    expect(await events(maria.email)).toEqual(["visit-moved"]);
  });

  test.each([
    ["its own email is accepted first", false],
    ["another family's email is accepted first", true],
  ])("has its emails delivered in order after a two-hour mail server outage, when %s", async (_, isOtherFirst) => {
    const { maria, id, start } = await refusedBooking(0);
    smtp.refuse = () => 421;
    expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
    await bookOrFail(maria, { type: "emergency", appointmentDate: start.toISOString() });
    for (let minutes = 0; minutes < 120; minutes += 5) {
      wait(5);
      expect(await events(maria.email)).toEqual([]);
    }
    wait(2);
    smtp.refuse = () => null;
    // The later one is due before the earlier one, which was tried two minutes ago.
    const later = { userId: maria.id, event: "visit-booked", state: "pending" };
    await db.message.updateMany({ where: later, data: { nextAttemptAt: time } });
    if (isOtherFirst) await register();
    const arrived: string[] = [];
    for (let minutes = 0; minutes < 20; minutes += 1) {
      arrived.push(...(await events(maria.email)));
      wait(1);
    }
    expect(arrived.slice(-2)).toEqual(["visit-cancelled", "visit-booked"]);
  });

  test("has its cancellation delivered before the email of a visit booked in its place", async () => {
    const { maria, id, start } = await refusedBooking(0);
    smtp.refuse = ({ to }) => (to === maria.email ? 450 : null);
    expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
    expect(await events(maria.email)).toEqual([]);
    wait(1);
    await bookOrFail(maria, { type: "emergency", appointmentDate: start.toISOString() });
    expect(await events(maria.email)).toEqual([]);
    smtp.refuse = () => null;
    wait(5);
    expect(await events(maria.email)).toEqual(["visit-cancelled", "visit-booked"]);
  });

  test("is listed on the dashboard until a later email about it is accepted, whatever else is delivered", async () => {
    const { maria, id } = await refusedBooking(0);
    await received();
    const row = { text: expect.stringContaining(maria.name) as string, path: `/families/${maria.id}` };
    smtp.refuseMessage = ({ event }) => (event === "visit-moved" ? 554 : null);
    expect((await move(id, nextHour())).status).toBe(200);
    expect(await events(maria.email)).toEqual([]);
    smtp.refuseMessage = () => null;
    await sendOther(maria);
    expect(await undelivered()).toContainEqual(row);
    expect((await move(id, nextHour())).status).toBe(200);
    expect(await events(maria.email)).toEqual(["visit-moved"]);
    expect(await undelivered()).not.toContainEqual(row);
  });

  test("is listed on the dashboard after an hour, while its email is still being retried", async () => {
    const { maria } = await refusedBooking(6);
    wait(20);
    const text = expect.stringMatching(
      new RegExp(`^${maria.name}.*Not accepted yet \\(451\\), we keep trying\\.`),
    ) as string;
    admin = await consultant();
    expect(await undelivered()).toContainEqual({ text, path: `/families/${maria.id}` });
  });

  test("is also listed while its reminder is being retried, until a later reminder is accepted", async () => {
    const { maria, start } = await refusedBooking(0, inHours(72));
    smtp.refuse = () => null;
    await received();
    time = new Date(start.getTime() - 24 * 3_600_000);
    await testing.writeVisitReminders();
    smtp.refuseMessage = ({ event }) => (event === "visit-reminder-24h" ? 452 : null);
    const row = {
      text: expect.stringMatching(
        new RegExp(`^${maria.name}.*Not accepted yet \\(452\\), we keep trying\\.`),
      ) as string,
      path: `/families/${maria.id}`,
    };
    expect(await events(maria.email)).toEqual([]);
    for (const minutes of [1, 2, 5, 15, 30]) {
      wait(minutes);
      expect(await events(maria.email)).toEqual([]);
    }
    admin = await consultant();
    expect(await undelivered()).not.toContainEqual(row);
    wait(10);
    await sendOther(maria);
    expect(await undelivered()).toContainEqual(row);
    time = new Date(start.getTime() - 3_600_000);
    await testing.writeVisitReminders();
    expect(await events(maria.email)).toEqual(["visit-reminder-1h"]);
    smtp.refuseMessage = () => null;
    admin = await consultant();
    expect(await undelivered()).not.toContainEqual(row);
  });

  test("has its booking email delivered as soon as it is accepted, even shortly before the visit", async () => {
    const { maria, start } = await refusedBooking(5, inHours(6));
    smtp.refuse = ({ to }) => (to === maria.email ? 451 : null);
    while (start.getTime() - time.getTime() > 80 * 60_000) {
      wait(30);
      expect((await received(maria.email)).filter(({ event }) => event === "visit-booked")).toEqual([]);
    }
    smtp.refuse = () => null;
    wait(15);
    expect(await events(maria.email)).toEqual(["visit-booked"]);
  });

  test("and that is moved to one hour from now has both emails delivered within minutes of the server's recovery", async () => {
    const { maria, id } = await refusedBooking(6);
    smtp.refuse = ({ to }) => (to === maria.email ? 451 : null);
    expect((await move(id, inHours(1))).status).toBe(200);
    expect(await events(maria.email)).toEqual([]);
    smtp.refuse = () => null;
    wait(5);
    expect(await events(maria.email)).toEqual(["visit-booked", "visit-moved"]);
  });

  test("and whose family's account is closed sends only the cancellation email, no other pending ones", async () => {
    const { maria, id } = await refusedBooking(0, inHours(40));
    smtp.refuse = () => null;
    await received();
    smtp.refuse = ({ to }) => (to === maria.email ? 451 : null);
    time = new Date(time.getTime() + 17 * 3_600_000);
    await testing.writeVisitReminders();
    const followUp = { userId: maria.id, text: "Call", dueDay: time.toISOString().slice(0, 10), isShared: true };
    await db.followUp.create({ data: { ...followUp, createdAt: time } });
    time = new Date(`${followUp.dueDay}T23:30:00Z`);
    await testing.writeFollowUpReminders();
    admin = await consultant();
    expect((await move(id, inHours(60))).status).toBe(200);
    expect(await events(maria.email)).toEqual([]);
    const waits = await db.message.findMany({ where: { userId: maria.id, state: "pending" }, orderBy: { id: "asc" } });
    expect(waits.map(({ event }) => event)).toEqual(["follow-up-due", "visit-moved"]);
    await admin.form(`/families/${maria.id}/close`, {});
    smtp.refuse = () => null;
    wait(5);
    expect(await events(maria.email)).toEqual(["visit-cancelled"]);
  });

  test("has its email marked as failed, not delivered, once the visit has begun", async () => {
    const { maria, start } = await refusedBooking(1);
    time = new Date(start.getTime() + 1_000);
    expect(await events(maria.email)).toEqual([]);
    const where = { userId: maria.id, event: "visit-booked" };
    expect(await db.message.findFirst({ where })).toMatchObject({ state: "failed", failure: "451" });
  });

  test("has its undelivered reminder not sent to the family once the visit has begun", async () => {
    const { maria, start } = await refusedBooking(0, inHours(30));
    time = new Date(start.getTime() - 50 * 60_000);
    smtp.refuse = ({ to }) => (to === maria.email ? 451 : null);
    await testing.writeVisitReminders();
    expect(await events(maria.email)).toEqual([]);
    smtp.refuse = () => null;
    time = start;
    expect(await events(maria.email)).toEqual([]);
    const where = { userId: maria.id, event: "visit-reminder-1h" };
    expect(await db.message.findFirst({ where })).toMatchObject({ state: "failed", failure: "451" });
  });
});

test.each([
  ["refuses the sender", "MAIL FROM 550", () => void (smtp.refuseSenders = 550)],
  ["closes the connection", "CONN 421", () => void (smtp.refuse = () => 421)],
])("an email is retried after 15 minutes when the mail server %s", async (_, failure, fail) => {
  const maria = await register();
  await received();
  const due = { nextAttemptAt: time, attempts: 8, createdAt: time };
  const row = { event: "document-added", userId: maria.id, address: maria.email, content: JSON.stringify(CONTENT) };
  const { id } = await db.message.create({ data: { ...row, ...due, key: failure } });
  fail();
  await received();
  Object.assign(smtp, { refuseSenders: null, refuse: () => null });
  const { state, failure: stored, nextAttemptAt } = await db.message.findUniqueOrThrow({ where: { id } });
  expect([state, stored, nextAttemptAt.getTime() - time.getTime()]).toEqual(["pending", failure, 15 * 60_000]);
});

test("once the mail server accepts an email, those delayed by the outage are sent; a full mailbox's stays pending", async () => {
  const waiting = await register();
  await received();
  const row = { event: "document-added", userId: waiting.id, address: waiting.email, content: JSON.stringify(CONTENT) };
  const later = { nextAttemptAt: new Date(time.getTime() + 4 * 3_600_000), attempts: 8, createdAt: time };
  await db.message.create({ data: { ...row, ...later, key: "outage", failure: "ECONNREFUSED" } });
  await db.message.create({ data: { ...row, ...later, key: "mailbox full", failure: "452" } });
  expect(await received(waiting.email)).toEqual([]);
  await register();
  await received();
  const states = await db.message.findMany({ where: { userId: waiting.id, event: row.event }, orderBy: { id: "asc" } });
  expect(states.map(({ key, state }) => [key, state])).toEqual([
    ["outage", "sent"],
    ["mailbox full", "pending"],
  ]);
});

test("a family whose account is closed is sent no pending email about visits, follow-ups and documents", async () => {
  const visitEvents = ["visit-booked", "visit-moved", "visit-reminder-24h", "visit-reminder-1h", "waiting-list-offer"];
  const events = [...visitEvents, "follow-ups-shared", "follow-up-due", "document-added"];
  const maria = await register();
  const row = { userId: maria.id, address: maria.email, content: JSON.stringify(CONTENT), createdAt: time };
  const nextAttemptAt = new Date(time.getTime() + 3_600_000);
  for (const event of events)
    await db.message.create({ data: { ...row, event, key: `${event} of ${maria.id}`, nextAttemptAt } });
  expect((await (await consultant()).form(`/families/${maria.id}/close`, {})).status).toBe(302);
  const rows = await db.message.findMany({ where: { userId: maria.id, event: { in: events } } });
  expect(Object.fromEntries(rows.map(({ event, state }) => [event, state]))).toEqual(
    Object.fromEntries(events.map((event) => [event, "dropped"])),
  );
});
