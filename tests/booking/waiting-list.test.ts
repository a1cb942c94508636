// Proves the waiting list: who may join, and that a freed time is offered to one family at a time, held for two hours.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookingBody, TEST_NOW } from "../support/bookings.ts";
import { dumpDatabase } from "../support/database/database-dump.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url, RATE_LIMITS: "off" });
const { consultant, db, family, origin, setTestClock, testing, visitor } = await import("../support/site.ts");

const PATH = "/appointments/waiting-list";
const HOUR_MS = 3_600_000;
let time = TEST_NOW;
setTestClock(() => time);

let admin: TestClient;
let days = Date.parse("2026-12-12T14:00Z");

beforeAll(async () => {
  // The job would offer times between two steps of a test.
  await testing.stopJobs();
  admin = await consultant();
});

afterAll(() => smtp.stop());

const job = testing.JOBS.find(({ name }) => name === "offering freed times")!;
const offerTimes = () => job.run(new AbortController().signal);

/** The offers that the job makes now, as [address, start] of their mails. */
async function offered(): Promise<[string, string][]> {
  await offerTimes();
  await testing.deliverDueMessages();
  const mails = smtp.mails.splice(0).filter(({ event }) => event === "waiting-list-offer");
  return mails.map(({ to, text }) => [to, /When: (.+)/.exec(text)?.[1] ?? ""]);
}

type FullDay = { day: string; visits: number[]; at: (hour: number) => string; label: (clock: string) => string };

/** A day of its own that is open from 9 AM to 7 PM, with a visit in every hour. */
async function fullDay(): Promise<FullDay> {
  do days += 24 * HOUR_MS;
  while (![0, 1, 6].includes(new Date(days).getUTCDay()));
  const first = new Date(days);
  const owner = await family();
  const at = (hour: number) => new Date(first.getTime() + (hour - 9) * HOUR_MS).toISOString();
  const visit = { userId: owner.id, title: "Hourly Consulting", type: "consultation", duration: 60 };
  const visits: number[] = [];
  for (let hour = 9; hour < 19; hour += 1)
    visits.push((await db.appointment.create({ data: { ...visit, appointmentDate: at(hour) } })).id);
  const [weekday, date, month, year] = first.toUTCString().split(/,? 0?/);
  return {
    day: at(9).slice(0, 10),
    visits,
    at,
    label: (clock) => `${weekday}, ${month} ${date}, ${year} at ${clock} ET`,
  };
}

const cancel = async ({ visits }: FullDay, hour: number) =>
  expect((await admin.delete(`/api/appointments/${visits[hour - 9]}`)).status).toBe(200);

async function join(who: TestClient, day: string, duration = "60") {
  const response = await who.form(PATH, { day, duration });
  expect([response.status, response.headers.location]).toEqual([302, PATH]);
}

/** A family that waits for a day. */
async function waiting(day: string, duration = "60"): Promise<Family> {
  const who = await family({ intake: true });
  await join(who, day, duration);
  return who;
}

const offerOf = (who: Family) =>
  db.waitingListOffer.findFirstOrThrow({ where: { entry: { userId: who.id } }, orderBy: { id: "desc" } });
/** Asks to be deleted. */
const leave = (who: Family) =>
  who.request("DELETE", "/api/me", {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify({ password: who.password }),
  });
const change = async (who: Family, id: number, what: string) => who.form(PATH, { id: String(id), change: what });
const holdsOf = (who: Family) => db.hold.count({ where: { userId: who.id, expiresAt: { gt: time } } });
const book = (who: Family, appointmentDate: string) =>
  who.post("/api/appointments", bookingBody({ appointmentDate, title: "Hourly Consulting" }));

