// Proves both dashboards, polling, scheduling from a request, appointment details and the calendar dialog.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { uploadFile } from "../support/uploads.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const DAY = 86_400_000;
const PRACTICE = "Harbor Family Advocacy";

let admin: TestClient;
let maria: Family;
let days = 0;

/** Ten o'clock on the Saturdays, Sundays and Mondays of the winter, each handed out once. */
function nextStart() {
  const ahead = Math.floor(days / 3) * 7 + (days % 3);
  days += 1;
  return new Date(Date.parse("2026-12-05T15:00Z") + ahead * DAY);
}

beforeAll(async () => {
  // Their transactions would be interrupted in place of the tested ones.
  await testing.stopJobs();
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez", intake: true });
});
beforeEach(() => setTestClock(() => NOW));

async function booked(changes: Record<string, unknown> = {}) {
  const fields = { title: "Hourly Consulting", type: "consultation", appointmentDate: nextStart(), userId: maria.id };
  return db.appointment.create({ data: { ...fields, ...changes } });
}

async function createRequest(changes: Record<string, unknown> = {}) {
  const fields = { firstName: "Jane", lastName: "Doe", email: "jane@example.org", serviceNeeds: "An IEP meeting" };
  return db.consultationRequest.create({ data: { ...fields, urgency: "routine", consent: true, ...changes } });
}

const wall = (start: Date) => ({ date: start.toISOString().slice(0, 10), time: "10:00" });

/** What a screen has in the colour of the next thing to do. */
async function mainActions(browser: TestClient, path: string) {
  const { document: page } = await browser.get(path);
  return [...page.querySelectorAll("main .button-primary")].map((action) =>
    action.textContent.split(" of ")[0]?.trim(),
  );
}

describe("a family's dashboard", () => {
  const LINK_TARGETS: Record<string, string> = {
    "Book New": "/appointments",
    "View All Appointments": "/appointments",
    "Schedule Your First Appointment": "/appointments",
    Upload: "/documents",
    "View All Documents": "/documents",
    "Upload Your First Document": "/documents",
  };
  const readLinks = async (browser: TestClient) =>
    Object.fromEntries(
      [...(await browser.get("/dashboard")).document.querySelectorAll("main a")]
        .map((link) => [link.textContent.trim(), link.getAttribute("href")] as const)
        .filter(([words]) => words in LINK_TARGETS),
    );

  test("and its appointments page have one primary action; joining a visit takes precedence over booking", async () => {
    const sam = await family();
    expect(await mainActions(sam, "/dashboard")).toEqual(["Schedule Your First Appointment"]);
    expect(await mainActions(sam, "/appointments")).toEqual(["Schedule Appointment"]);
    const appointmentDate = new Date("2026-11-20T15:05Z");
    await booked({ userId: sam.id, appointmentDate, isLiveVideoCall: true });
    expect(await mainActions(sam, "/dashboard")).toEqual(["Waiting Room"]);
    expect(await mainActions(sam, "/appointments")).toEqual(["Waiting Room"]);
    setTestClock(() => new Date(appointmentDate.getTime() + 60_000));
    expect(await mainActions(sam, "/dashboard")).toEqual(["Join call now"]);
    expect(await mainActions(sam, "/appointments")).toEqual(["Join call now"]);
    setTestClock(() => new Date(appointmentDate.getTime() + DAY));
    expect(await mainActions(sam, "/dashboard")).toEqual(["Book New"]);
    await booked({ userId: sam.id, appointmentDate: new Date(appointmentDate.getTime() + 9 * DAY) });
    expect(await mainActions(sam, "/dashboard")).toEqual(["Start the intake form"]);
  });

  test("shows a visit that can be joined in place of the next one", async () => {
    const sam = await family();
    await booked({ userId: sam.id, appointmentDate: new Date("2026-11-20T20:05Z"), isLiveVideoCall: true });
    await booked({ userId: sam.id, appointmentDate: new Date("2026-11-30T15:00Z") });
    const at = async (iso: string) => {
      setTestClock(() => new Date(iso));
      return [...(await sam.get("/dashboard")).document.querySelectorAll(".next-visit h2")].map((h) => h.textContent);
    };
    expect(await at("2026-11-20T20:00Z")).toEqual(["Starting soon"]);
    expect(await at("2026-11-20T20:06Z")).toEqual(["Happening now"]);
    expect(await at("2026-11-20T23:00Z")).toEqual(["Your next visit"]);
    setTestClock(() => NOW);
  });

  test("links to appointments and documents, both without and with entries", async () => {
    const noor = await family();
    const { "View All Appointments": _, "View All Documents": __, ...empty } = LINK_TARGETS;
    expect(await readLinks(noor)).toEqual(empty);
    await booked({ userId: noor.id });
    await uploadFile(noor);
    const { "Schedule Your First Appointment": ___, "Upload Your First Document": ____, ...full } = LINK_TARGETS;
    expect(await readLinks(noor)).toEqual(full);
  });

  test("counts the family's visits and documents, and lists tasks, upcoming visits and then past ones", async () => {
    const noor = await family({ intake: true });
    const hour = (days: number) => new Date(NOW.getTime() - 30_000 + days * DAY);
    const visits = { yesterday: -1, "a week ago": -7, tomorrow: 1, "called off": 2, "in a week": 7, "in a month": 30 };
    for (const [title, days] of Object.entries(visits)) {
      const status = title === "called off" ? "cancelled" : "scheduled";
      await booked({ userId: noor.id, title: `Visit ${title}`, appointmentDate: hour(days), status });
    }
    const letter = { userId: noor.id, fileType: "text/plain", fileSize: 1, filePath: "none" };
    await db.document.createMany({
      data: [1, 2, 3, 4].map((day) => ({ ...letter, fileName: `letter-${day}.txt`, uploadedAt: hour(-day) })),
    });
    await db.document.create({ data: { ...letter, fileName: "note-of-hers.txt", isSharedWithClient: false } });

    const { document: page, visibleText: words } = await noor.get("/dashboard");
    expect(words).toContain("Upcoming Appointments3Total Appointments6Documents5");
    const textOf = (name: Element) => (name.querySelector("a")?.firstChild ?? name).textContent;
    const shown = [...page.querySelectorAll("main .row strong")].map(textOf);
    expect(shown).toEqual([
      "Confirm your email address",
      "Answer three questions",
      "Upload papers for your next visit",
      "Visit tomorrow",
      "Visit in a week",
      "Visit in a month",
      "intake-form.txt",
      "letter-1.txt",
      "letter-2.txt",
    ]);

    await db.appointment.deleteMany({ where: { userId: noor.id, appointmentDate: { gt: hour(2) } } });
    const fewer = [...(await noor.get("/dashboard")).document.querySelectorAll("main .row strong")];
    expect(fewer.map(textOf).slice(3, 6)).toEqual(["Visit tomorrow", "Visit yesterday", "Visit a week ago"]);
  });
});

