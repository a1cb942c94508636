// Proves the administrator's pages of families, requests, hours and documents.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setNow, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setNow(() => NOW);

let admin: TestClient;
let maria: Family;
let noor: Family;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez", intake: true });
  noor = await family({ firstName: "Noor", lastName: "Haddad" });
});

describe("the families", () => {
  test("stand by their last name, and are found by their child, their address and their intake form", async () => {
    const { visibleText: words } = await admin.get("/families");
    expect(words.indexOf("Maria Alvarez")).toBeLessThan(words.indexOf("Noor Haddad"));
    expect((await admin.get("/families?q=LEO")).visibleText).toContain("1 family. Maria Alvarez".replace(". ", "."));
    expect((await admin.get(`/families?q=${noor.email}`)).visibleText).toContain("Noor Haddad");
    const waiting = (await admin.get("/families?intake=no")).visibleText;
    expect([waiting.includes("Noor Haddad"), waiting.includes("Maria Alvarez")]).toEqual([true, false]);
  });

  test("come a page at a time", async () => {
    const rows = Array.from({ length: 60 }, (_, number) => ({
      email: `many.${number}@example.com`,
      firstName: "Many",
      lastName: `Zz${String(number).padStart(2, "0")}`,
      password: "-",
    }));
    await db.user.createMany({ data: rows });
    const second = await admin.get("/families?q=many&page=2");
    expect(second.visibleText).toContain("Page 2 of 3");
    expect([second.visibleText.includes("Zz24"), second.visibleText.includes("Zz25")]).toEqual([false, true]);
    expect(second.document.querySelector('a[href="/families?q=many&page=3"]')).not.toBeNull();
    expect((await admin.get("/families?q=many&page=99")).visibleText).toContain("Page 3 of 3");
  });
});

describe("one family's page", () => {
  test("has contact, intake, appointments, documents, payments and notes", async () => {
    const appointment = await db.appointment.create({
      data: {
        title: "Hourly Consulting",
        type: "consultation",
        userId: maria.id,
        appointmentDate: new Date("2026-12-05T15:00Z"),
      },
    });
    const file = { fileName: "plan.pdf", fileType: "application/pdf", fileSize: 3, filePath: "nowhere" };
    await db.document.create({ data: { ...file, userId: maria.id } });
    const paid = { method: "cash", key: "k-1", booking: "{}", amountCents: 7500, state: "paid", leaseEndsAt: NOW };
    await db.payment.create({ data: { ...paid, userId: maria.id, appointmentId: appointment.id } });
    const { visibleText: words } = await admin.get(`/families/${maria.id}`);
    for (const text of [maria.email, "Leo", "Hourly Consulting", "plan.pdf", "$75", "Private notes"])
      expect(words).toContain(text);
  });

  test("lists what was paid, and no attempt that came to nothing or is under way", async () => {
    const states = ["started", "waiting", "authorized", "booked", "voiding", "closing", "declined", "voided"];
    const common = { userId: maria.id, method: "card", booking: "{}", leaseEndsAt: new Date("2030-01-01T00:00Z") };
    for (const [at, state] of [...states, "paid"].entries())
      await db.payment.create({ data: { ...common, key: `of ${state}`, amountCents: 123_400 + at, state } });
    const words = (await admin.get(`/families/${maria.id}`)).visibleText;
    const shown = [...states, "paid"].filter((_, at) => new RegExp(`\\$1,?234\\.0${at}`).test(words));
    expect(shown).toEqual(["paid"]);
  });

  test.each(["0", "x", "2147483648", "999999"])("%s is no family", async (id) => {
    expect((await admin.get(`/families/${id}`)).status).toBe(404);
    expect((await admin.form(`/families/${id}`, { text: "note" })).status).toBe(404);
  });

  test("is not there for the consultant's own account", async () => {
    const { id } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    expect((await admin.get(`/families/${id}`)).status).toBe(404);
  });
});

