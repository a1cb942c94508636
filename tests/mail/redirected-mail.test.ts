// Proves which undelivered emails of an account are sent to its newly confirmed address: those still valid, in order.
import { beforeEach, describe, expect, test } from "vitest";
import { bookOrFail, openHours, TEST_NOW } from "../support/bookings.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import type { TestClient } from "../support/http-client.ts";
import { createPeople, type Family } from "../support/people.ts";
import { received, site, smtp } from "../support/site-with-mail.ts";

const { consultant, db, family, origin, setTestClock, testing } = site;
/** Registers through the API, as families do. */
const { family: register } = createPeople(origin);

const HOUR_MS = 3_600_000;
const CONTENT = { subject: "News", preview: "", paragraphs: ["Something is new."] };
let time = TEST_NOW;
setTestClock(() => time);
const pass = (milliseconds: number) => void (time = new Date(time.getTime() + milliseconds));

let admin: TestClient;
let addresses = 0;
const days = openHours();

beforeEach(async () => {
  admin = await consultant();
  await received();
});

/** Hours on which the office is open, two days from now and later. */
function nextHour(): Date {
  const hour = new Date(days.next().value);
  return hour.getTime() > time.getTime() + 48 * HOUR_MS ? hour : nextHour();
}

/** A family whose address is confirmed. */
async function confirmed(): Promise<Family> {
  const person = await family({ intake: true });
  await db.user.update({ where: { id: person.id }, data: { emailConfirmedAt: time } });
  await received();
  return person;
}

const linkIn = (text = "") => new URL(/http:\S+/.exec(text)?.[0] ?? "", origin).pathname;

/** Asks for another address, and returns it with the link that was mailed there. */
async function ask(person: Family) {
  const email = `new.${(addresses += 1)}@example.org`;
  await confirmIdentity(person);
  expect((await person.form("/change-email", { email })).status).toBe(302);
  await testing.deliverDueMessages();
  return { email, link: linkIn(smtp.mails.findLast(({ to }) => to === email)?.text) };
}

async function change(person: Family): Promise<string> {
  const { email, link } = await ask(person);
  await received();
  expect((await person.form(link, {})).status).toBe(302);
  return email;
}

const move = (id: number, start: Date) =>
  admin.request("PATCH", `/api/appointments/${id}`, {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ appointmentDate: start.toISOString() }),
  });

async function book(person: Family): Promise<{ id: number; start: Date }> {
  const start = nextHour();
  const { id } = await bookOrFail(person, { appointmentDate: start.toISOString() });
  await received();
  return { id: Number(id), start };
}

/** Confirms the new address while the earlier one gets the booking's email, which it then answers with `code`. */
function confirmDuringDelivery(person: Family, link: string, code: number | null): void {
  smtp.refuseMessage = async ({ to, event }) => {
    if (to !== person.email || event !== "visit-booked") return null;
    smtp.refuseMessage = () => null;
    expect((await person.form(link, {})).status).toBe(302);
    return code;
  };
}

/** Does `work` while the mail server refuses for good what is mailed to an address, of one event or of all. */
async function refusing<T>(to: string, event: string | null, work: () => Promise<T>): Promise<T> {
  smtp.refuseMessage = (mail) => (mail.to === to && (event ?? mail.event) === mail.event ? 554 : null);
  const result = await work();
  await received();
  smtp.refuseMessage = () => null;
  return result;
}

const told = async (email: string) => (await received(email)).map(({ event }) => event);
/** The start that a calendar file names, such as "20270102T150000Z". */
const startIn = (mail?: { calendar: { text: string } | null }) =>
  /^DTSTART[^:]*:(\S+)/m.exec(mail?.calendar?.text ?? "")?.[1];
const inCalendar = (start: Date) => start.toISOString().replace(/[-:]|\.\d+/g, "");