describe("the consultant's dashboard", () => {
  test("shows totals of appointments, requests and documents, and links to the calendar", async () => {
    await booked();
    const { document: page, visibleText: words } = await admin.get("/dashboard");
    expect(words).toMatch(/Total Appointments ?\d+ ?Consultation Requests ?\d+ ?Documents ?\d+ ?Appointment Calendar/);
    expect(page.querySelector('a[href="/dashboard/calendar"]')).not.toBeNull();
  });

  test("shows each request's urgency, emergencies before urgent ones; an unknown urgency counts as routine", async () => {
    await createRequest({ firstName: "Una", urgency: "urgent" });
    await createRequest({ firstName: "Emil", urgency: "emergency" });
    await createRequest({ firstName: "Rosa", urgency: "whenever" });
    const { visibleText: words } = await admin.get("/dashboard");
    expect(words).toMatch(/Emil Doe ?EMERGENCY/);
    expect(words).toMatch(/Una Doe ?URGENT/);
    expect(words).toMatch(/Rosa Doe ?ROUTINE/);
    expect(words.indexOf("Emil")).toBeLessThan(words.indexOf("Una"));
  });

  test("builds a mailto: link with one recipient, subject and body, despite header injection in a request", async () => {
    await db.consultationRequest.deleteMany();
    const injectedAddress = "x?bcc=spy%40evil.example&cc=a,b%0d%0aBcc:c";
    await createRequest({
      firstName: "Ann\r\nBcc: spy@evil.example",
      email: `${injectedAddress}@example.org`,
      serviceNeeds: "a&bcc=d? Selective mutism",
      message: "Her pills",
    });
    const { document: page } = await admin.get("/dashboard");
    const link = page.querySelector('main .actions a[href^="mailto:"]')?.getAttribute("href") ?? "";
    const url = new URL(link);
    expect([...url.searchParams.keys()]).toEqual(["subject", "body"]);
    expect(decodeURIComponent(url.pathname)).toBe(`${injectedAddress}@example.org`);
    expect(url.pathname).not.toMatch(/[,;\s?&]/);
    expect(url.searchParams.get("subject")).not.toMatch(/[\r\n]/);
    // No word about the child: mail passes through other people's servers.
    const greeting = ["Hello Ann Bcc: spy@evil.example,", "", "Thank you for your consultation request."];
    expect(url.searchParams.get("subject")).toBe(`Your consultation request - ${PRACTICE}`);
    expect(url.searchParams.get("body")).toBe([...greeting, "", "", PRACTICE, "(732) 555-0142"].join("\r\n"));
    await db.consultationRequest.deleteMany();
  });

  test("names the client from notes, title or account, with the account's name beside a free-text name", async () => {
    const rows: [Record<string, unknown>, string][] = [
      [
        { notes: "Call first\nClient: Nora Notes", title: "A - Tina Title" },
        "Nora Notes, 10:00 AMAccount: Maria Alvarez",
      ],
      [{ title: "Package - one - Tina Title" }, "Tina Title, 10:00 AMAccount: Maria Alvarez"],
      [{ title: "Accounted" }, "Maria Alvarez, 10:00 AMAccounted"],
      [{ title: "Nobody's", userId: null }, "Unknown Client, 10:00 AMNobody's"],
    ];
    for (const [changes] of rows) await booked(changes);
    const { document: page } = await admin.get("/dashboard");
    const shown = [...page.querySelectorAll("#appointments li")].map(({ textContent }) =>
      textContent?.replace(/, \w{3}, [^,]+, \d{4} at (10:00 AM) ET/, ", $1"),
    );
    for (const [, words] of rows) expect(shown.some((row) => row?.includes(words))).toBe(true);
  });

  test("links to the waiting room only for upcoming live video visits", async () => {
    const [live, plain] = [await booked({ isLiveVideoCall: true }), await booked()];
    const over = await booked({ isLiveVideoCall: true, appointmentDate: new Date("2026-11-01T15:00Z") });
    const lists = await Promise.all(["upcoming", "past"].map((when) => admin.get(`/dashboard?when=${when}`)));
    const leads = ({ id }: { id: number }) =>
      lists.some(({ document: page }) => page.querySelector(`a[href="/video-call/${id}"]`) !== null);
    expect([leads(live), leads(plain), leads(over)]).toEqual([true, false, false]);
  });

  test("filters by upcoming and past, and counts each visit once", async () => {
    const { id: userId } = await family({ firstName: "Zenobia", lastName: "Ypsilon" });
    await booked({ userId });
    await booked({ userId });
    await booked({ userId, appointmentDate: new Date("2026-11-02T15:00Z") });
    const found = async (when: string) =>
      /(\d+) appointments? found/.exec((await admin.get(`/dashboard?q=ypsilon${when}`)).visibleText)?.[1];
    expect([await found(""), await found("&when=upcoming"), await found("&when=past")]).toEqual(["3", "2", "1"]);
  });

  test("filters by name, text, status and time, and keeps the filters behind a visit's dialog", async () => {
    const other = await family({ firstName: "Quirin", lastName: "Zabel" });
    const mine = await booked({ userId: other.id, notes: "talk about transport" });
    await booked({ userId: other.id, status: "no-show" });
    expect((await admin.get("/dashboard?q=quirin+zabel")).visibleText).toContain(
      "2 appointments found for “quirin zabel”.",
    );
    expect((await admin.get("/dashboard?q=TRANSPORT")).visibleText).toContain("1 appointment found for “TRANSPORT”.");
    expect((await admin.get("/dashboard?q=zabel&status=no-show")).visibleText).toContain(
      "1 appointment found for “zabel”.",
    );
    expect((await admin.get("/dashboard?q=zabel&when=past")).visibleText).toContain(
      "0 appointments found for “zabel”.",
    );
    const { document: page, visibleText: words } = await admin.get(`/dashboard/appointments/${mine.id}?q=zabel`);
    expect(words).toContain("2 appointments found for “zabel”.");
    expect(page.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe("/dashboard?q=zabel");
  });

  test.each([
    "?page=0",
    "?page=-1",
    "?page=99999999999",
    "?page=x",
    "?q=%00",
    "?q=%25",
    "?status=x&when=x",
    "?q=%ED%A0%80",
  ])("responds 200 to the invalid query %s", async (query) => {
    expect((await admin.get(`/dashboard${query}`)).status).toBe(200);
    expect((await admin.get(`/dashboard/latest${query}&refresh`)).status).toBe(200);
  });
});

describe("polling for changes", () => {
  test("responds 304 with an empty body if nothing changed, else 200 with the new data", async () => {
    const first = await admin.get("/dashboard/latest?refresh");
    const tag = { "If-None-Match": first.headers.etag };
    const again = await admin.get("/dashboard/latest?refresh", tag);
    expect([first.status, again.status, again.bytes.length]).toEqual([200, 304, 0]);
    await createRequest({ firstName: "Newcomer" });
    const changed = await admin.get("/dashboard/latest?refresh", tag);
    expect([changed.status, changed.text.includes("Newcomer")]).toEqual([200, true]);
  });

  test("does not extend the consultant's session; a family gets 403, a visitor is redirected", async () => {
    const browser = await consultant();
    const session = () => db.session.findFirst({ orderBy: { expire: "desc" }, select: { expire: true } });
    const before = await session();
    setTestClock(() => new Date(NOW.getTime() + 60_000));
    expect((await browser.get("/dashboard/latest?refresh")).status).toBe(200);
    expect(await session()).toEqual(before);
    expect((await maria.get("/dashboard/latest?refresh")).status).toBe(403);
    expect((await visitor().get("/dashboard/latest?refresh")).status).toBe(302);
  });
});

describe("scheduling from a request", () => {
  const plan = (start: Date) => ({ title: "Initial Consultation", ...wall(start) });

  test("responds 422 with a message if fields are missing, and keeps the title", async () => {
    const { id } = await createRequest();
    const response = await admin.form(`/dashboard/requests/${id}/schedule`, {
      title: "My own title",
      date: "",
      time: "",
    });
    expect(response.status).toBe(422);
    expect(response.visibleText).toContain("Missing Information");
    expect(response.visibleText).toContain("Please fill in all appointment details.");
    expect(response.text).toContain("My own title");
  });

  test("offers the free times of the day and no day before today", async () => {
    const { id } = await createRequest();
    const { document: page } = await admin.get(`/dashboard/requests/${id}/schedule?date=2026-12-07`);
    const times = [...page.querySelectorAll('dialog input[name="slot"]')].map((input) => input.getAttribute("value"));
    expect(times).toContain("09:00");
    expect(page.querySelector('dialog input[type="date"]')?.getAttribute("min")).toBe("2026-11-20");
  });

  test("creates the appointment with its live video option and closes the request", async () => {
    const { id } = await createRequest();
    const fields = { ...plan(nextStart()), isLiveVideoCall: "on" };
    const response = await admin.follow(await admin.form(`/dashboard/requests/${id}/schedule`, fields));
    expect(response.visibleText).toContain("Consultation Scheduled Successfully!");
    const made = await db.appointment.findFirstOrThrow({ where: { consultationRequestId: id } });
    expect(made).toMatchObject({ isLiveVideoCall: true, duration: 60, type: "consultation", status: "scheduled" });
    expect(made.title).toBe("Initial Consultation - Jane Doe");
    expect((await admin.get(`/dashboard/requests/${id}/schedule`)).status).toBe(404);
  });

  test("outside office hours needs one confirmation (422); a different time needs a new one", async () => {
    const { id } = await createRequest();
    const path = `/dashboard/requests/${id}/schedule`;
    const night = { title: "At night", date: "2027-03-01", time: "22:00" };
    const warned = await admin.form(path, night);
    expect([warned.status, warned.visibleText.includes("That is outside office hours.")]).toEqual([422, true]);
    const anyway = warned.document.querySelector('button[name="anyway"]')?.getAttribute("value") ?? "";
    expect((await admin.form(path, { ...night, time: "23:00", anyway })).status).toBe(422);
    expect((await admin.form(path, { ...night, anyway })).status).toBe(302);
  });

  test("refuses a past (422) or taken (409) time even if confirmed, and the request stays pending", async () => {
    const { id } = await createRequest();
    const path = `/dashboard/requests/${id}/schedule`;
    const there = await booked();
    for (const [fields, status] of [
      [{ title: "x", date: "2026-11-19", time: "16:00" }, 422],
      [{ title: "x", ...wall(there.appointmentDate) }, 409],
    ] as const) {
      const anyway = new Date(`${fields.date}T${fields.time}:00-05:00`).toISOString();
      const response = await admin.form(path, { ...fields, anyway });
      expect(response.status).toBe(status);
      expect(response.visibleText).toContain("Scheduling Failed");
      expect(response.visibleText).toContain("Failed to schedule consultation. Please try again.");
    }
    expect(await db.consultationRequest.findUnique({ where: { id } })).toMatchObject({ status: "pending" });
  });

  test("sent five times concurrently creates one appointment", async () => {
    const { id } = await createRequest();
    const fields = plan(nextStart());
    await Promise.all([1, 2, 3, 4, 5].map(() => admin.form(`/dashboard/requests/${id}/schedule`, fields)));
    expect(await db.appointment.count({ where: { consultationRequestId: id } })).toBe(1);
  });
});

describe("one appointment", () => {
  test("shows the client, the appointment, its link and its notes", async () => {
    const { id } = await booked({ meetingLink: "https://meet.example/x", notes: "Bring the plan" });
    const { visibleText: words } = await admin.get(`/dashboard/appointments/${id}`);
    for (const text of ["Maria Alvarez", maria.email, "Hourly Consulting", "https://meet.example/x", "Bring the plan"])
      expect(words).toContain(text);
  });

  test.each(["completed", "no-show", "rescheduled", "scheduled"])("can be marked %s", async (status) => {
    const { id } = await booked();
    const response = await admin.follow(await admin.form(`/dashboard/appointments/${id}`, { status }));
    expect(response.visibleText).toContain("Status saved");
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ status });
  });

  test("refuses other status values (422), and any status once it is canceled (409)", async () => {
    const [open, gone] = [await booked(), await booked({ status: "cancelled" })];
    for (const status of ["cancelled", "done", ""])
      expect((await admin.form(`/dashboard/appointments/${open.id}`, { status })).status).toBe(422);
    expect((await admin.form(`/dashboard/appointments/${gone.id}`, { status: "scheduled" })).status).toBe(409);
    expect(await db.appointment.findUnique({ where: { id: gone.id } })).toMatchObject({ status: "cancelled" });
  });

  test("is moved as the same record, with its payment", async () => {
    const paid = { paymentId: "p1", paymentStatus: "paid", paymentAmountCents: 7500, notes: "kept" };
    const before = await booked(paid);
    const start = nextStart();
    const answer = await admin.form(`/dashboard/appointments/${before.id}/reschedule`, wall(start));
    const { visibleText } = await admin.follow(answer);
    expect(visibleText).toContain("Visit Moved");
    expect(visibleText).toMatch(/Visit of \w+ \w+ moved to /);
    const after = await db.appointment.findUniqueOrThrow({ where: { id: before.id } });
    expect(after).toMatchObject({ ...paid, status: "rescheduled", createdAt: before.createdAt });
    expect(after.appointmentDate.toISOString().slice(0, 10)).toBe(start.toISOString().slice(0, 10));
  });

  test("can be moved within its own time, but not onto another visit (409) or into the past (422)", async () => {
    const there = await booked();
    const moved = await booked();
    const path = `/dashboard/appointments/${moved.id}/reschedule`;
    const { date } = wall(moved.appointmentDate);
    const offered = (await admin.get(`${path}?date=${date}`)).document.querySelectorAll("input[name=slot]");
    const values = [...offered].map((input) => input.getAttribute("value"));
    expect(values).toContain(new Date(moved.appointmentDate.getTime() + 1_800_000).toISOString());
    expect(values).not.toContain(moved.appointmentDate.toISOString());
    expect((await admin.form(path, wall(there.appointmentDate))).status).toBe(409);
    expect((await admin.form(path, { date: "2026-11-16", time: "10:00" })).status).toBe(422);
    expect((await admin.form(path, { date: "", time: "" })).status).toBe(422);
    const anyway = new Date(moved.appointmentDate.getTime() + 1_800_000).toISOString();
    expect((await admin.form(path, { date, time: "10:30", anyway })).status).toBe(302);
  });

  test.each(["cancelled", "completed", "no-show"])("can't be moved once it is marked %s (409)", async (status) => {
    const before = await booked({ status, paymentId: "p1", paymentStatus: "paid" });
    const path = `/dashboard/appointments/${before.id}/reschedule`;
    const response = await admin.form(path, wall(nextStart()));
    expect([response.status, response.visibleText]).toEqual([409, expect.stringContaining(status)]);
    expect((await admin.form(`${path}.data`, wall(nextStart()))).status).toBe(409);
    expect(await db.appointment.findUnique({ where: { id: before.id } })).toEqual(before);
    const details = (await admin.get(`/dashboard/appointments/${before.id}`)).document;
    expect(
      [...details.querySelectorAll<HTMLAnchorElement>("dialog a")].some(({ href }) => href.includes("/reschedule")),
    ).toBe(false);
  });

  test("one of two concurrent moves to the same time succeeds, and the other gets 409", async () => {
    const [one, other] = [await booked(), await booked()];
    const target = wall(nextStart());
    const responses = await Promise.all(
      [one, other].map(({ id }) => admin.form(`/dashboard/appointments/${id}/reschedule`, target)),
    );
    expect(responses.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([302, 409]);
  });

  test.each([
    ["cancelled", { status: "cancelled" }],
    ["moved by another tab", { appointmentDate: new Date("2027-12-04T15:00Z") }],
  ])("that is %s while it is being moved keeps that change, and the move gets 409", async (_, change) => {
    const { id } = await booked();
    // Delivering the booking's messages takes transactions, too.
    await testing.deliverDueMessages();
    // All checks are done, and nothing is written yet: now the other change comes.
    beforeNextTransaction(db, () => db.appointment.update({ where: { id }, data: change }));
    const response = await admin.form(`/dashboard/appointments/${id}/reschedule`, wall(nextStart()));
    expect([response.status, response.visibleText]).toEqual([409, expect.stringContaining("changed in the meantime")]);
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject(change);
  });

  test("is deleted after a confirmation; two concurrent deletes succeed, a later one shows a failure", async () => {
    const { id } = await booked();
    const path = `/dashboard/appointments/${id}/delete`;
    expect((await admin.get(path)).visibleText).toContain("This action cannot be undone.");
    const responses = await Promise.all([1, 2].map(() => admin.form(path, {})));
    expect(responses.map(({ status }) => status)).toEqual([302, 302]);
    expect(await db.appointment.count({ where: { id } })).toBe(0);
    const late = await admin.follow(await admin.form(path, {}));
    expect(late.visibleText).toContain("Failed to delete appointment. Please try again.");
  });
});