describe("private notes", () => {
  const SECRET = "Father wants no calls at work";

  test("are kept, shown to the consultant and deleted after a question", async () => {
    const saved = await admin.follow(await admin.form(`/families/${maria.id}`, { text: `  ${SECRET}\nsecond line ` }));
    expect(saved.visibleText).toContain(`${SECRET} second line`);
    const note = await db.familyNote.findFirstOrThrow({ where: { userId: maria.id } });
    expect((await admin.form(`/families/${maria.id}`, { text: "  " })).status).toBe(422);
    expect((await admin.get(`/families/${noor.id}/notes/${note.id}/delete`)).status).toBe(404);
    await admin.form(`/families/${noor.id}/notes/${note.id}/delete`, {});
    expect(await db.familyNote.count({ where: { id: note.id } })).toBe(1);
    const [own, others] = [maria.id, noor.id].map((id) => `/families/${id}/notes/${note.id}/edit`);
    expect((await admin.get(own!)).document.querySelector("dialog textarea")?.textContent).toContain(SECRET);
    expect((await admin.form(own!, { text: "  " })).status).toBe(422);
    expect((await admin.form(others!, { text: "Elsewhere" })).status).toBe(404);
    expect((await maria.form(own!, { text: "Mine" })).status).toBe(403);
    const changed = await admin.follow(await admin.form(own!, { text: " Aunt collects. " }));
    expect(changed.visibleText).toContain("Note changed");
    expect(await db.familyNote.findUnique({ where: { id: note.id }, select: { text: true } })).toEqual({
      text: "Aunt collects.",
    });
    expect((await admin.get(`/families/${maria.id}/notes/${note.id}/delete`)).visibleText).toContain(
      "cannot be undone",
    );
    await admin.form(`/families/${maria.id}/notes/${note.id}/delete`, {});
    expect(await db.familyNote.count()).toBe(0);
  });

  test("are on no page and in no answer of the family's", async () => {
    await admin.form(`/families/${maria.id}`, { text: SECRET });
    expect((await admin.get(`/families/${maria.id}`)).text).toContain(SECRET);
    const doors = ["/dashboard", "/dashboard.data", "/appointments.data", "/documents.data", "/intake-form.txt"];
    const calls = ["auth/me", "appointments", "documents", "intake-forms", `users/${maria.id}`].map(
      (path) => `/api/${path}`,
    );
    for (const path of [...doors, ...calls, `/families/${maria.id}`, `/families/${maria.id}.data`])
      expect([path, (await maria.get(path)).text.includes(SECRET)]).toEqual([path, false]);
  });
});

describe("the archive of requests", () => {
  test("finds those that became appointments, and leads to them", async () => {
    const story = {
      firstName: "Jane",
      lastName: "Doe",
      email: "jane@example.org",
      serviceNeeds: "Wheelchair",
      urgency: "urgent",
    };
    const { id } = await db.consultationRequest.create({ data: { ...story, consent: true } });
    const plan = { consultationRequestId: id, title: "Initial Consultation", appointmentDate: "2026-12-06T15:00:00Z" };
    const made = await admin.post("/api/appointments/from-consultation", plan);
    expect(made.status).toBe(201);
    expect((await admin.get("/requests?q=wheelchair&status=open")).visibleText).toContain("0 requests.");
    const { document: page, visibleText: words } = await admin.get("/requests?q=wheelchair&status=scheduled");
    expect(words).toContain("1 request.");
    expect(page.querySelector(`a[href^="/dashboard/appointments/${made.json.id}?"]`)).not.toBeNull();
    await admin.delete(`/api/appointments/${made.json.id}`);
    expect((await admin.get("/requests?q=wheelchair")).visibleText).toContain("Its appointment was deleted.");
  });

  test("begins with the newest, and finds a word in each of the six fields she knows it by", async () => {
    const text = { firstName: "Ines", lastName: "Costa", email: "i@example.org", serviceNeeds: "Archive order" };
    const common = { urgency: "routine", consent: true };
    const changes = {
      firstName: "Zephyrine",
      lastName: "Quillfeather",
      email: "marmalade@example.org",
      phone: "555-0188-777",
      serviceNeeds: "Archive order, dyscalculia",
      message: "After the hailstorm.",
    };
    const rows = Object.entries(changes).map(([field, value], at) => ({ ...text, ...common, [field]: value, at }));
    for (const { at, ...row } of rows.toReversed())
      await db.consultationRequest.create({ data: { ...row, createdAt: new Date(NOW.getTime() - at * 60_000) } });
    const names = async (query: string) =>
      [...(await admin.get(`/requests?${query}`)).document.querySelectorAll("main li h2, main li h3")].map((name) =>
        name.textContent?.trim(),
      );
    const all = rows.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
    expect(await names("q=archive+order")).toEqual(all);
    for (const word of ["zephyrine", "quillfeather", "marmalade", "0188-777", "dyscalculia", "hailstorm"])
      expect([word, (await admin.get(`/requests?q=${word}`)).visibleText]).toEqual([
        word,
        expect.stringContaining("1 request."),
      ]);
  });

  test("lets her schedule or delete an open one, and only answer one that became an appointment", async () => {
    const who = { firstName: "Ann", lastName: "Other", email: "ann@example.org", urgency: "routine", consent: true };
    const [open, over] = await Promise.all(
      ["pending", "scheduled"].map((status) =>
        db.consultationRequest.create({ data: { ...who, serviceNeeds: "Trampoline", status } }),
      ),
    );
    const { document: page } = await admin.get("/requests?q=trampoline");
    const doors = [...page.querySelectorAll('a[href*="/dashboard/requests/"]')].map((link) =>
      link.getAttribute("href"),
    );
    const back = "?from=%2Frequests%3Fq%3Dtrampoline";
    expect(doors).toEqual(["schedule", "delete"].map((act) => `/dashboard/requests/${open?.id}/${act}${back}`));
    expect(page.querySelectorAll("details.request-line:not([open])")).toHaveLength(2);
    expect(page.querySelectorAll('.actions a[href^="mailto:ann"]')).toHaveLength(2);
    for (const id of [open?.id, over?.id]) await admin.form(`/dashboard/requests/${id}/delete`, {});
    const left = (await admin.get("/requests?q=trampoline")).visibleText;
    expect(left).toContain("1 request.");
    expect(left).toContain("scheduled");
  });
});

