// Proves the consultant's calendar: closed days, one-off hours, and booking for a family.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setTestClock(() => NOW);

let admin: TestClient;
let maria: Family;
let noor: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez", intake: true });
  noor = await family({ firstName: "Noor", lastName: "Haddad" });
});

describe("booking by the consultant for a family", () => {
  const bookingFields = (changes: Record<string, string> = {}) => ({
    title: "Follow-up Consultation",
    type: "follow-up",
    duration: "45",
    date: "2026-12-13",
    time: "11:00",
    description: "After the school meeting.",
    ...changes,
  });
  const postBooking = (fields: Record<string, string>, who = admin) =>
    who.form(`/families/${noor.id}/appointments/new`, fields);
  const ofNoor = () => db.appointment.count({ where: { userId: noor.id } });

  test("works from the family's page without an intake form, and the visit is in the family's list", async () => {
    const { document: page } = await admin.get(`/families/${noor.id}`);
    expect(page.querySelector(`a[href="/families/${noor.id}/appointments/new"]`)?.textContent).toContain("Book");
    const dialog = await admin.get(`/families/${noor.id}/appointments/new?date=2026-12-13&duration=45`);
    expect(dialog.visibleText).toContain("Book for Noor Haddad");
    expect(dialog.document.querySelectorAll("input[name=slot]").length).toBeGreaterThan(5);
    const done = await admin.follow(await postBooking(bookingFields()));
    for (const text of ["Appointment Scheduled!", "Follow-up Consultation", "Sun, Dec 13, 2026 at 11:00 AM ET"])
      expect(done.visibleText).toContain(text);
    const [made] = (await noor.get("/api/appointments")).json;
    expect(made).toMatchObject({
      appointmentDate: "2026-12-13T16:00:00.000Z",
      duration: 45,
      type: "follow-up",
      paymentAmount: 40,
      paymentStatus: "pending",
      status: "scheduled",
      isLiveVideoCall: false,
    });
  });

  test("needs a confirmation outside office hours; refuses a past or taken time and invalid fields", async () => {
    const before = await ofNoor();
    const late = { date: "2026-12-15", time: "09:00" };
    const warned = await postBooking(bookingFields(late));
    expect([warned.status, warned.visibleText.includes("On Tuesdays the office is open 6:30pm-9pm.")]).toEqual([
      422,
      true,
    ]);
    expect(warned.visibleText).toContain("Book it anyway");
    for (const [changes, status, text] of [
      [{}, 409, "This time slot is already taken."],
      [{ date: "2026-11-15", anyway: "2026-11-15T16:00:00.000Z" }, 422, "Cannot book appointments in the past"],
      [{ duration: "14" }, 422, "from 15 to 240"],
      [{ meetingLink: "http://meet.example" }, 422, "begins with https://"],
      [{ title: "Add-On Services" }, 422, "Choose which of the Add-On Services"],
      [{ time: "", slot: "" }, 422, "Choose a time."],
    ] as const) {
      const refused = await postBooking(bookingFields(changes));
      expect([refused.status, refused.visibleText]).toEqual([status, expect.stringContaining(text)]);
      expect(refused.document.querySelector("textarea[name=description]")?.textContent).toBe(
        "After the school meeting.",
      );
    }
    expect(await ofNoor()).toBe(before);
    const anyway = new Date("2026-12-15T14:00Z").toISOString();
    expect((await postBooking(bookingFields({ ...late, anyway }))).status).toBe(302);
    expect(await ofNoor()).toBe(before + 1);
  });

  test("is refused to a family (403) and a visitor (302), and for the consultant or unknown ids (404)", async () => {
    const before = await db.appointment.count();
    expect((await postBooking(bookingFields({ time: "13:00" }), maria)).status).toBe(403);
    expect((await visitor().form(`/families/${noor.id}/appointments/new`, bookingFields())).status).toBe(302);
    const { id } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    for (const other of [id, 999_999, "x"])
      expect((await admin.form(`/families/${other}/appointments/new`, bookingFields({ time: "13:00" }))).status).toBe(
        404,
      );
    expect(await db.appointment.count()).toBe(before);
  });
});

