// Proves that the consultant's weekly hours, pause between visits and minimum notice decide what families can book.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { bookingBody, TEST_NOW } from "../support/bookings.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, origin, setTestClock, testing, visitor } from "../support/site.ts";

setTestClock(() => TEST_NOW);

const PATH = "/calendar/weekly-hours";
/** What the form shows as long as nothing was set. */
const DEFAULTS: Record<string, string> = {
  sundayOpens: "09:00",
  sundayCloses: "19:00",
  mondayOpens: "09:00",
  mondayCloses: "19:00",
  tuesdayOpens: "18:30",
  tuesdayCloses: "21:00",
  tuesdayByAppointment: "on",
  wednesdayOpens: "09:00",
  wednesdayCloses: "13:30",
  thursdayOpens: "18:30",
  thursdayCloses: "21:00",
  thursdayByAppointment: "on",
  fridayOpens: "15:00",
  fridayCloses: "19:00",
  saturdayOpens: "09:00",
  saturdayCloses: "19:00",
  pauseMinutes: "0",
  noticeMinutes: "0",
};

let admin: TestClient;
let maria: Family;
let noor: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true });
  noor = await family({ intake: true });
});

afterEach(async () => {
  setTestClock(() => TEST_NOW);
  await db.appointment.deleteMany();
  await db.hold.deleteMany();
  await set({});
});

const set = (changes: Record<string, string>) => admin.form(PATH, { ...DEFAULTS, ...changes });
const free = async (date: string, time: string, { type = "consultation" } = {}) =>
  (await noor.get(`/api/appointments/availability?date=${date}&time=${time}&duration=60&type=${type}`)).json;