describe("the consultant books for a family", () => {
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

  test("from the family's page, without an intake form, and the family finds it on its list", async () => {
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

  test("outside her hours after one warning, never in the past or on top of another", async () => {
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

  test("which neither a family nor a visitor does, nor she for herself or for nobody", async () => {
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

  test("a closed day refuses a family with a sentence that says so, by page and by call, emergencies too", async () => {
    expect((await free("10:00")).available).toBe(true);
    expect((await set({ from: MONDAY, note: "dentist" })).status).toBe(302);
    const sentence = "The office is closed on Monday, December 14, 2026. Please choose another day.";
    expect(await free("10:00")).toEqual({ available: false, reason: sentence });
    expect(await free("10:00", "emergency")).toEqual({ available: false, reason: sentence });
    for (const fields of [{}, { type: "emergency" }]) {
      const answer = await book(fields);
      expect([answer.status, answer.json.errors]).toEqual([422, { appointmentDate: [sentence] }]);
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

  test("the consultant may schedule on it after one warning", async () => {
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

  test("one-off hours replace the usual ones, and clearing them brings those back", async () => {
    await set({ from: MONDAY, kind: "open", opens: "20:00", closes: "22:00" });
    const refused = await free("10:00");
    expect(refused.reason).toBe(
      "That is outside office hours. On Monday, December 14, 2026 the office is open 8pm-10pm.",
    );
    expect((await free("20:30")).available).toBe(true);
    expect((await free("10:00", "emergency")).available).toBe(true);
    expect((await set({ from: MONDAY, kind: "open", opens: "00:00", closes: "01:00" })).status).toBe(302);
    expect([(await free("00:00")).available, (await free("20:30")).available]).toEqual([true, false]);
    await admin.form("/calendar/hours", { clear: MONDAY });
    expect((await free("10:00")).available).toBe(true);
  });

  test("several days are set at once; what is booked on them is told and stays", async () => {
    expect((await book({ appointmentDate: "2026-12-19T15:00:00Z" })).status).toBe(201);
    const answer = await admin.follow(await set({ from: "2026-12-18", to: "2026-12-20" }));
    expect(answer.visibleText).toContain("3 days were changed. One appointment is booked then and stay");
    expect(await db.appointment.count({ where: { appointmentDate: new Date("2026-12-19T15:00Z") } })).toBe(1);
    expect((await admin.get("/calendar?view=month&day=2026-12-01")).visibleText).toMatch(/December 18, 2026.*?closed/);
  });

  test.each([
    [{ from: "" }, "Choose the first day."],
    [{ from: "2026-11-19" }, "That day is over."],
    [{ from: "2026-02-30" }, "Enter a day that exists"],
    [{ from: "2026-12-24", to: "2026-12-23" }, "The last day is before the first."],
    [{ from: "2026-12-24", to: "2027-12-24" }, "Choose at most 62 days at once."],
    [{ from: "9999-12-31" }, "at most 2 years ahead"],
    [{ from: "2026-12-24", kind: "open" }, "Enter when you open and when you close"],
    [{ from: "2026-12-24", kind: "open", opens: "12:00", closes: "12:00" }, "Enter when you open and when you close"],
    [{ from: "2026-12-24", kind: "perhaps" }, "Choose what happens on these days."],
  ])("%j is refused", async (fields, sentence) => {
    const before = await db.hoursOverride.findMany();
    const answer = await set(fields);
    expect([answer.status, answer.visibleText.includes(sentence)]).toEqual([422, true]);
    expect(await db.hoursOverride.findMany()).toEqual(before);
  });
});

describe("the documents of all families", () => {
  test("are found by name, description and family, by the consultant alone", async () => {
    const file = {
      fileType: "application/pdf",
      fileSize: 3,
      filePath: "nowhere",
      description: "from the speech therapist",
    };
    await db.document.create({ data: { ...file, fileName: "report of October.pdf", userId: noor.id } });
    for (const q of ["OCTOBER", "speech haddad", noor.email]) {
      const { visibleText: words } = await admin.get(`/documents?q=${encodeURIComponent(q)}`);
      expect([q, words.includes("report of October.pdf"), words.includes("plan.pdf")]).toEqual([q, true, false]);
    }
    expect((await admin.get("/documents?q=nothing-like-it")).visibleText).toContain("0 documents found.");
    expect((await noor.get("/documents?q=nothing-like-it")).visibleText).toContain("report of October.pdf");
  });
});

describe("who may see or do any of it", () => {
  test("neither a family nor a visitor", async () => {
    const before = [await db.hoursOverride.count(), await db.familyNote.count()];
    for (const path of ["/families", `/families/${maria.id}`, "/requests", "/calendar", "/calendar/hours"]) {
      expect([path, (await maria.get(path)).status, (await visitor().get(path)).status]).toEqual([path, 403, 302]);
    }
    for (const [path, fields] of [
      ["/calendar/hours", { from: "2027-01-04", kind: "closed" }],
      [`/families/${maria.id}`, { text: "mine" }],
    ] as const) {
      expect((await maria.form(path, fields)).status).toBe(403);
      expect((await visitor().form(path, fields)).headers.location).toBe("/login");
    }
    expect([await db.hoursOverride.count(), await db.familyNote.count()]).toEqual(before);
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
  ])("is drawn for %s", async (query) => {
    const { status, document: page } = await admin.get(`/calendar${query}`);
    expect(status).toBe(200);
    expect(page.querySelectorAll("main ol > li").length).toBeGreaterThan(0);
  });

  test("shows a visit of the late evening on its day in the practice's zone, on every view", async () => {
    // 9 PM on May 5 in New York; in UTC it is the next day.
    const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation" };
    const { id } = await db.appointment.create({ data: { ...visit, appointmentDate: new Date("2027-05-06T01:00Z") } });
    const daysOf = async (path: string) =>
      [...(await admin.get(path)).document.querySelectorAll(`main a[href^="/dashboard/appointments/${id}?from="]`)].map(
        (link) => link.textContent?.replace(/^.*, (\w+, \w+ \d+), .*$/, "$1"),
      );
    for (const view of ["month", "week", "day"])
      expect([view, await daysOf(`/calendar?view=${view}&day=2027-05-05`)]).toEqual([view, ["Wednesday, May 5"]]);
    expect(await daysOf("/calendar?view=day&day=2027-05-06")).toEqual([]);
    await db.appointment.delete({ where: { id } });
  });

  test("says in which zone its times are, that nothing is booked, and what was cancelled", async () => {
    const free = await admin.get("/calendar?view=week&day=2027-05-05");
    expect(free.visibleText).toContain("Nothing is booked in this week. All times are ET.");
    const start = new Date("2027-05-05T15:00:00Z");
    const visit = { userId: maria.id, title: "Hourly Consulting", type: "consultation", appointmentDate: start };
    const { id } = await db.appointment.create({ data: { ...visit, status: "cancelled" } });
    const { document: page, visibleText: words } = await admin.get("/calendar?view=week&day=2027-05-05");
    expect(words).not.toContain("Nothing is booked in this week");
    const row = page.querySelector(`main a[href^="/dashboard/appointments/${id}?from="]`);
    expect(row?.closest("section")?.textContent).toBe("CancelledWed, May 5, 11:00 AM, Maria AlvarezHourly Consulting");
    await db.appointment.delete({ where: { id } });
  });
});
