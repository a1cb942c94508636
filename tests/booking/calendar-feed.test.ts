// Proves the private calendar link: its content as read by an independent parser, its access, and when it ends.
import ICAL from "ical.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import { bookOrFail, nextFreeHour, TEST_NOW } from "../support/bookings.ts";

const PRACTICE_NAME = "Harbor, Family; Advocacy";
Object.assign(environmentOverrides, { PRACTICE_NAME });
const { adminEmail, consultant, db, family, origin, setTestClock, visitor } = await import("../support/site.ts");

setTestClock(() => TEST_NOW);

const API = "/api/calendar-feed";
const PAGE = "/dashboard/settings/calendar";
const DAY_MS = 86_400_000;

let maria: Family;
let devon: Family;
let admin: TestClient;

beforeAll(async () => {
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  devon = await family({ intake: true, firstName: "Devon", lastName: "Brooks" });
  admin = await consultant();
});

/** Makes a link; its path on this site. */
async function makeLink(client: TestClient): Promise<string> {
  const response = await client.post(API, {});
  expect([response.status, Object.keys(response.json)]).toEqual([201, ["url"]]);
  const { url } = response.json as { url: string };
  expect(url.startsWith(`${origin}/calendar/`)).toBe(true);
  return url.slice(origin.length);
}

/** Reads a feed as a calendar program does, which has no session. */
async function readFeed(path: string) {
  const response = await visitor().get(path);
  expect([response.status, response.headers["content-type"]]).toEqual([200, "text/calendar; charset=utf-8"]);
  const calendar = new ICAL.Component(ICAL.parse(response.text) as unknown[]);
  const events = calendar.getAllSubcomponents("vevent").map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      start: event.startDate.toJSDate().toISOString(),
      status: component.getFirstPropertyValue("status"),
    };
  });
  return { text: response.text, headers: response.headers, events };
}

/** As the visit's own calendar file has it. */
const uidOf = async (id: number) =>
  /^UID:(\S+)/m.exec((await admin.get(`/api/appointments/${id}/calendar.ics`)).text)?.[1] ?? "";
const statusOf = async (path: string) => (await visitor().get(path)).status;

function write(changes: object) {
  const data = { title: "Hourly Consulting", type: "consultation", duration: 60, ...changes };
  return db.appointment.create({ data: { appointmentDate: new Date(nextFreeHour()), ...data } });
}