describe("joining the waiting list", () => {
  test("is possible only for a full day, once per day, and for at most five days", async () => {
    const full = await fullDay();
    const who = await waiting(full.day);
    expect((await who.get(PATH)).visibleText).toContain("You are first on the list.");
    const other = await waiting(full.day);
    expect((await other.get(PATH)).visibleText).toContain("You are number 2 on the list.");
    const closed = "2027-02-17";
    await admin.form("/calendar/hours", { kind: "closed", from: closed });
    const before = await dumpDatabase(db);
    const refused = async (day: string, duration = "60") => {
      const response = await who.form(PATH, { day, duration });
      return [response.status, response.document.querySelector("[data-error-summary] a")?.textContent];
    };
    expect(await refused(full.day)).toEqual([422, "You are already on the list for that day."]);
    expect(await refused("2027-03-13")).toEqual([422, undefined]);
    expect(await refused(closed)).toEqual([422, "We are closed that day. Choose another one."]);
    expect(await refused("2026-11-19")).toEqual([422, "That day is over. Choose a later one."]);
    expect(await refused("2029-11-19")).toEqual([422, "That day is too far ahead. Choose an earlier one."]);
    expect(await refused("2027-02-30")).toEqual([422, "Choose a day."]);
    for (const duration of ["7", "61", "240", "60.5", "60.0", "6e1", "0x3c", "+60", " 60", "many"])
      expect(await refused(full.day, duration)).toEqual([422, "Choose 60 or 90 minutes."]);
    expect(await dumpDatabase(db)).toBe(before);
    for (let days = 1; days < 5; days += 1) await join(who, (await fullDay()).day);
    expect((await who.form(PATH, { day: (await fullDay()).day, duration: "60" })).status).toBe(409);
    const entries = await db.auditEntry.count({ where: { familyId: who.id, action: "waiting-list-joined" } });
    expect(entries).toBe(5);
  });

  test("is refused to visitors and the consultant, and a family can't change another family's entry", async () => {
    const full = await fullDay();
    const [maria, devon] = [await waiting(full.day), await family()];
    const { id } = await db.waitingListEntry.findFirstOrThrow({ where: { userId: maria.id } });
    const before = await dumpDatabase(db);
    expect((await change(devon, id, "leave")).status).toBe(404);
    expect((await change(devon, 987_654, "leave")).status).toBe(404);
    expect((await change(maria, id, "steal")).status).toBe(422);
    expect((await visitor().form(PATH, { day: full.day, duration: "60" })).headers.location).toMatch(/^\/login/);
    expect((await admin.form(PATH, { day: full.day, duration: "60" })).status).toBe(403);
    expect(await dumpDatabase(db)).toBe(before);
    expect((await change(maria, id, "leave")).headers.location).toBe(PATH);
    expect((await maria.get(PATH)).visibleText).not.toContain("You are waiting for");
  });
});

describe("a full day in the booking dialog", () => {
  const strip = async (who: Family, from: string, query = "") => {
    const { document } = await who.get(`/appointments/new?from=${from}${query}`);
    return [...document.querySelectorAll("#free-times button")].map(
      (button) => `${button.getAttribute("name")} ${button.getAttribute("value")} ${button.lastChild?.textContent}`,
    );
  };
  /** Full days from a Saturday on, in a row. */
  async function fullWeekend(): Promise<[FullDay, FullDay, FullDay]> {
    let saturday = await fullDay();
    while (new Date(saturday.at(9)).getUTCDay() !== 6) saturday = await fullDay();
    return [saturday, await fullDay(), await fullDay()];
  }

  test("opens the waiting list form with day, service and duration filled in, instead of free times", async () => {
    const { day } = await fullDay();
    const who = await family({ intake: true });
    const [first = "", second = ""] = await strip(who, day);
    expect(first).toBe(`wait ${day} Full, ask us to tell you when a time opens`);
    expect(second).toMatch(/^day \S+ \d+ times?$/);
    const { document: dialog } = await who.get(`/appointments/new?from=${day}`);
    expect(dialog.querySelector("input[name=date]")?.getAttribute("value")).not.toBe(day);

    const typed = { title: "Initial Consultation", duration: "90", notes: "Reading takes all evening." };
    const response = await who.form("/appointments/new", { ...typed, wait: day });
    expect(response.headers.location).toBe(`${PATH}?day=${day}&service=Initial+Consultation&duration=90`);
    const { document: page, visibleText } = await who.follow(response);
    expect(page.querySelector("input[name=day]")?.getAttribute("value")).toBe(day);
    expect(page.querySelector("input[name=duration][value='90']")?.hasAttribute("checked")).toBe(true);
    expect(visibleText).toContain("For your visit: Initial Consultation.");
    await join(who, day, "90");
    const { document: again } = await who.get("/appointments/new");
    expect(again.querySelector("textarea[name=notes]")?.textContent).toBe("Reading takes all evening.");
  });

  test("is shown at most three times among the six days", async () => {
    const [saturday, sunday, monday] = await fullWeekend();
    const owner = await family();
    const tuesday = new Date(Date.parse(monday.at(9)) + 24 * HOUR_MS).toISOString().slice(0, 10);
    const evening = { userId: owner.id, title: "Hourly Consulting", type: "consultation", duration: 150 };
    await db.appointment.create({ data: { ...evening, appointmentDate: `${tuesday}T23:30:00Z` } });
    const who = await family({ intake: true });
    const tiles = await strip(who, saturday.day);
    expect(tiles.filter((tile) => tile.startsWith("wait")).map((tile) => tile.split(" ")[1])).toEqual(
      [saturday, sunday, monday].map(({ day }) => day),
    );
    expect(tiles).toHaveLength(6);
    expect(tiles.join()).not.toContain(tuesday);
    expect((await strip(who, tuesday))[0]).toMatch(/^wait/);
  });

  test("is not shown if no waiting is possible: for an emergency, a long visit or a closed day", async () => {
    const full = await fullDay();
    const who = await family({ intake: true });
    for (const query of ["&type=emergency", "&duration=240", "&duration=91"])
      expect((await strip(who, full.day, query)).join()).not.toContain(full.day);
    // A shorter visit than the list has waits for the next length that it does have.
    expect((await strip(who, full.day, "&duration=45"))[0]).toMatch(/^wait/);
    await admin.form("/calendar/hours", { kind: "closed", from: full.day });
    expect((await strip(who, full.day)).join()).not.toContain(full.day);
  });

  test("with an invalid date in the request redirects to the empty waiting list form", async () => {
    const who = await family({ intake: true });
    for (const wait of ["", "2027-02-30", "x".repeat(9000), "//evil.example"]) {
      const sent = { title: "<b>Anything</b>", duration: "0", wait };
      const response = await who.form("/appointments/new", sent);
      expect(response.headers.location).toBe(`${PATH}?duration=60`);
    }
    const odd = await who.get(`${PATH}?day=soon&service=%3Cb%3E&duration=-1e9`);
    expect([odd.status, odd.document.querySelector("input[name=day]")?.getAttribute("value")]).toEqual([200, ""]);
    expect(odd.visibleText).not.toContain("For your booking");
  });
});