describe("a newly confirmed address", () => {
  test("gets emails still pending for the earlier address, except those about that address or the account's security", async () => {
    const person = await confirmed();
    const row = { userId: person.id, address: person.email, content: JSON.stringify(CONTENT), createdAt: time };
    const later = { ...row, nextAttemptAt: new Date(time.getTime() + 3_600_000), attempts: 4, failure: "452" };
    const ofAddress = ["new-device", "account-changed", "account-made", "confirm-email"];
    for (const event of ["visit-moved", ...ofAddress])
      await db.message.create({ data: { ...later, event, key: `${event} ${person.id}` } });
    const email = await change(person);
    const events = (await received(email)).map(({ event }) => event);
    expect(events).toContain("visit-moved");
    expect(events.filter((event) => ofAddress.includes(event))).toEqual([]);
  });

  test("gets emails permanently refused in the last three days, except expired ones and account security emails", async () => {
    const person = await confirmed();
    const failed = { userId: person.id, address: person.email, content: JSON.stringify(CONTENT), state: "failed" };
    const add = (event: string, createdAt: Date, expiresAt: Date | null) => {
      const key = `${event} ${person.id}`;
      const data = {
        ...failed,
        event,
        key,
        createdAt,
        expiresAt,
        failure: "550",
        attempts: 1,
        nextAttemptAt: createdAt,
      };
      return db.message.create({ data });
    };
    const earlier = (milliseconds: number) => new Date(time.getTime() - milliseconds);
    await add("visit-booked", earlier(3 * 86_400_000 - 1_000), earlier(-86_400_000));
    await add("receipt", earlier(60_000), null);
    await add("visit-reminder-1h", earlier(60_000), time);
    await add("visit-moved", earlier(3 * 86_400_000), null);
    await add("password-changed", earlier(60_000), null);
    const email = await change(person);
    const events = (await received(email)).map(({ event }) => event);
    expect(events.toSorted()).toEqual(["receipt", "visit-booked"]);
    const left = await db.message.count({ where: { userId: person.id, state: "failed" } });
    expect(left).toBe(3);
  });

  test("gets no refused booking email of a visit that was moved or canceled since", async () => {
    for (const end of [(id: number) => move(id, nextHour()), (id: number) => admin.delete(`/api/appointments/${id}`)]) {
      const maria = await confirmed();
      const { id } = await refusing(maria.email, "visit-booked", () => book(maria));
      pass(60_000);
      expect((await end(id)).status).toBe(200);
      expect(await told(maria.email)).toHaveLength(1);
      expect(await told(await change(maria))).toEqual([]);
    }
  });

  test("gets no refused reminder of a visit's old time, nor a refused move email after a later one was delivered", async () => {
    const [maria, devon] = [await confirmed(), await confirmed()];
    const { id, start } = await book(maria);
    time = new Date(start.getTime() - 24 * HOUR_MS);
    admin = await consultant();
    for (const person of [maria, devon])
      await person.post("/api/auth/login", { email: person.email, password: person.password });
    await received();
    await refusing(maria.email, null, () => testing.writeVisitReminders());
    expect(await db.message.count({ where: { userId: maria.id, state: "failed" } })).toBe(1);
    expect((await move(id, nextHour())).status).toBe(200);
    expect(await told(maria.email)).toEqual(["visit-moved"]);
    const other = await book(devon);
    await refusing(devon.email, null, () => move(other.id, nextHour()));
    expect((await move(other.id, nextHour())).status).toBe(200);
    expect(await told(devon.email)).toEqual(["visit-moved"]);
    for (const person of [maria, devon]) expect(await told(await change(person))).toEqual([]);
  });

  test("gets only the latest email of a visit, followed by its reminder, if the earlier address refused all emails", async () => {
    const maria = await confirmed();
    const last = nextHour();
    await refusing(maria.email, null, async () => {
      const { id } = await book(maria);
      for (const start of [nextHour(), last]) {
        expect((await move(id, start)).status).toBe(200);
        await received();
      }
    });
    const email = await change(maria);
    const mails = await received(email);
    expect(mails.map(({ event }) => event)).toEqual(["visit-moved"]);
    expect(startIn(mails[0])).toBe(inCalendar(last));

    const devon = await confirmed();
    await refusing(devon.email, null, async () => {
      const { start } = await book(devon);
      time = new Date(start.getTime() - 24 * HOUR_MS);
      await testing.writeVisitReminders();
    });
    await devon.post("/api/auth/login", { email: devon.email, password: devon.password });
    expect(await told(await change(devon))).toEqual(["visit-booked", "visit-reminder-24h"]);
    admin = await consultant();
  });

  test("gets each visit's latest email, in the order in which they were written", async () => {
    const maria = await confirmed();
    await refusing(maria.email, null, async () => {
      const { id } = await book(maria);
      await book(maria);
      expect((await admin.delete(`/api/appointments/${id}`)).status).toBe(200);
    });
    expect(await told(await change(maria))).toEqual(["visit-booked", "visit-cancelled"]);
  });

  /** A family whose address refused an email of each of these topics, of which it keeps two. */
  async function refusedEachTopic(): Promise<Family> {
    const person = await confirmed();
    const row = { userId: person.id, address: person.email, content: JSON.stringify(CONTENT), createdAt: time };
    const failed = { ...row, state: "failed", failure: "552", attempts: 1, nextAttemptAt: time };
    for (const event of ["document-added", "receipt", "follow-ups-shared"])
      await db.message.create({ data: { ...failed, event, key: `${event}, refused, ${person.id}` } });
    expect((await person.form("/messages", { topic: ["receipts", "follow-ups"] })).status).toBe(302);
    return person;
  }

  test("gets no refused email of a topic that is turned off", async () => {
    const maria = await refusedEachTopic();
    expect((await told(await change(maria))).toSorted()).toEqual(["follow-ups-shared", "receipt"]);
  });

  test("gets no refused follow-up email from before the account was closed", async () => {
    const maria = await refusedEachTopic();
    await admin.form(`/families/${maria.id}/close`, {});
    await db.user.update({ where: { id: maria.id }, data: { closedAt: null } });
    await maria.post("/api/auth/login", { email: maria.email, password: maria.password });
    expect(await told(await change(maria))).toEqual(["receipt"]);
  });

  test("that is the account's first gets no booking email that was refused before the visit was moved", async () => {
    const maria = await register({ intake: true });
    const link = linkIn((await received(maria.email)).find(({ event }) => event === "account-made")?.text);
    const { id } = await refusing(maria.email, "visit-booked", () => book(maria));
    expect((await move(id, nextHour())).status).toBe(200);
    expect(await told(maria.email)).toEqual(["visit-moved"]);
    expect((await maria.form(link, {})).status).toBe(302);
    expect(await told(maria.email)).toEqual([]);
  });

  test.each([550, 451])(
    "gets the email that the earlier address refuses (%i) while the change is being confirmed",
    async (code) => {
      const maria = await confirmed();
      const { email, link } = await ask(maria);
      await received();
      confirmDuringDelivery(maria, link, code);
      await bookOrFail(maria, { appointmentDate: nextHour().toISOString() });
      expect(await told(email)).toEqual(["visit-booked"]);
      const where = { userId: maria.id, event: "visit-booked" };
      expect(await db.message.findFirst({ where })).toMatchObject({ state: "sent", address: email, failure: null });
    },
  );

  test("gets no copy of an email that the earlier address accepts while the change is being confirmed", async () => {
    const maria = await confirmed();
    const { email, link } = await ask(maria);
    await received();
    confirmDuringDelivery(maria, link, null);
    await bookOrFail(maria, { appointmentDate: nextHour().toISOString() });
    const mails = (await received()).filter(({ event }) => event === "visit-booked");
    expect(mails.map(({ to }) => to)).toEqual([maria.email]);
    pass(HOUR_MS);
    expect(await told(email)).toEqual([]);
  });
});