describe("a family's calendar link", () => {
  test("names the practice, with commas and semicolons in the name escaped", async () => {
    const { text } = await readFeed(await makeLink(devon));
    const escaped = String.raw`Harbor\, Family\; Advocacy`;
    for (const line of [`NAME:${escaped}`, `X-WR-CALNAME:${escaped}`]) expect(text).toContain(`\r\n${line}\r\n`);
    expect(text).toContain(`PRODID:-//${escaped}//`);
  });

  test("gets 404 once the family's password is reset", async () => {
    const own = await family();
    const path = await makeLink(own);
    expect(await statusOf(path)).toBe(200);
    const made = await admin.form("/dashboard/reset-link", { email: own.email });
    const [, token = ""] = /reset-password\/([\w-]+)/.exec(made.text) ?? [];
    const newPassword = "seven quiet herons";
    const body = { token, newPassword, confirmPassword: newPassword };
    expect((await visitor().post("/api/auth/reset-password", body)).status).toBe(200);
    expect(await statusOf(path)).toBe(404);
  });

  test("shows the family's own visits without a session, but no title, health information, note or amount", async () => {
    const own = await bookOrFail(maria, {
      title: "Understanding an autism diagnosis",
      description: "IEP and medication",
      notes: "Leo's evaluation",
      isLiveVideoCall: true,
    });
    const others = await bookOrFail(devon);
    const { events, text, headers } = await readFeed(await makeLink(maria));
    expect(events).toEqual([
      {
        uid: await uidOf(own.id),
        sequence: 0,
        summary: `Visit with ${PRACTICE_NAME}`,
        start: own.appointmentDate,
        status: "CONFIRMED",
      },
    ]);
    expect(text).not.toContain(await uidOf(others.id));
    // The practice's own address, which the test's consultant has, is in it.
    const words = text.replace(/\r\n /g, "").replaceAll(adminEmail, "");
    expect(words).not.toMatch(/autism|diagnosis|IEP|medication|evaluation|Leo|Maria|Alvarez|Devon|consult|\$/i);
    expect(headers).toMatchObject({
      "cache-control": "private, no-store",
      "content-disposition": 'inline; filename="visits.ics"',
      "x-robots-tag": "noindex",
    });
  });

  test("shows a moved visit at its new time and a cancelled one as cancelled, like the visit's own file", async () => {
    const { id } = await bookOrFail(devon);
    const path = await makeLink(devon);
    const appointmentDate = nextFreeHour();
    const moved = await devon.request("PATCH", `/api/appointments/${id}`, {
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({ appointmentDate }),
    });
    expect(moved.status).toBe(200);
    const ownUid = await uidOf(id);
    const find = async () => (await readFeed(path)).events.find(({ uid }) => uid === ownUid);
    expect(await find()).toMatchObject({ start: appointmentDate, sequence: 1, status: "CONFIRMED" });
    expect((await devon.delete(`/api/appointments/${id}`)).status).toBe(200);
    expect(await find()).toMatchObject({ start: appointmentDate, sequence: 2, status: "CANCELLED" });
    const file = (await devon.get(`/api/appointments/${id}/calendar.ics`)).text;
    expect(file).toContain(`UID:${ownUid}`);
    expect(file).toContain("SEQUENCE:2");
  });

  test("has the correct UTC start times in the weeks when clocks change", async () => {
    const person = await family();
    const starts = [
      "2026-10-31T14:00:00.000Z",
      "2026-11-01T05:30:00.000Z",
      "2026-11-01T06:30:00.000Z",
      "2026-11-02T15:00:00.000Z",
      "2027-03-13T15:00:00.000Z",
      "2027-03-14T06:30:00.000Z",
      "2027-03-14T13:00:00.000Z",
      "2027-03-15T14:00:00.000Z",
    ];
    for (const start of starts) await write({ userId: person.id, appointmentDate: new Date(start), duration: 45 });
    const { events, text } = await readFeed(await makeLink(person));
    expect(events.map(({ start }) => start).toSorted()).toEqual(starts);
    expect(text.match(/^DTSTART:\d{8}T\d{6}Z\r$/gm)).toHaveLength(starts.length);
    expect(text).not.toContain("TZID");
  });

  test("includes past visits of the last 60 days only", async () => {
    const person = await family();
    const before = (days: number) => new Date(Date.parse("2026-11-20T15:00Z") - days * DAY_MS);
    const recent = await write({ userId: person.id, appointmentDate: before(59), status: "completed" });
    await write({ userId: person.id, appointmentDate: before(61), status: "completed" });
    const { events } = await readFeed(await makeLink(person));
    expect(events.map(({ uid }) => uid)).toEqual([await uidOf(recent.id)]);
  });

  test("answers HEAD with headers only, and POST with 405", async () => {
    const path = await makeLink(maria);
    const head = await visitor().request("HEAD", path, {});
    expect([head.status, head.headers["content-type"], head.text]).toEqual([200, "text/calendar; charset=utf-8", ""]);
    const posted = await visitor().request("POST", path, { headers: { Origin: origin } });
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});

describe("the consultant's calendar link", () => {
  test("shows every visit with its family's name, even if the visit's request has no account", async () => {
    const own = await bookOrFail(maria, { title: "Hourly Consulting - autism", notes: "Client: Somebody Else" });
    const asked = { email: "noor@example.com", serviceNeeds: "IEP", urgency: "routine", consent: true };
    const request = await db.consultationRequest.create({ data: { ...asked, firstName: "Noor", lastName: "Haddad" } });
    const unclaimed = await write({ consultationRequestId: request.id });
    const nobodys = await write({ title: "Consultation - autism", notes: "Client: medication" });
    const { events, text } = await readFeed(await makeLink(admin));
    const summaries = Object.fromEntries(events.map(({ uid, summary }) => [uid, summary]));
    expect(summaries).toMatchObject({
      [await uidOf(own.id)]: "Visit with Maria Alvarez",
      [await uidOf(unclaimed.id)]: "Visit with Noor Haddad",
      [await uidOf(nobodys.id)]: "Visit with a family",
    });
    expect(text).not.toMatch(/autism|medication|IEP|Somebody|consulting|\$/i);
    expect(text).toContain(`/dashboard/appointments/${own.id}`);
    expect(events).toHaveLength(
      await db.appointment.count({ where: { appointmentDate: { gte: new Date(TEST_NOW.getTime() - 60 * DAY_MS) } } }),
    );
  });

  test("shows 1,000 visits at most", async () => {
    const start = Date.parse("2028-01-01T00:00Z");
    const rows = Array.from({ length: 1001 }, (_, index) => ({
      userId: maria.id,
      title: "Hourly Consulting",
      type: "consultation",
      duration: 60,
      status: "cancelled",
      appointmentDate: new Date(start + index * 3_600_000),
    }));
    await db.appointment.createMany({ data: rows });
    expect((await readFeed(await makeLink(admin))).events).toHaveLength(1000);
    await db.appointment.deleteMany({ where: { appointmentDate: { gte: new Date(start) } } });
  });
});

describe("a calendar link stops working", () => {
  test("when a new one is made: the earlier link gets 404, and only a hash of the new one is stored", async () => {
    const [first, second] = [await makeLink(maria), await makeLink(maria)];
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    const rows = await db.calendarFeed.findMany({ where: { userId: maria.id } });
    expect(rows).toHaveLength(1);
    const secret = second.replace(/^\/calendar\/|\.ics$/g, "");
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("when others are made concurrently: exactly one of the four works", async () => {
    const paths = await Promise.all(Array.from({ length: 4 }, () => makeLink(devon)));
    const statuses = await Promise.all(paths.map(statusOf));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test("when its owner turns it off, once or twice; another family's link still works", async () => {
    const [own, other] = [await makeLink(maria), await makeLink(devon)];
    for (let count = 0; count < 2; count++) expect((await maria.delete(API)).status).toBe(200);
    expect([await statusOf(own), await statusOf(other)]).toEqual([404, 200]);
  });

  test("when the account is closed", async () => {
    const person = await family();
    const path = await makeLink(person);
    expect(await statusOf(path)).toBe(200);
    expect((await admin.form(`/families/${person.id}/close`, {})).status).toBe(302);
    expect(await statusOf(path)).toBe(404);
  });

  test("while the account waits for its erasure, also if the link itself was not ended", async () => {
    const person = await family();
    const path = await makeLink(person);
    await db.user.update({ where: { id: person.id }, data: { eraseAfter: new Date(TEST_NOW.getTime() + 86_400_000) } });
    expect(await statusOf(path)).toBe(404);
    await db.user.update({ where: { id: person.id }, data: { eraseAfter: null } });
    expect(await statusOf(path)).toBe(200);
  });
});

describe("access to calendar links", () => {
  test("a made-up link gets 404 with the same body as a link that was turned off", async () => {
    const path = await makeLink(maria);
    await maria.delete(API);
    await makeLink(devon);
    const { secretHash } = await db.calendarFeed.findUniqueOrThrow({ where: { userId: devon.id } });
    const ended = await visitor().get(path);
    expect([ended.status, ended.headers["cache-control"], ended.headers["x-robots-tag"]]).toEqual([
      404,
      "private, no-store",
      "noindex",
    ]);
    for (const name of [
      `${"A".repeat(43)}.ics`,
      `${secretHash}.ics`,
      path.slice("/calendar/".length, -4),
      `${path.slice("/calendar/".length, -4)}.ics.ics`,
      ".ics",
      `${"a".repeat(3000)}.ics`,
      "..%2F.ics",
    ]) {
      const response = await visitor().get(`/calendar/${name}`);
      expect([name, response.status, response.text]).toEqual([name, 404, ended.text]);
    }
  });

  test("making or ending a link requires a session (401) and a same-origin request (403)", async () => {
    for (const method of ["POST", "DELETE"]) {
      const response = await visitor().request(method, API, { headers: { Origin: origin } });
      expect([method, response.status, response.json]).toEqual([method, 401, { message: "Unauthorized" }]);
    }
    expect((await maria.get(API)).headers.allow).toBe("POST, DELETE");
    const foreign = await maria.request("POST", API, { headers: { Origin: "https://evil.example" } });
    expect(foreign.status).toBe(403);
  });
});

describe("the settings page of the calendar link", () => {
  test("makes a link, shows it once, and turns it off", async () => {
    const person = await family();
    expect((await person.get(PAGE)).text).toContain("Make a link");
    const made = await person.form(PAGE, { link: "new" });
    expect(made.status).toBe(200);
    const path = /\/calendar\/[\w-]{43}\.ics/.exec(made.text)?.[0] ?? "";
    expect(await statusOf(path)).toBe(200);
    const later = (await person.get(PAGE)).text;
    expect(later).toContain("Your link is on.");
    expect(later).not.toContain(path);
    const ended = await person.form(PAGE, { link: "end" });
    expect([ended.status, ended.headers.location]).toEqual([302, PAGE]);
    expect(await statusOf(path)).toBe(404);
  });

  test("refuses any other action with 422, and the link still works", async () => {
    const person = await family();
    const path = await makeLink(person);
    const wrong: Record<string, string>[] = [{}, { link: "" }, { link: "all" }];
    for (const fields of wrong) {
      const response = await person.form(PAGE, fields);
      expect([response.status, response.text]).toEqual([
        422,
        expect.stringContaining("Choose what to do with the link."),
      ]);
    }
    expect(await statusOf(path)).toBe(200);
  });
});