describe("a freed time", () => {
  test("is offered to the first family, held for two hours, then offered to the next; never twice to one family", async () => {
    const full = await fullDay();
    const [maria, devon, priya] = [await waiting(full.day), await waiting(full.day), await family({ intake: true })];
    expect(await offered()).toEqual([]);
    await cancel(full, 12);
    expect(await offered()).toEqual([[maria.email, full.label("12:00 PM")]]);
    expect(await offered()).toEqual([]);
    for (const who of [devon, priya]) expect((await book(who, full.at(12))).status).toBe(409);
    expect((await maria.get(PATH)).visibleText).toContain("A time has opened up");
    time = new Date(time.getTime() + 2 * HOUR_MS - 1);
    expect(await offered()).toEqual([]);
    time = new Date(time.getTime() + 1);
    expect(await offered()).toEqual([[devon.email, full.label("12:00 PM")]]);
    expect((await book(maria, full.at(12))).status).toBe(409);
    time = new Date(time.getTime() + 2 * HOUR_MS);
    expect(await offered()).toEqual([]);
    expect((await book(priya, full.at(12))).status).toBe(201);
    admin = await consultant();
    time = TEST_NOW;
  });

  test("is shown in the email and on the dashboard with its duration and until when it is held", async () => {
    const full = await fullDay();
    const maria = await waiting(full.day, "90");
    expect((await maria.get("/dashboard")).cardText("To do")).not.toContain("A time has opened up");
    await cancel(full, 12);
    await cancel(full, 13);
    await offerTimes();
    await testing.deliverDueMessages();
    const [mail] = smtp.mails.splice(0).filter(({ event }) => event === "waiting-list-offer");
    expect(mail?.text).toContain(`When: ${full.label("12:00 PM")}\nHow long: 90 minutes\nHeld until: `);
    const [, until = ""] = /^Held until: (.+)$/m.exec(mail?.text ?? "") ?? [];
    const dashboard = await maria.get("/dashboard");
    expect(dashboard.cardText("To do")).toContain(`A time has opened up: ${full.label("12:00 PM")}`);
    expect(dashboard.cardText("To do")).toContain(`90 minutes. We are holding it for you until ${until}.`);
    const links = [...dashboard.document.querySelectorAll("main .button-primary")];
    expect(links.map((link) => link.getAttribute("href"))).toEqual([PATH]);
    expect((await maria.follow(await change(maria, (await offerOf(maria)).id, "decline"))).status).toBe(200);
    expect((await maria.get("/dashboard")).visibleText).not.toContain("A time has opened up");
  });

  test("is offered once, even if the job runs four times concurrently", async () => {
    const full = await fullDay();
    const [maria] = [await waiting(full.day), await waiting(full.day)];
    await cancel(full, 9);
    await Promise.all([offerTimes(), offerTimes(), offerTimes(), offerTimes()]);
    expect(await offered()).toEqual([[maria.email, full.label("9:00 AM")]]);
    expect(await db.waitingListOffer.count({ where: { entry: { day: full.day } } })).toBe(1);
  });

  test("is offered again to a family only if it doesn't overlap a declined offer, and then to the next family", async () => {
    const full = await fullDay();
    const [maria, devon] = [await waiting(full.day), await waiting(full.day, "90")];
    await cancel(full, 9);
    await cancel(full, 10);
    expect(await offered()).toEqual([[maria.email, full.label("9:00 AM")]]);
    await change(maria, (await offerOf(maria)).id, "decline");
    // Two hours are free: an hour and a half is offered to the second; the first gets what its own offer did not overlap.
    expect(await offered()).toEqual([[maria.email, full.label("10:00 AM")]]);
    await change(maria, (await offerOf(maria)).id, "decline");
    expect(await offered()).toEqual([[devon.email, full.label("9:00 AM")]]);
  });

  test("that is declined is offered to the next family at once; another family's offer can't be changed (404)", async () => {
    const full = await fullDay();
    const [maria, devon] = [await waiting(full.day), await waiting(full.day)];
    await cancel(full, 15);
    await offered();
    const { id } = await offerOf(maria);
    for (const what of ["take", "decline"]) {
      const [foreign, unknown] = [await change(devon, id, what), await change(devon, 987_654, what)];
      expect([what, foreign.status, foreign.visibleText]).toEqual([what, 404, unknown.visibleText]);
      expect(unknown.status).toBe(404);
    }
    expect((await change(maria, id, "decline")).headers.location).toBe(PATH);
    expect(await offered()).toEqual([[devon.email, full.label("3:00 PM")]]);
    expect((await change(maria, id, "take")).status).toBe(409);
    await change(devon, (await db.waitingListEntry.findFirstOrThrow({ where: { userId: devon.id } })).id, "leave");
    expect([await holdsOf(maria), await holdsOf(devon)]).toEqual([0, 0]);
    expect(await offered()).toEqual([]);
  });

  test("is held for two hours only with the offered duration and type, and once declined goes to the next family", async () => {
    const full = await fullDay();
    const maria = await waiting(full.day);
    for (const hour of [10, 11]) await cancel(full, hour);
    await offered();
    const fields = { title: "Hourly Consulting", slot: full.at(10), duration: "60", type: "consultation" };
    const minutesHeld = async (changes: object) => {
      const response = await maria.form("/appointments/new/draft?hold=chosen", { ...fields, ...changes });
      return [response.json.state, Math.round(response.json.msLeft / 60_000)];
    };
    expect(await minutesHeld({ duration: "120" })).toEqual(["held", 15]);
    expect(await minutesHeld({ type: "emergency" })).toEqual(["held", 15]);
    expect(await minutesHeld({})).toEqual(["held", 120]);
    await book(await family({ intake: true }), full.at(11));
    const devon = await waiting(full.day);
    await change(maria, (await offerOf(maria)).id, "decline");
    expect(await holdsOf(maria)).toBe(0);
    expect(await offered()).toEqual([[devon.email, full.label("10:00 AM")]]);
  });

  test("is released once the practice closes that day, and the family stays on the waiting list", async () => {
    const full = await fullDay();
    const maria = await waiting(full.day);
    await cancel(full, 14);
    await offered();
    const { id } = await offerOf(maria);
    await admin.form("/calendar/hours", { kind: "open", from: full.day, opens: "09:00", closes: "15:00" });
    expect([await offered(), await holdsOf(maria)]).toEqual([[], 1]);
    await admin.form("/calendar/hours", { kind: "closed", from: full.day });
    expect([await offered(), await holdsOf(maria)]).toEqual([[], 0]);
    const page = await maria.get(PATH);
    expect(page.visibleText).not.toContain("A time has opened up");
    expect(page.visibleText).toContain("You are first on the list.");
    expect((await change(maria, id, "take")).status).toBe(409);
    const [entry] = await db.auditEntry.findMany({ where: { familyId: maria.id }, orderBy: { sequence: "desc" } });
    expect([entry?.action, entry?.actorId]).toEqual(["waiting-list-withdrawn", null]);
  });

  test("is selected in the booking dialog once accepted; booking it ends the family's waiting list entry", async () => {
    const full = await fullDay();
    const maria = await waiting(full.day);
    await cancel(full, 11);
    await offered();
    const taken = await change(maria, (await offerOf(maria)).id, "take");
    expect(taken.headers.location).toBe("/appointments/new");
    const dialog = await maria.get("/appointments/new");
    const chosen = dialog.document.querySelector("[name=slot][checked]")?.getAttribute("value");
    expect(chosen).toBe(full.at(11));
    const fields = { title: "Hourly Consulting", slot: full.at(11), duration: "60", type: "consultation" };
    const booked = await maria.form("/appointments/new", { ...fields, paymentMethod: "in-person" });
    expect(booked.headers.location).toMatch(/\/booked$/);
    expect((await maria.get(PATH)).visibleText).not.toContain("You are waiting for");
    await cancel(full, 13);
    expect(await offered()).toEqual([]);
  });

  test("stays held for its two hours if the family starts to pay and then discards the booking", async () => {
    const full = await fullDay();
    const [maria, priya] = [await waiting(full.day), await family({ intake: true })];
    await cancel(full, 10);
    await offered();
    await change(maria, (await offerOf(maria)).id, "take");
    const fields = { title: "Hourly Consulting", slot: full.at(10), duration: "60", type: "consultation" };
    expect((await maria.form("/appointments/new", { ...fields, paymentMethod: "online" })).headers.location).toBe(
      "/appointments/pay",
    );
    expect(await holdsOf(maria)).toBe(1);
    time = new Date(time.getTime() + HOUR_MS);
    expect((await book(priya, full.at(10))).status).toBe(409);
    await maria.form("/appointments/new", { intent: "discard" });
    expect(await holdsOf(maria)).toBe(0);
    expect(await offered()).toEqual([]);
    expect(await holdsOf(maria)).toBe(1);
    expect((await book(priya, full.at(10))).status).toBe(409);
    time = new Date(time.getTime() + HOUR_MS);
    expect((await book(priya, full.at(10))).status).toBe(201);
    time = TEST_NOW;
    admin = await consultant();
  });

  type Offered = { maria: Family; full: FullDay; offer: { id: number; entryId: number } };
  const close = async (day: string) => {
    await admin.form("/calendar/hours", { kind: "closed", from: day });
    await offerTimes();
  };
  test.each<[string, (offered: Offered) => Promise<unknown>]>([
    ["declined", ({ maria, offer }) => change(maria, offer.id, "decline")],
    ["given up by leaving the list", ({ maria, offer }) => change(maria, offer.entryId, "leave")],
    ["booked", ({ maria, full }) => book(maria, full.at(10))],
    ["withdrawn as the day is closed", ({ full }) => close(full.day)],
    ["of a family that deletes its account", ({ maria }) => leave(maria)],
    ["of a closed account", ({ maria }) => admin.form(`/families/${maria.id}/close`, {})],
  ])("has its undelivered email dropped once it is %s", async (_, end) => {
    const full = await fullDay();
    const maria = await waiting(full.day);
    await cancel(full, 10);
    smtp.refuse = () => 451;
    expect(await offered()).toEqual([]);
    const where = { userId: maria.id, event: "waiting-list-offer" };
    expect(await db.message.findFirst({ where })).toMatchObject({ state: "pending", failure: "451" });
    const devon = await waiting(full.day);
    smtp.refuse = () => 550;
    await db.appointment.update({ where: { id: full.visits[3] }, data: { status: "cancelled" } });
    expect(await offered()).toEqual([]);
    await end({ maria: devon, full: { ...full, at: () => full.at(12) }, offer: await offerOf(devon) });
    await end({ maria, full, offer: await offerOf(maria) });
    smtp.refuse = () => null;
    time = new Date(time.getTime() + 5 * 60_000);
    await testing.deliverDueMessages();
    const mails = smtp.mails.splice(0).filter(({ to }) => to === maria.email);
    expect(mails.filter(({ event }) => event === where.event)).toEqual([]);
    expect(await db.message.findMany({ where })).toMatchObject([{ state: "dropped" }]);
    // So it does not go to an address that is confirmed later.
    const refused = { userId: devon.id, event: where.event };
    expect(await db.message.findMany({ where: refused })).toMatchObject([{ state: "failed", expiresAt: TEST_NOW }]);
    time = TEST_NOW;
  });

  test.each<[string, (maria: Family) => Promise<unknown>, (maria: Family) => Promise<Family | TestClient>]>([
    [
      "requests deletion and then keeps its account",
      leave,
      async (maria) => {
        const again = await signInAs(origin, maria.email, maria.password);
        expect((await again.form("/keep-account", {})).status).toBe(302);
        return again;
      },
    ],
    [
      "has its account closed and reopened",
      (maria) => admin.form(`/families/${maria.id}/close`, {}),
      async (maria) => {
        await db.user.update({ where: { id: maria.id }, data: { closedAt: null } });
        return signInAs(origin, maria.email, maria.password);
      },
    ],
  ])(
    "goes to the next family if the first %s, and no page says that it is still held for the first",
    async (_, end, back) => {
      const full = await fullDay();
      const [maria, devon] = [await waiting(full.day), await waiting(full.day)];
      await cancel(full, 11);
      await offered();
      await end(maria);
      expect(await offered()).toEqual([[devon.email, full.label("11:00 AM")]]);
      const again = await back(maria);
      const { visibleText } = await again.get(PATH);
      expect([visibleText.includes("on the list"), visibleText.includes("we are holding it for you")]).toEqual([
        true,
        false,
      ]);
      expect((await again.get("/dashboard")).visibleText).not.toContain("holding");
      expect(await offered()).toEqual([]);
      expect([await holdsOf(maria), await holdsOf(devon)]).toEqual([0, 1]);
    },
  );

  test("is not offered to a closed account, or less than two hours before its start", async () => {
    const full = await fullDay();
    const [maria, devon] = [await waiting(full.day), await waiting(full.day)];
    await admin.form(`/families/${maria.id}/close`, {});
    await db.user.update({ where: { id: maria.id }, data: { closedAt: time } });
    await cancel(full, 10);
    expect((await offered()).map(([to]) => to)).toEqual([devon.email]);
    await change(devon, (await offerOf(devon)).id, "decline");
    const late = await waiting(full.day).catch(() => null);
    expect(late).toBe(null);
    await db.appointment.update({ where: { id: full.visits[9] }, data: { status: "cancelled" } });
    time = new Date(Date.parse(full.at(16)) + 1);
    expect(await offered()).toEqual([]);
    time = TEST_NOW;
    admin = await consultant();
  });
});