const patch = (by: Family, path: string, body: object) =>
  by.request("PATCH", path, {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const book = (appointmentDate: string, by: Family = maria) =>
  by.post("/api/appointments/in-person", bookingBody({ appointmentDate }));

describe("weekly hours", () => {
  test("are those of the specification, also in the form, until the consultant changes them", async () => {
    const { document: page } = await admin.get(PATH);
    const shown = [...page.querySelectorAll<HTMLInputElement>("main form input")].map((input) => [
      input.name,
      input.type === "checkbox" ? (input.hasAttribute("checked") ? "on" : "") : (input.getAttribute("value") ?? ""),
    ]);
    const filled = Object.fromEntries(shown.filter(([, value]) => value));
    expect({ ...filled, pauseMinutes: "0", noticeMinutes: "0" }).toEqual(DEFAULTS);
    expect(await free("2026-12-08", "10:00")).toEqual({
      available: false,
      reason: "That is outside office hours. On Tuesdays the office is open 6:30pm-9pm.",
    });
  });

  test("take effect at once for bookings, offered times, the calendar and the public page", async () => {
    await set({
      tuesdayOpens: "10:00",
      tuesdayCloses: "12:00",
      tuesdayByAppointment: "",
      sundayClosed: "on",
    });
    expect(await free("2026-12-08", "10:00")).toEqual({ available: true, reason: null });
    expect((await free("2026-12-08", "18:30")).reason).toBe(
      "That is outside office hours. On Tuesdays the office is open 10am-12pm.",
    );
    expect((await free("2026-12-06", "10:00")).reason).toBe(
      "The office is closed on Sundays. Please choose another day.",
    );
    expect((await book("2026-12-06T15:00:00Z")).status).toBe(422);
    expect((await maria.get("/appointments/new?date=2026-12-08")).visibleText).toContain("10:00 AM");
    for (const person of [visitor(), maria, admin]) {
      const page = (await person.get("/")).visibleText;
      expect(page).toMatch(/Sun\s*closed\s*Mon\s*9am-7pm\s*Tue\s*10am-12pm\s*Wed/);
    }
    const { document: week } = await admin.get("/calendar?view=week&day=2026-12-08");
    expect(week.querySelector('a[href*="day=2026-12-08&time=10"]')).not.toBeNull();
    expect((await book("2026-12-08T15:00:00Z")).status).toBe(201);
  });

  test("set by another process reach the public page when it is refreshed", async () => {
    await testing.refreshPublicPagesIfChanged();
    const weeklyHours = JSON.stringify(Array.from({ length: 7 }, () => ({ opens: 600, closes: 660 })));
    await db.practiceSettings.update({ where: { id: 1 }, data: { weeklyHours } });
    await testing.refreshPublicPagesIfChanged();
    expect((await visitor().get("/")).visibleText).toMatch(/Sun\s*10am-11am/);
  });

  test("are overridden by the hours of a single day", async () => {
    await admin.form("/calendar/hours", { from: "2026-12-08", kind: "open", opens: "08:00", closes: "09:00" });
    await set({ tuesdayOpens: "10:00", tuesdayCloses: "12:00" });
    expect((await free("2026-12-08", "08:00")).available).toBe(true);
    expect((await free("2026-12-08", "10:00")).available).toBe(false);
    await admin.form("/calendar/hours", { clear: "2026-12-08" });
    expect((await free("2026-12-08", "10:00")).available).toBe(true);
  });

  test("apply in local time before and after a clock change", async () => {
    await set({ sundayOpens: "01:00", sundayCloses: "04:00", saturdayOpens: "09:00", saturdayCloses: "10:00" });
    // 2027-03-14: clocks go from 2 to 3 AM; 2027-11-07: from 2 back to 1 AM.
    expect((await book("2027-03-13T14:00:00Z")).status).toBe(201);
    expect((await book("2027-03-20T13:00:00Z")).status).toBe(201);
    expect((await book("2027-03-20T14:00:00Z")).status).toBe(422);
    const offered = await admin.get(`/families/${maria.id}/appointments/new?date=2027-03-14&duration=60`);
    const times = [...offered.document.querySelectorAll('input[name="slot"]')].map((input) =>
      input.getAttribute("value"),
    );
    expect(times.filter(Boolean)).toEqual(["01:00", "01:30", "03:00"]);
    expect((await book("2027-11-07T08:00:00Z")).status).toBe(201);
  });

  test("keep booked visits that are now outside, and list them with links to open, reschedule or cancel", async () => {
    const { id } = (await book("2026-12-07T15:00:00Z")).json;
    expect((await admin.get(PATH)).visibleText).not.toContain("Booked outside your hours");
    const saved = await admin.follow(await set({ mondayClosed: "on" }));
    const when = "Mon, Dec 7, 2026 at 10:00 AM ET";
    for (const text of [
      `One booked visit is outside these hours and still on: ${maria.name}, ${when}.`,
      "Booked outside your hours (1)",
    ])
      expect(saved.visibleText).toContain(text);
    expect(await db.appointment.count()).toBe(1);
    const back = `from=${encodeURIComponent(PATH)}`;
    for (const end of ["", "/reschedule", "/cancel"])
      expect(saved.document.querySelector(`main a[href="/dashboard/appointments/${id}${end}?${back}"]`)).not.toBeNull();
    const dialog = await admin.get(`/dashboard/appointments/${id}/cancel?${back}`);
    expect(dialog.document.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe(PATH);
    // A day with hours of its own is listed where these are set.
    await admin.form("/calendar/hours", { from: "2026-12-07", kind: "closed" });
    expect((await admin.get(PATH)).visibleText).not.toContain("Booked outside your hours");
    expect((await admin.get("/calendar/hours")).visibleText).toContain(maria.name);
    await admin.form("/calendar/hours", { clear: "2026-12-07" });
  });

  test("are not required for a closed weekday, but required (422) once it is open again", async () => {
    await set({ mondayClosed: "on", mondayOpens: "", mondayCloses: "" });
    const { document: page } = await admin.get(PATH);
    expect(page.querySelector('input[name="mondayClosed"]')?.hasAttribute("checked")).toBe(true);
    expect(page.querySelector('input[name="tuesdayClosed"]')?.hasAttribute("checked")).toBe(false);
    const refused = await set({ mondayOpens: "", mondayCloses: "" });
    expect([refused.status, refused.visibleText]).toEqual([422, expect.stringContaining("or choose “Closed”.")]);
  });

  test.each([
    [{ mondayOpens: "19:00" }, "Monday: enter when you open and, after that, when you close"],
    [{ mondayOpens: "20:00" }, "Monday: enter when you open and, after that, when you close"],
    [{ mondayCloses: "" }, "Monday: enter when you open and, after that, when you close"],
    [{ mondayOpens: "nine" }, "Monday: enter when you open and, after that, when you close"],
    [{ mondayOpens: "24:00" }, "Monday: enter when you open and, after that, when you close"],
    [{ pauseMinutes: "7" }, "Choose a pause from the list."],
    [{ pauseMinutes: "" }, "Choose a pause from the list."],
    [{ noticeMinutes: "-60" }, "Choose a notice from the list."],
  ])("%j is refused and changes nothing", async (changes, sentence) => {
    const before = await db.practiceSettings.findMany();
    const response = await set(changes);
    expect([response.status, response.visibleText.includes(sentence)]).toEqual([422, true]);
    expect(await db.practiceSettings.findMany()).toEqual(before);
  });

  test("can't be set by a family (403) or a visitor (redirect to sign-in)", async () => {
    const before = await db.practiceSettings.findMany();
    expect((await maria.form(PATH, DEFAULTS)).status).toBe(403);
    expect((await visitor().form(PATH, DEFAULTS)).headers.location).toBe("/login");
    expect(await db.practiceSettings.findMany()).toEqual(before);
  });
});

describe("the pause between visits", () => {
  test("keeps families from booking or moving a visit closer to another one, before or after it", async () => {
    expect((await book("2026-12-07T16:00:00Z")).status).toBe(201);
    await set({ pauseMinutes: "15" });
    for (const [time, isFree] of [
      ["09:45", true],
      ["10:00", false],
      ["12:00", false],
      ["12:14", false],
      ["12:15", true],
    ] as const)
      expect([time, (await free("2026-12-07", time)).available]).toEqual([time, isFree]);
    expect((await book("2026-12-07T17:00:00Z", noor)).json.message).toContain("already taken");
    const later = await book("2026-12-07T19:00:00Z", noor);
    const moved = await patch(noor, `/api/appointments/${later.json.id}`, { appointmentDate: "2026-12-07T17:00:00Z" });
    expect(moved.status).toBe(409);
    expect(
      (await patch(maria, `/api/appointments/${(await mariasVisit()).id}`, { appointmentDate: "2026-12-07T16:10:00Z" }))
        .status,
    ).toBe(200);
  });

  test("gives the consultant a warning (422), which she can override", async () => {
    expect((await book("2026-12-07T16:00:00Z")).status).toBe(201);
    await set({ pauseMinutes: "30" });
    const fields = {
      title: "Hourly Consulting",
      type: "consultation",
      duration: "60",
      date: "2026-12-07",
      time: "12:00",
    };
    const warned = await admin.form(`/families/${noor.id}/appointments/new`, fields);
    expect([warned.status, warned.visibleText]).toEqual([
      422,
      expect.stringContaining("That leaves less than your pause of 30 minutes to another visit."),
    ]);
    const anyway = new Date("2026-12-07T17:00Z").toISOString();
    expect((await admin.form(`/families/${noor.id}/appointments/new`, { ...fields, anyway })).status).toBe(302);
    const moving = { date: "2026-12-07", time: "12:10" };
    const { id } = await db.appointment.findFirstOrThrow({ where: { userId: noor.id } });
    const other = await admin.form(`/dashboard/appointments/${id}/reschedule`, moving);
    expect(other.visibleText).toContain("less than your pause");
  });

  const mariasVisit = () => db.appointment.findFirstOrThrow({ where: { userId: maria.id } });
});

describe("the minimum notice before a visit", () => {
  test("applies to families from the current time, but not to emergencies or the consultant", async () => {
    await set({ noticeMinutes: "1440" });
    // It is Friday, 10:00:30 AM.
    const reason = "Please book at least 24 hours ahead. If you need us sooner, call us.";
    expect(await free("2026-11-20", "16:00")).toEqual({ available: false, reason });
    expect((await free("2026-11-21", "10:00")).reason).toBe(reason);
    expect((await free("2026-11-21", "10:01")).available).toBe(true);
    expect((await free("2026-11-20", "16:00", { type: "emergency" })).available).toBe(true);
    expect((await book("2026-11-21T15:00:00Z")).json.errors).toEqual({ appointmentDate: [reason] });
    const fields = {
      title: "Hourly Consulting",
      type: "consultation",
      duration: "60",
      date: "2026-11-20",
      time: "16:00",
    };
    expect((await admin.form(`/families/${noor.id}/appointments/new`, fields)).status).toBe(302);
  });

  test("is met if the family has held the time since before the deadline", async () => {
    const start = "2026-11-21T16:00:00.000Z";
    await set({ noticeMinutes: "1440" });
    const held = { userId: maria.id, chosenByUserId: maria.id, appointmentDate: new Date(start), duration: 60 };
    await db.hold.create({ data: { ...held, heldSince: TEST_NOW, expiresAt: new Date("2026-11-20T16:15Z") } });
    setTestClock(() => new Date("2026-11-20T16:10:30Z"));
    expect((await book(start, noor)).status).toBe(422);
    expect((await book(start)).status).toBe(201);
  });

  test("is not met by a hold that was made for an emergency", async () => {
    const start = "2026-11-21T15:00:00.000Z";
    await set({ noticeMinutes: "2880" });
    const held = { userId: noor.id, chosenByUserId: noor.id, appointmentDate: new Date(start), duration: 60 };
    await db.hold.create({ data: { ...held, type: "emergency", expiresAt: new Date("2026-11-20T16:15Z") } });
    expect((await book(start, noor)).status).toBe(422);
    expect(await db.appointment.count({ where: { userId: noor.id, appointmentDate: new Date(start) } })).toBe(0);
  });
});