describe("closed days and one-off hours", () => {
  const MONDAY = "2026-12-14";
  const TEN = "2026-12-14T15:00:00Z";
  const set = (fields: Record<string, string>) => admin.form("/calendar/hours", { kind: "closed", ...fields });
  const free = async (time: string, type = "consultation") =>
    (await maria.get(`/api/appointments/availability?date=${MONDAY}&time=${time}&duration=60&type=${type}`)).json;
  const book = (fields: Record<string, unknown> = {}) =>
    maria.post("/api/appointments/in-person", { title: "Hourly Consulting", appointmentDate: TEN, ...fields });

  test("a closed day refuses a family's bookings, emergencies too, with the reason on the page and in the API", async () => {
    expect((await free("10:00")).available).toBe(true);
    expect((await set({ from: MONDAY, note: "dentist" })).status).toBe(302);
    const sentence = "The office is closed on Monday, December 14, 2026. Please choose another day.";
    expect(await free("10:00")).toEqual({ available: false, reason: sentence });
    expect(await free("10:00", "emergency")).toEqual({ available: false, reason: sentence });
    for (const fields of [{}, { type: "emergency" }]) {
      const response = await book(fields);
      expect([response.status, response.json.errors]).toEqual([422, { appointmentDate: [sentence] }]);
    }
    const paying = {
      sourceId: "cnon:card-nonce-ok",
      amount: 75,
      appointmentData: { title: "Hourly Consulting", appointmentDate: TEN },
    };
    const paid = await maria.post("/api/payments/process", paying);
    expect([paid.status, paid.text.includes(sentence)]).toEqual([422, true]);
    expect(await db.appointment.count({ where: { appointmentDate: new Date(TEN) } })).toBe(0);
    const offered = await maria.get(`/appointments/new?date=${MONDAY}`);
    expect(offered.visibleText).toContain("Nothing is open on Monday, December 14, 2026.");
    expect(offered.text).not.toContain("dentist");
  });

  test("the hours page says that a note stays when a family that it names deletes its account", async () => {
    const hint = "Don't name a family here: the note stays when that family deletes its account.";
    expect((await admin.get("/calendar/hours")).visibleText).toContain(hint);
  });

  test("the consultant can schedule on a closed day after one confirmation", async () => {
    const asked = { firstName: "Jane", lastName: "Doe", email: "j@example.org", serviceNeeds: "x", urgency: "routine" };
    const { id } = await db.consultationRequest.create({ data: { ...asked, consent: true } });
    const fields = { title: "Initial Consultation", date: MONDAY, time: "16:00" };
    const warned = await admin.form(`/dashboard/requests/${id}/schedule`, fields);
    expect([warned.status, warned.visibleText.includes("The office is closed on Monday, December 14, 2026.")]).toEqual([
      422,
      true,
    ]);
    const anyway = new Date("2026-12-14T21:00Z").toISOString();
    expect((await admin.form(`/dashboard/requests/${id}/schedule`, { ...fields, anyway })).status).toBe(302);
  });

  test("one-off hours replace the usual hours until they are cleared", async () => {
    await set({ from: MONDAY, kind: "open", opens: "20:00", closes: "22:00" });
    const refused = await free("10:00");
    expect(refused.reason).toBe(
      "That is outside office hours. On Monday, December 14, 2026 the office is open 8pm-10pm.",
    );
    expect((await free("20:30")).available).toBe(true);
    expect((await free("10:00", "emergency")).available).toBe(true);
    expect((await set({ from: MONDAY, kind: "open", opens: "00:00", closes: "01:00" })).status).toBe(302);
    expect([(await free("00:00")).available, (await free("20:30")).available]).toEqual([true, false]);
    const cleared = await admin.follow(await admin.form("/calendar/hours", { clear: MONDAY }));
    expect(cleared.visibleText).toContain("Monday, December 14, 2026 has its usual hours back.");
    expect((await free("10:00")).available).toBe(true);
    for (const clear of ["a\u0000b", "0000-01-01", "2026-02-30", ""])
      expect([clear, (await admin.form("/calendar/hours", { clear })).status]).toEqual([clear, 302]);
  });

  test("closing several days at once lists the visits booked on them and cancels none", async () => {
    expect((await book({ appointmentDate: "2026-12-19T15:00:00Z" })).status).toBe(201);
    const response = await admin.follow(await set({ from: "2026-12-18", to: "2026-12-20" }));
    for (const text of [
      "Friday, December 18, 2026 to Sunday, December 20, 2026: closed.",
      "One booked visit is outside these hours and still on: Maria Alvarez, Sat, Dec 19, 2026 at 10:00 AM ET.",
    ])
      expect(response.visibleText).toContain(text);
    expect(await db.appointment.count({ where: { appointmentDate: new Date("2026-12-19T15:00Z") } })).toBe(1);
    const { id } = await db.appointment.findFirstOrThrow({ where: { appointmentDate: new Date("2026-12-19T15:00Z") } });
    const linked = async () => {
      const { document, visibleText } = await admin.get("/calendar/hours");
      const link = document.querySelector(`main a[href="/dashboard/appointments/${id}?from=%2Fcalendar%2Fhours"]`);
      return [link !== null, visibleText.includes("Closing a day cancels nothing.")];
    };
    expect(await linked()).toEqual([true, true]);
    const dialog = await admin.get(`/dashboard/appointments/${id}/cancel?from=%2Fcalendar%2Fhours`);
    expect(dialog.document.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe("/calendar/hours");
    await db.appointment.update({ where: { id }, data: { status: "cancelled" } });
    expect((await linked())[0]).toBe(false);
    await db.appointment.update({ where: { id }, data: { status: "scheduled" } });
    expect((await admin.get("/calendar?view=month&day=2026-12-01")).visibleText).toMatch(/December 18, 2026.*?closed/);
  });

  test.each([
    [{ from: "" }, "Choose the first day."],
    [{ from: "2026-11-19" }, "That day is over."],
    [{ from: "2026-02-30" }, "Enter a day that exists"],
    [{ from: "2026-12-24", to: "2026-12-23" }, "The last day is before the first."],
    [{ from: "2026-12-24", to: "2027-12-24" }, "Choose at most 62 days at once."],
    [{ from: "9999-12-31" }, "at most 2 years ahead"],
    [{ from: "2026-12-24", kind: "open" }, "Enter when you open and, after that, when you close"],
    [
      { from: "2026-12-24", kind: "open", opens: "12:00", closes: "12:00" },
      "Enter when you open and, after that, when you close",
    ],
    [{ from: "2026-12-24", kind: "perhaps" }, "Choose what happens on these days."],
  ])("the input %j is refused with 422", async (fields, sentence) => {
    const before = await db.hoursOverride.findMany();
    const response = await set(fields);
    expect([response.status, response.visibleText.includes(sentence)]).toEqual([422, true]);
    expect(await db.hoursOverride.findMany()).toEqual(before);
  });
});

describe("the calendar page", () => {
  test.each([
    "",
    "?view=month&day=2027-02-28",
    "?view=week&day=2026-12-31",
    "?view=day&day=2028-02-29",
    "?view=x&day=2026-13-01",
    "?day=0001-01-01",
    "?day=9999-12-31",
  ])("responds 200 with its days for the query “%s”", async (query) => {
    const { status, document: page } = await admin.get(`/calendar${query}`);
    expect(status).toBe(200);
    expect(page.querySelectorAll("main ol > li").length).toBeGreaterThan(0);
  });

  test("shows a late-evening visit on its day in the practice's time zone, in every view", async () => {
    // 9 PM on May 5 in New York; in UTC it is the next day.
    const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation" };
    const { id } = await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2027-05-06T01:00Z") } });
    const daysOf = async (path: string) =>
      [...(await admin.get(path)).document.querySelectorAll(`main a[href^="/dashboard/appointments/${id}?from="]`)].map(
        (link) => link.textContent?.replace(/^.*, (\w+, \w+ \d+), .*$/, "$1"),
      );
    for (const view of ["week", "day"])
      expect([view, await daysOf(`/calendar?view=${view}&day=2027-05-05`)]).toEqual([view, ["Wednesday, May 5"]]);
    // The second is below the month, on screens that are too narrow for visits in its cells.
    expect(await daysOf("/calendar?view=month&day=2027-05-05")).toEqual([
      "Wednesday, May 5",
      expect.stringMatching(/Wed, May 5, 9:00 PM$/),
    ]);
    expect(await daysOf("/calendar?view=day&day=2027-05-06")).toEqual([]);
    await db.appointment.delete({ where: { id } });
  });

  test("links to a list dialog that links back to the calendar and to a new appointment", async () => {
    const path = "/calendar?view=week&day=2027-05-05";
    const list = `/dashboard/calendar?${new URLSearchParams({ from: path })}`;
    expect((await admin.get(path)).document.querySelector(`main nav a[href="${list}"]`)?.textContent).toBe("List");
    const { document: page } = await admin.get(list);
    const dialog = page.querySelector("dialog");
    expect(dialog?.querySelector("h2")?.textContent).toBe("Appointment Calendar");
    expect(page.querySelector("h1")?.textContent).toContain("Week of");
    const hrefs = [...(dialog?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));
    expect(hrefs).toEqual(expect.arrayContaining([path, "/calendar", "/calendar/new?view=week&day=2026-11-20"]));
    expect((await admin.get("/calendar?view=day&day=2027-05-05")).visibleText).toContain(
      "Nothing is booked on this day.",
    );
  });

  test("links a future day to the hours form with that day filled in; other pages to the empty form", async () => {
    const linkOf = async (query: string) =>
      (await admin.get(`/calendar?${query}`)).document.querySelector('main a[href^="/calendar/hours"]');
    const link = await linkOf("view=day&day=2027-05-05");
    expect(link?.textContent).toBe("Close this day or change its hours");
    const form = (await admin.get(link?.getAttribute("href") ?? "")).document;
    expect(form.querySelector("[name=from]")?.getAttribute("value")).toBe("2027-05-05");
    for (const query of ["view=day&day=2026-11-19", "view=week&day=2027-05-05", "view=month&day=2027-05-05"])
      expect((await linkOf(query))?.getAttribute("href")).toBe("/calendar/hours");
  });

  test("shows the time zone, a message if nothing is booked, and canceled visits in their own section", async () => {
    const free = await admin.get("/calendar?view=week&day=2027-05-05");
    expect(free.visibleText).toContain("Nothing is booked in this week. All times are ET.");
    const start = new Date("2027-05-05T15:00:00Z");
    const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation", appointmentDate: start };
    const { id } = await db.appointment.create({ data: { ...visit, status: "cancelled" } });
    const { document: page, visibleText: words } = await admin.get("/calendar?view=week&day=2027-05-05");
    expect(words).not.toContain("Nothing is booked in this week");
    const row = page.querySelector(`main a[href^="/dashboard/appointments/${id}?from="]`);
    expect(row?.closest("section")?.textContent).toBe("CanceledWed, May 5, 11:00 AM, Maria AlvarezHourly Consulting");
    await db.appointment.delete({ where: { id } });
  });
});
