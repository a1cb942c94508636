// Proves which emails a real mail server receives for each event, with text that a lock screen may show.
import ICAL from "ical.js";
import { beforeAll, describe, expect, test } from "vitest";
import { bookingBody, bookOrFail, nextFreeHour, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import { createPeople } from "../support/people.ts";
import { received, site, smtp } from "../support/site-with-mail.ts";
import { SAMPLES, uploadFile } from "../support/uploads.ts";

const { adminEmail, consultant, db, family, origin, setTestClock, testing, visitor } = site;
/** Registers through the API, as families do. */
const { family: register } = createPeople(origin);

let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;

beforeAll(async () => {
  admin = await consultant();
  await received();
});

async function minutesLater(minutes: number) {
  time = new Date(time.getTime() + minutes * 60_000);
  await testing.writeVisitReminders();
}

function patch(client: TestClient, id: number, body: object) {
  const headers = { Origin: client.origin, "Content-Type": "application/json" };
  return client.request("PATCH", `/api/appointments/${id}`, { headers, body: JSON.stringify(body) });
}

const inHours = (hours: number) => new Date(Math.ceil((time.getTime() + hours * 3_600_000) / 60_000) * 60_000);

/** Writes a visit as if it had been booked `hoursBefore` its start. */
function write(userId: number, start: Date, hoursBefore: number, more: object = {}) {
  const createdAt = new Date(start.getTime() - hoursBefore * 3_600_000);
  const data = { userId, title: "Hourly Consulting", type: "consultation", duration: 30, appointmentDate: start };
  return db.appointment.create({ data: { ...data, createdAt, ...more } });
}

describe("a family", () => {
  test("that registers gets one email with a confirmation link and without the typed name", async () => {
    const eve = await register({ firstName: "Buy Cheap Watches", lastName: "www.example.com" });
    const mails = await received();
    expect(mails.map(({ event, to }) => [event, to])).toEqual([["account-made", eve.email]]);
    const [mail] = mails;
    expect(mail?.text).toMatch(/\/confirm-email\/[\w-]{43}/);
    expect(mail?.html).toContain("/confirm-email/");
    expect(mail?.text + (mail?.html ?? "")).not.toMatch(/Watches|www\.example/);
    expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(await db.message.findFirst({ where: { userId: eve.id } })).toMatchObject({
      state: "sent",
      secretPath: null,
    });
  });

  test("that books, moves and cancels gets one email each; the calendar files together leave no event behind", async () => {
    const maria = await family({ intake: true, firstName: "Maria" });
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
    await received();
    const visit = await bookOrFail(maria, { title: "Monthly Retainer", notes: "Leo", isLiveVideoCall: true });
    const { text: ownFile } = await maria.get(`/api/appointments/${visit.id}/calendar.ics`);
    expect((await patch(maria, visit.id, { appointmentDate: nextFreeHour() })).status).toBe(200);
    expect((await maria.delete(`/api/appointments/${visit.id}`)).status).toBe(200);
    const events = ["visit-booked", "visit-moved", "visit-cancelled"];
    // Several are delivered at once, in no order.
    const mails = (await received(maria.email)).toSorted((a, b) => events.indexOf(a.event) - events.indexOf(b.event));
    expect(mails.map(({ event }) => event)).toEqual(events);
    expect(mails.map(({ calendar }) => calendar?.method)).toEqual(["PUBLISH", "PUBLISH", "CANCEL"]);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(3);
    for (const { text, html, subject } of mails) {
      expect(text).toContain("Hello Maria,");
      expect(text).toContain("(732) 555-0142");
      expect(subject + text + html).not.toMatch(/Retainer|400|Leo/);
      expect(html).not.toMatch(/<table|<img|<link|<script| on\w+=/);
    }
    expect(mails[2]?.text).toContain("You haven't paid yet, so there's nothing to refund.");
    const files = mails.map(({ calendar }) => calendar?.text ?? "");
    expect(remainingEvents(files.slice(0, 2))).toHaveLength(1);
    expect(remainingEvents([...files, files[0]!, ownFile])).toEqual([]);
  });

  test("gets an email with exactly what the consultant changed: the visit's length, its time, or both", async () => {
    const maria = await family({ intake: true });
    const { id, appointmentDate } = await bookOrFail(maria);
    const session = await consultant();
    await received();
    const told = async (body: object) => {
      expect((await patch(session, id, body)).status).toBe(200);
      const [{ subject, text } = { subject: "", text: "" }, ...others] = await received();
      expect([others, text.match(/^How long: .+$/gm)?.length]).toEqual([[], 1]);
      return [subject, text.split("\n\n")[1], text.match(/^Old .+?: /gm)];
    };
    expect(await told({ appointmentDate, duration: 90 })).toEqual([
      "Your visit has a new length",
      "Your visit is 90 minutes long now; it was 60 minutes. It still starts at the same time. Doesn't that suit you? Please call us.",
      ["Old length: "],
    ]);
    expect(await told({ appointmentDate: nextFreeHour(), duration: 45 })).toEqual([
      "Your visit has a new time and length",
      "We had to move your visit, and it is 45 minutes long now; it was 90 minutes. Doesn't that suit you? Please call us.",
      ["Old time: ", "Old length: "],
    ]);
    expect(await told({ appointmentDate: nextFreeHour() })).toEqual([
      "Your visit has a new time",
      "We had to move your visit. Everything else stays the same. Doesn't the new time suit you? Please call us.",
      ["Old time: "],
    ]);
  });

  test("whose booking is refused gets no mail", async () => {
    const [maria, devon] = [await family({ intake: true }), await family({ intake: true })];
    const { appointmentDate } = await bookOrFail(maria);
    await received();
    expect((await devon.post("/api/appointments", bookingBody({ appointmentDate }))).status).toBe(409);
    expect(await received()).toEqual([]);
  });

  test("gets one cancellation email when the consultant deletes an upcoming visit, none for a past visit", async () => {
    const maria = await family({ intake: true });
    const visit = await bookOrFail(maria);
    const past = await write(maria.id, inHours(-30), 100);
    await received();
    const { text: ownFile } = await maria.get(`/api/appointments/${visit.id}/calendar.ics`);
    const said = async (id: number) => (await admin.get(`/dashboard/appointments/${id}/delete`)).visibleText;
    expect(await said(visit.id)).toContain("and we tell them that it is canceled.");
    expect(await said(past.id)).toContain("and nobody is told.");
    for (const { id } of [visit, past]) expect((await admin.delete(`/api/appointments/${id}`)).status).toBe(200);
    const mails = await received();
    expect(mails.map(({ event, to }) => [event, to])).toEqual([["visit-cancelled", maria.email]]);
    expect(mails[0]?.calendar?.text).toContain("STATUS:CANCELLED");
    expect(remainingEvents([ownFile, mails[0]?.calendar?.text ?? ""])).toEqual([]);
  });

  test("that has not confirmed its address gets a receipt without name and service", async () => {
    const maria = await family({ intake: true });
    const { id } = await bookOrFail(maria);
    const admin = await consultant();
    await received();
    await admin.form(`/dashboard/appointments/${id}/payment`, { intent: "taken", method: "cash" });
    const [receipt] = await received(maria.email);
    expect(receipt?.text).toMatch(/^Hello,\n[^]*\nFor: \w{3}, \w{3} \d+, \d{4}\nPaid by: cash\nAmount: /);
    expect(receipt?.text).toContain("If this isn't for you, someone gave us your address by mistake.");
    expect(receipt?.text).toMatch(/^Stop emails about receipts: \S+$/m);
  });

  test("that pays by card gets a receipt with amount, service and payer in the body, not in the subject", async () => {
    const maria = await family({ intake: true });
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
    const start = nextFreeHour();
    const appointmentData = {
      title: "Initial Consultation",
      appointmentDate: start,
      duration: 60,
      type: "consultation",
    };
    const paid = await maria.post("/api/payments/process", {
      sourceId: "cnon:card-nonce-ok",
      amount: 75,
      appointmentData,
    });
    expect(paid.status).toBe(200);
    await testing.waitForBackgroundPayments();
    const mails = await received(maria.email);
    expect(mails.map(({ event }) => event).toSorted()).toEqual(["receipt", "visit-booked"]);
    const receipt = mails.find(({ event }) => event === "receipt");
    expect(receipt?.subject).toBe("Your receipt");
    expect(receipt?.text).toMatch(/For: Initial Consultation, \w{3}, \w{3} \d+, \d{4}\nPaid by: /);
    expect(receipt?.text).toContain(`\nPaid by: ${maria.name}, by card\nAmount: $75.00\n`);
    expect(receipt?.text).toMatch(/\/receipts\/\d+/);
    const canceled = await maria.delete(`/api/appointments/${paid.json.appointment.id}`);
    expect(canceled.json.refund).toBe(75);
    expect((await received())[0]?.text).toContain("$75 goes back to the card you paid with.");
  });

  test("gets an email about a document shared by the consultant, who gets one email for several family uploads", async () => {
    const maria = await family();
    await received();
    for (let page = 0; page < 3; page += 1) expect((await uploadFile(maria, { bytes: SAMPLES.txt! })).status).toBe(201);
    expect((await received()).map(({ event, to }) => [event, to])).toEqual([["document-added", adminEmail]]);
    const hidden = { bytes: SAMPLES.txt!, fields: { userId: String(maria.id), isSharedWithClient: "false" } };
    expect((await uploadFile(admin, hidden)).status).toBe(201);
    expect(await received()).toEqual([]);
    const shared = { bytes: SAMPLES.txt!, fields: { userId: String(maria.id), isSharedWithClient: "true" } };
    expect((await uploadFile(admin, shared)).status).toBe(201);
    expect((await received()).map(({ event, to }) => [event, to])).toEqual([["document-added", maria.email]]);
  });

  test("gets an email about a sign-in on a new device, not on a known one", async () => {
    const maria = await family();
    await received();
    const phone = visitor();
    const signIn = () =>
      phone.post(
        "/api/auth/login",
        { email: maria.email, password: maria.password },
        { "User-Agent": "<b>x</b> iPhone Version/1 Safari/1" },
      );
    expect((await signIn()).status).toBe(200);
    const [mail, ...others] = await received();
    expect([mail?.event, mail?.to, others]).toEqual(["new-device", maria.email, []]);
    expect(mail?.text).toContain("Device: Safari on an iPhone");
    expect((await signIn()).status).toBe(200);
    expect(await received()).toEqual([]);
  });

  test("gets an email when its password is changed", async () => {
    const maria = await family();
    await received();
    const change = {
      currentPassword: maria.password,
      newPassword: "a longer walk home",
      confirmPassword: "a longer walk home",
    };
    expect((await maria.post("/api/auth/change-password", change)).status).toBe(200);
    expect((await received()).map(({ event, to }) => [event, to])).toEqual([["password-changed", maria.email]]);
  });
});

describe("the consultant", () => {
  const changes = async () =>
    (await received(adminEmail))
      .filter(({ event }) => event === "visits-changed")
      .map(({ subject, text }) => [subject, ...(text.match(/^(?:Booked|Moved|Canceled): .+$/gm) ?? [])]);
  const inWords = (appointmentDate: string) =>
    new Date(appointmentDate).toLocaleTimeString("en-US", {
      timeZone: "America/New_York",
      hour: "numeric",
      minute: "2-digit",
    });

  test("gets a family's first visit change at once and its further ones in one hourly email, without names", async () => {
    // What other families did before.
    await minutesLater(61);
    await received();
    const maria = await family({ intake: true, firstName: "Maria" });
    const visit = await bookOrFail(maria, { notes: "Leo" });
    const [booked, ...others] = await received(adminEmail);
    expect([booked?.event, booked?.subject, others]).toEqual(["visits-changed", "A family booked a visit", []]);
    expect(booked?.text).toContain(`/dashboard/appointments/${visit.id}`);
    expect(booked?.text).toContain("Booked: ");
    expect(booked?.text).toContain(` at ${inWords(visit.appointmentDate)} ET`);
    expect(booked?.text).toContain("/unsubscribe/");
    expect((booked?.subject ?? "") + (booked?.text ?? "") + (booked?.html ?? "")).not.toMatch(/Maria|Leo|Hourly/);

    expect((await patch(maria, visit.id, { appointmentDate: nextFreeHour() })).status).toBe(200);
    expect((await maria.delete(`/api/appointments/${visit.id}`)).status).toBe(200);
    const devon = await family({ intake: true });
    await bookOrFail(devon);
    expect(await changes()).toEqual([["A family booked a visit", expect.stringMatching(/^Booked/)]]);
    await minutesLater(59);
    expect(await changes()).toEqual([]);
    await minutesLater(2);
    expect(await changes()).toEqual([
      [
        "A family changed several visits",
        expect.stringMatching(/^Moved: .* \(before: .*\)$/),
        expect.stringMatching(/^Canceled/),
      ],
    ]);
    const later = await bookOrFail(maria);
    expect(await changes()).toEqual([]);
    await minutesLater(61);
    expect(await changes()).toEqual([["A family booked a visit", expect.stringMatching(/^Booked/)]]);
    await minutesLater(61);
    expect((await maria.delete(`/api/appointments/${later.id}`)).status).toBe(200);
    expect(await changes()).toEqual([["A family canceled a visit", expect.stringMatching(/^Canceled/)]]);
  });

  test("gets a change to a visit within the next three hours at once, together with that family's pending changes", async () => {
    const labels = async () => (await changes()).map(([subject, ...facts]) => [subject, ...facts.map(labelOf)]);
    const labelOf = (fact: string) => fact.split(":")[0];
    const bo = await family({ intake: true });
    const near = await write(bo.id, inHours(2.9), 48);
    const later = await write(bo.id, inHours(6), 48);
    await received();
    expect((await bo.delete(`/api/appointments/${later.id}`)).status).toBe(200);
    expect(await labels()).toEqual([["A family canceled a visit", "Canceled"]]);
    await bookOrFail(bo);
    expect(await labels()).toEqual([]);
    await bookOrFail(bo, {
      type: "emergency",
      title: "Hourly Consulting",
      appointmentDate: inHours(0.7).toISOString(),
    });
    expect(await labels()).toEqual([["A family changed several visits", "Booked", "Booked"]]);
    expect((await bo.delete(`/api/appointments/${near.id}`)).status).toBe(200);
    expect(await labels()).toEqual([["A family canceled a visit", "Canceled"]]);
    const far = await bookOrFail(bo);
    expect(await labels()).toEqual([]);
    await minutesLater(59);
    expect(await labels()).toEqual([]);
    await minutesLater(2);
    expect(await labels()).toEqual([["A family booked a visit", "Booked"]]);
    expect((await bo.delete(`/api/appointments/${far.id}`)).status).toBe(200);
  });

  test("gets no email about her own changes, nor on a topic that she turned off, whose messages are still stored", async () => {
    const maria = await family({ intake: true });
    const visit = await bookOrFail(maria);
    await minutesLater(61);
    await received();
    // Signed out by now: she did nothing for an hour.
    const session = await consultant();
    const own = await session.post("/api/appointments", { ...bookingBody(), userId: maria.id });
    expect(own.status).toBe(201);
    expect((await patch(session, visit.id, { appointmentDate: nextFreeHour() })).status).toBe(200);
    expect((await session.delete(`/api/appointments/${visit.id}`)).status).toBe(200);
    expect(await changes()).toEqual([]);
    const before = await db.message.count({ where: { event: "visits-changed" } });
    expect((await session.form("/messages", { topic: "documents" })).status).toBe(302);
    await bookOrFail(maria);
    await minutesLater(61);
    expect(await changes()).toEqual([]);
    expect(await db.message.count({ where: { event: "visits-changed" } })).toBe(before + 1);
    expect((await (await consultant()).form("/messages", { topic: "visits" })).status).toBe(302);
    await received();
  });
});

describe("a consultation request", () => {
  const request = { firstName: "Casino", lastName: "Bonus", serviceNeeds: "Win big", urgency: "urgent", consent: true };

  test("is acknowledged once to an unconfirmed address, without the typed text; the consultant is emailed each time", async () => {
    const email = "stranger@example.org";
    for (let turn = 0; turn < 2; turn += 1)
      expect((await visitor().post("/api/consultation-requests", { ...request, email })).status).toBe(201);
    const mails = (await received()).toSorted((a, b) => a.event.localeCompare(b.event));
    expect(mails.map(({ event, to }) => [event, to])).toEqual([
      ["new-request", adminEmail],
      ["new-request", adminEmail],
      ["request-received", email],
    ]);
    for (const { text, html, subject } of mails) expect(subject + text + html).not.toMatch(/Casino|Bonus|Win big/);
    expect(mails[1]?.subject).toBe("New urgent consultation request");
  });
});

describe("reminders", () => {
  test("are sent once 24 hours and once 1 hour before, not for a visit booked or moved within that time", async () => {
    const maria = await family({ firstName: "Maria" });
    await received();
    await write(maria.id, inHours(24.5), 48, { isLiveVideoCall: true });
    await write(maria.id, inHours(20), 19);
    await write(maria.id, inHours(21), 48, { movedAt: time });
    await write(maria.id, inHours(22), 48, { status: "cancelled" });
    await minutesLater(1);
    expect(await received()).toEqual([]);
    await minutesLater(30);
    await minutesLater(1);
    const [day, ...more] = await received();
    expect([day?.event, day?.to, more]).toEqual(["visit-reminder-24h", maria.email, []]);
    await minutesLater(23 * 60);
    const events = (await received()).map(({ event, text }) => [
      event,
      /\/(video-call|appointments)\//.exec(text)?.[1],
    ]);
    expect(events).toEqual([["visit-reminder-1h", "video-call"]]);
  });

  test.each([
    ["10 hours before", 10, ["visit-booked"], ["visit-reminder-1h"]],
    ["half an hour before", 0.5, ["visit-booked"], []],
    ["two days before", 48, ["visit-booked"], ["visit-reminder-24h", "visit-reminder-1h"]],
  ])("of a visit that the family claimed by link %s are sent only after the claim", async (_, hours, atOnce, later) => {
    const maria = await family();
    const start = inHours(hours);
    const { id } = await write(maria.id, start, 400, { userId: null });
    const made = await (await consultant()).form(`/dashboard/appointments/${id}/claim-link`, {});
    const link = new URL(made.document.querySelector("output.secret")?.textContent ?? "").pathname;
    await received();
    expect((await maria.form(link, {})).status).toBe(302);
    await minutesLater(1);
    expect((await received(maria.email)).map(({ event }) => event)).toEqual(atOnce);
    const events = [];
    for (const left of [24 * 60, 60]) {
      if (start.getTime() - left * 60_000 < time.getTime()) continue;
      await minutesLater((start.getTime() - time.getTime()) / 60_000 - left);
      events.push(...(await received(maria.email)).map(({ event }) => event));
    }
    expect(events).toEqual(later);
  });

  test.each([
    ["forward the night before", "2027-03-14T14:00:00Z", "Sun, Mar 14, 2027 at 10:00 AM ET"],
    ["forward within the hour before", "2028-03-12T07:30:00Z", "Sun, Mar 12, 2028 at 3:30 AM ET"],
    ["back the night before", "2028-11-05T15:00:00Z", "Sun, Nov 5, 2028 at 10:00 AM ET"],
    ["back within the hour before", "2029-11-04T06:30:00Z", "Sun, Nov 4, 2029 at 1:30 AM ET"],
  ])("are sent 24 hours and 1 hour before in elapsed time when the clocks go %s", async (_, start, when) => {
    const maria = await family();
    const minutesBefore = (minutes: number) => new Date(Date.parse(start) - minutes * 60_000);
    time = minutesBefore(48 * 60);
    await write(maria.id, new Date(start), 400);
    await received();
    const told = [];
    for (const minutes of [24 * 60 + 1, 24 * 60, 24 * 60 - 1, 61, 60, 59]) {
      time = minutesBefore(minutes);
      await testing.writeVisitReminders();
      told.push((await received(maria.email)).map(({ event, text }) => `${event} ${/^When: (.*)$/m.exec(text)?.[1]}`));
    }
    const [day, hour] = ["24h", "1h"].map((lead) => [`visit-reminder-${lead} ${when}`]);
    expect(told).toEqual([[], day, [], [], hour, []]);
  });

  test("are not repeated for a new length, are repeated for a new start, and stay pending when the length changes", async () => {
    const [maria, session] = [await family(), await consultant()];
    const start = inHours(24);
    // Emergencies may be at any hour.
    const { id } = await write(maria.id, start, 400, { type: "emergency" });
    const change = async (body: object) => expect((await patch(session, id, body)).status).toBe(200);
    const told = async () => (await received(maria.email)).map(({ event }) => event);
    await received();
    smtp.refuse = () => 451;
    await minutesLater(1);
    await received();
    await change({ appointmentDate: start.toISOString(), duration: 45 });
    smtp.refuse = () => null;
    await minutesLater(3);
    expect(await told()).toEqual(["visit-moved", "visit-reminder-24h"]);
    await change({ appointmentDate: start.toISOString(), duration: 60 });
    await minutesLater(1);
    expect(await told()).toEqual(["visit-moved"]);
    const later = new Date(start.getTime() + 48 * 3_600_000);
    await change({ appointmentDate: later.toISOString(), duration: 60 });
    await minutesLater((later.getTime() - time.getTime()) / 60_000 - 24 * 60);
    expect(await told()).toEqual(["visit-moved", "visit-reminder-24h"]);
    await minutesLater(23 * 60);
    expect(await told()).toEqual(["visit-reminder-1h"]);
    const again = { appointmentDate: later.toISOString(), duration: 30 };
    expect((await patch(await consultant(), id, again)).status).toBe(200);
    await minutesLater(1);
    expect(await told()).toEqual(["visit-moved"]);
  });

  test("that are still undelivered when the 1-hour reminder is due are replaced by it", async () => {
    const maria = await family();
    await write(maria.id, inHours(24), 100);
    await received();
    smtp.refuse = () => 421;
    for (const minutes of [1, 23 * 60]) {
      await minutesLater(minutes);
      expect(await received()).toEqual([]);
    }
    smtp.refuse = () => null;
    await minutesLater(15);
    expect((await received(maria.email)).map(({ event }) => event)).toEqual(["visit-reminder-1h"]);
  });

  test("that are pending are dropped when the visit is canceled", async () => {
    const maria = await family();
    const { id } = await write(maria.id, inHours(20), 100);
    await received();
    smtp.refuse = () => 451;
    await minutesLater(1);
    expect(await received()).toEqual([]);
    expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
    smtp.refuse = () => null;
    await minutesLater(5);
    expect((await received(maria.email)).map(({ event }) => event)).toEqual(["visit-cancelled"]);
  });
});

test("a message is deleted after 180 days, and its secret link is deleted when it expires", async () => {
  const job = testing.JOBS.find(({ name }) => name === "deleting old messages")!;
  const DAY_MS = 86_400_000;
  const row = { event: "receipt", address: "old@example.org", content: "{}", state: "sent", nextAttemptAt: time };
  const aged = (key: string, ms: number) =>
    db.message.create({ data: { ...row, key, createdAt: new Date(time.getTime() - ms) } });
  await aged("180 days", 180 * DAY_MS);
  await aged("a moment more", 180 * DAY_MS + 1);
  const secret = { ...row, secretPath: "/secret", createdAt: time };
  await db.message.create({ data: { ...secret, key: "ends now", expiresAt: time } });
  await db.message.create({ data: { ...secret, key: "ends later", expiresAt: new Date(time.getTime() + 1) } });
  await job.run(new AbortController().signal);
  const where = { key: { in: ["180 days", "a moment more", "ends now", "ends later"] } };
  const left = await db.message.findMany({ where, orderBy: { key: "asc" } });
  expect(left.map(({ key, secretPath }) => [key, secretPath])).toEqual([
    ["180 days", null],
    ["ends later", "/secret"],
    ["ends now", null],
  ]);
});

/** The UIDs that a calendar shows which has taken in these files, in any order. */
function remainingEvents(files: string[]): string[] {
  const latest = new Map<string, ICAL.Event>();
  for (const file of files) {
    const event = new ICAL.Event(
      new ICAL.Component(ICAL.parse(file) as unknown[]).getFirstSubcomponent("vevent") ?? undefined,
    );
    const known = latest.get(event.uid);
    if (!known || event.sequence > known.sequence) latest.set(event.uid, event);
  }
  const isShown = ({ component }: ICAL.Event) => component.getFirstPropertyValue("status") !== "CANCELLED";
  return [...latest].filter(([, event]) => isShown(event)).map(([uid]) => uid);
}