test("the consultant sees a day's waiting list in the calendar", async () => {
  const full = await fullDay();
  const maria = await family({ firstName: "Wilhelmina", lastName: "Okonkwo" });
  await join(maria, full.day, "90");
  await waiting(full.day);
  for (const view of ["day", "week", "month"]) {
    const page = await admin.get(`/calendar?view=${view}&day=${full.day}`);
    expect([page.status, page.visibleText]).toEqual([
      200,
      expect.stringMatching(/Waiting list.*Wilhelmina Okonkwo90 minutes/),
    ]);
  }
  const elsewhere = await admin.get("/calendar?view=day&day=2027-01-05");
  expect(elsewhere.visibleText).not.toContain("Waiting list");
});

test("the cleanup job deletes the waiting list and the holds of a day that is over", async () => {
  const full = await fullDay();
  const maria = await waiting(full.day);
  await cancel(full, 9);
  await offered();
  const cleanUp = testing.JOBS.find(({ name }) => name === "cleanup of waiting lists")!;
  for (const [daysLater, kept] of [0, 1].entries()) {
    time = new Date(Date.parse(full.at(9)) + daysLater * 24 * HOUR_MS);
    await cleanUp.run(new AbortController().signal);
    const ofMaria = { where: { userId: maria.id } };
    const counts = [await db.waitingListEntry.count(ofMaria), await db.hold.count(ofMaria)];
    expect([daysLater, ...counts]).toEqual([daysLater, 1 - kept, 1 - kept]);
  }
});