describe("the calendar dialog", () => {
  test("groups visits by day in the practice's time zone, days and times ascending", async () => {
    await db.appointment.deleteMany();
    // The last one is 9 PM on January 4 in New York, and the next day in UTC.
    for (const start of ["2027-01-04T20:00Z", "2027-01-03T15:00Z", "2027-01-04T15:00Z", "2027-01-05T02:00Z"])
      await booked({ appointmentDate: new Date(start) });
    const { document: page } = await admin.get("/dashboard/calendar");
    const dialog = page.querySelector("dialog");
    expect([...(dialog?.querySelectorAll("h3") ?? [])].map((heading) => heading.textContent)).toEqual([
      "Sunday, January 3, 2027",
      "Monday, January 4, 2027",
    ]);
    const times = [...(dialog?.querySelectorAll("li time") ?? [])].map((time) => time.textContent);
    expect(times).toEqual(["10:00 AM ET", "10:00 AM ET", "3:00 PM ET", "9:00 PM ET"]);
  });
});

describe("the consultant's dialogs", () => {
  test("respond 403 to a family and redirect a visitor to login, without any change", async () => {
    const [appointment, request] = [await booked(), await createRequest()];
    const before = [await db.appointment.findMany(), await db.consultationRequest.findMany()];
    for (const path of [
      "/dashboard/calendar",
      `/dashboard/requests/${request.id}/schedule`,
      `/dashboard/requests/${request.id}/delete`,
      `/dashboard/appointments/${appointment.id}`,
      `/dashboard/appointments/${appointment.id}/reschedule`,
      `/dashboard/appointments/${appointment.id}/delete`,
    ]) {
      const fields = { ...wall(nextStart()), title: "x", status: "completed" };
      expect([path, (await maria.get(path)).status, (await maria.form(path, fields)).status]).toEqual([path, 403, 403]);
      const [read, sent] = [await visitor().get(path), await visitor().form(path, fields)];
      expect([read.status, read.headers.location?.startsWith("/login")]).toEqual([302, true]);
      expect([sent.status, sent.headers.location]).toEqual([302, "/login"]);
    }
    expect([await db.appointment.findMany(), await db.consultationRequest.findMany()]).toEqual(before);
  });
});
