// Proves the consultant's dashboard: today's visits in order, Needs attention, and which page dialogs return to.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { intakeForm, type Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";
import { uploadFile } from "../support/uploads.ts";

/** Friday, 10:00 AM in the practice. */
const NOW = new Date("2026-11-20T15:00:30Z");

let admin: TestClient;
let maria: Family;
let isLater = false;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ firstName: "Maria", lastName: "Alvarez" });
});
beforeEach(async () => {
  if (isLater) await setTime(NOW);
  isLater = false;
  await db.appointment.deleteMany();
  await db.consultationRequest.deleteMany();
});

/** Sets the clock and signs the administrator in again, whose session ends after 15 idle minutes. */
async function setTime(time: Date) {
  setTestClock(() => time);
  admin = await consultant();
  isLater = true;
}

/** Saves an appointment of Maria's; `start` is local to New York in winter, such as "2026-11-20 09:30". */
async function bookVisit(title: string, start: string, changes: Record<string, unknown> = {}) {
  const appointmentDate = new Date(`${start.replace(" ", "T")}:00-05:00`);
  return db.appointment.create({
    data: { userId: maria.id, title, type: "consultation", appointmentDate, ...changes },
  });
}

/** The visible text of one of the dashboard's cards by its title; empty when there is none. */
async function readCard(title: string, path = "/dashboard"): Promise<string> {
  const { document } = await admin.get(path);
  for (const hidden of document.querySelectorAll(".sr-only")) hidden.remove();
  const headings = [...document.querySelectorAll("main h2")];
  if (headings.length === 0) throw new Error("This is not the dashboard.");
  const heading = headings.find((each) => each.textContent.startsWith(title));
  return heading?.closest("section")?.textContent ?? "";
}

/** The addresses of the links in the same card. */
async function readLinks(title: string): Promise<(string | null)[]> {
  const { document } = await admin.get("/dashboard");
  const heading = [...document.querySelectorAll("main h2")].find((each) => each.textContent.startsWith(title));
  return [...(heading?.closest("section")?.querySelectorAll("a") ?? [])].map((link) => link.getAttribute("href"));
}

describe("today on the dashboard", () => {
  test("shows the current visit, then the next one, then later and earlier visits of the day", async () => {
    await bookVisit("Early visit", "2026-11-20 08:00", { status: "completed" });
    const { id } = await bookVisit("Running visit", "2026-11-20 09:30", { isLiveVideoCall: true });
    await bookVisit("Next visit", "2026-11-20 11:00", { paymentAmountCents: 7500 });
    await bookVisit("Hourly Consulting", "2026-11-20 18:00", { duration: 120 });
    const lead = await readCard("Today");
    expect(lead).toMatch(/Fri, Nov 20 · 4 visits, 3 to go.*Now 10:00 AM.*9:30 AM–10:30 AM.*Now/);
    expect(lead).toMatch(/Running visit.*Next11:00 AM–12:00 PM.*In person · Next visit · \$75 to pay/);
    expect(lead).not.toMatch(/Early|Hourly|longer than sold/);
    expect(await readLinks("Today")).toContain(`/video-call/${id}`);
    expect(await readCard("Later today")).toContain("Hourly Consulting · longer than sold");
    expect(await readCard("Earlier today")).toContain("Early visit");
  });

  test.each(["completed", "no-show"])(
    "a visit marked %s before its end is listed as earlier, not as current or to go",
    async (status) => {
      const { id } = await bookVisit("Short visit", "2026-11-20 09:30", { status });
      await bookVisit("Next visit", "2026-11-20 11:00");
      const lead = await readCard("Today");
      expect(lead).toContain("2 visits, 1 to go");
      expect(lead).not.toMatch(/Short visit|Now(?! 10:00 AM)/);
      expect(await readCard("Earlier today")).toMatch(new RegExp(`${status}.*Short visit`));
      const { document } = await admin.get("/calendar?view=week&day=2026-11-20");
      const inWeek = document.querySelector(`a[href*="/appointments/${id}"]`);
      expect([inWeek !== null, inWeek?.closest(".is-now") ?? null]).toEqual([true, null]);
    },
  );

  test("counts the day's visits in the practice's time zone, without canceled ones", async () => {
    await bookVisit("Before midnight", "2026-11-20 22:45");
    await bookVisit("After midnight", "2026-11-21 00:15");
    await bookVisit("Yesterday", "2026-11-19 23:00");
    await bookVisit("Called off", "2026-11-20 15:00", { status: "cancelled" });
    const lead = await readCard("Today");
    expect(lead).toContain("1 visit, 1 to go");
    expect(lead).toContain("Before midnight");
    expect(lead + (await readCard("Later today"))).not.toMatch(/After midnight|Yesterday|Called off/);
  });

  test("shows a visit that began before midnight while it still runs", async () => {
    await bookVisit("Over midnight", "2026-11-19 23:30", { duration: 60 });
    await setTime(new Date("2026-11-20T05:15:00Z"));
    expect(await readCard("Today")).toMatch(/Now.*Over midnight/);
  });

  test("offers to finish a past visit until its status is set, and a call once its room opens", async () => {
    const { id } = await bookVisit("Just over", "2026-11-20 08:30");
    const later = await bookVisit("By video", "2026-11-20 10:11", { isLiveVideoCall: true });
    expect(await readCard("Today")).toMatch(/Not finished yet.*Just over.*Finish visit.*Now 10:00 AM/);
    expect(await readLinks("Today")).toContain(`/dashboard/appointments/${id}/after`);
    expect(await readLinks("Today")).not.toContain(`/video-call/${later.id}`);
    await admin.form(`/dashboard/appointments/${id}`, { status: "no-show" });
    expect(await readCard("Today")).not.toContain("Just over");
    await setTime(new Date(NOW.getTime() + 60_000));
    expect(await readLinks("Today")).toContain(`/video-call/${later.id}`);
  });

  test("offers Finish visit, after any call button, for each past visit without a status; marks no-shows", async () => {
    const first = await bookVisit("First over", "2026-11-20 06:30");
    await bookVisit("Nobody came", "2026-11-20 07:45", { status: "no-show", paymentAmountCents: 7500 });
    await bookVisit("Last over", "2026-11-20 08:50", { isLiveVideoCall: true });
    expect(await readCard("Earlier today")).toMatch(/no-show.*Nobody came · \$75 due/);
    expect(await readCard("Today")).toMatch(/3 visits, 2 to finish.*First over.*Finish visit.*Last over/);
    expect(await readLinks("Today")).toContain(`/dashboard/appointments/${first.id}/after`);
    const { document } = await admin.get("/dashboard");
    const buttons = [...document.querySelectorAll(".today-current .button")];
    expect(buttons.map(({ textContent, className }) => [textContent.trim().split(/ (?=with)/)[0], className])).toEqual([
      ["Finish visit", expect.stringContaining("button-primary")],
      ["Join call now", expect.stringContaining("button-quiet")],
      ["Finish visit", expect.stringContaining("button-secondary")],
    ]);
  });

  test("lists visits to finish under the current one, and leaves today's visits out of the default list", async () => {
    await bookVisit("First over", "2026-11-20 06:30");
    await bookVisit("Running visit", "2026-11-20 09:30");
    await bookVisit("Next visit", "2026-11-20 11:00");
    await bookVisit("Called off", "2026-11-20 15:00", { status: "cancelled" });
    await bookVisit("Tomorrow", "2026-11-21 11:00");
    expect(await readCard("Today")).toMatch(/Running visit.*Not finished yet.*First over.*Next.*Next visit/);
    const list = await readCard("All Appointments");
    expect(list).toMatch(/Today’s visits stand above.*Called off.*Tomorrow/s);
    expect(list).not.toMatch(/First over|Running visit|Next visit/);
    expect(await readCard("All Appointments", "/dashboard?when=upcoming")).toContain("Next visit");
    await db.appointment.deleteMany();
    for (let hour = 0; hour < 12; hour += 1) await bookVisit(`Visit ${hour}`, `2026-11-23 ${hour + 10}:00`);
    const { document } = await admin.get("/dashboard");
    expect(document.querySelectorAll("#appointments .admin-row")).toHaveLength(10);
    const pages = document.querySelector('nav[aria-label="Pages of appointments"] a');
    expect(pages?.getAttribute("href")).toBe("/dashboard?page=2#appointments");
    const next = await admin.get("/dashboard?page=2");
    expect(next.document.querySelectorAll("#appointments .admin-row")).toHaveLength(2);
  });

  test("shows in a video visit's row, as a plain link, when the waiting room opens; no link without video", async () => {
    const { id } = await bookVisit("By video", "2026-11-21 10:15", { isLiveVideoCall: true });
    const link = async () =>
      (await admin.get("/dashboard")).document.querySelector(`#appointments a[href="/video-call/${id}"]`);
    expect((await link())?.textContent).toMatch(/^Waiting Room with Maria Alvarez, .*opens 10:05 AM$/);
    expect((await link())?.className).not.toContain("button");
    await bookVisit("Without video", "2026-11-21 12:00");
    expect(
      (await admin.get("/dashboard")).document.querySelectorAll('#appointments a[href^="/video-call/"]'),
    ).toHaveLength(1);
  });

  test("has one primary button: an open waiting room takes precedence over a visit to finish", async () => {
    await bookVisit("Over", "2026-11-20 08:50");
    await bookVisit("By video", "2026-11-20 10:05", { isLiveVideoCall: true });
    const { document } = await admin.get("/dashboard");
    const buttons = [...document.querySelectorAll(".today-current .button-primary")];
    expect(buttons.map(({ textContent }) => textContent.trim())).toEqual([expect.stringMatching(/^Waiting Room/)]);
  });

  test("a past visit without outcome reads “no status” on dashboard, details and calendar; a filter finds it", async () => {
    const over = await bookVisit("Over", "2026-11-18 10:00");
    const moved = await bookVisit("Moved and over", "2026-11-17 10:00", { status: "rescheduled" });
    const done = await bookVisit("Took place", "2026-11-16 10:00", { status: "completed" });
    const running = await bookVisit("Runs now", "2026-11-20 09:30");
    const coming = await bookVisit("To come", "2026-11-23 10:00");
    const found = async (status: string) => {
      const { document } = await admin.get(`/dashboard?status=${status}`);
      const rows = [...document.querySelectorAll("#appointments .admin-row")];
      return rows.map((row) => {
        const [, id] = /appointments\/(\d+)/.exec(row.querySelector("a")?.getAttribute("href") ?? "") ?? [];
        return `${id} ${row.querySelector(".badge")?.textContent}`;
      });
    };
    expect(await found("open")).toEqual([`${over.id} no status`, `${moved.id} no status`]);
    expect(await found("completed")).toEqual([`${done.id} completed`]);
    expect(await found("scheduled")).toEqual([`${coming.id} scheduled`, `${running.id} Now`]);
    expect(await found("rescheduled")).toEqual([]);
    const details = (await admin.get(`/dashboard/appointments/${over.id}`)).document;
    expect(details.querySelector("dialog p > .badge")?.textContent).toBe("no status");
    const options = [...details.querySelectorAll("dialog select option")].map(({ textContent }) => textContent);
    expect(options).toEqual(["no status", "completed", "no-show"]);
    for (const view of ["month", "day"]) {
      const { document } = await admin.get(`/calendar?view=${view}&day=2026-11-18`);
      expect(document.querySelector("main")?.textContent).toContain("no status");
    }
  });

  test("names the child, and marks a family's first visit and a missing intake form", async () => {
    const sam = await family({ firstName: "Sam", lastName: "Peterson" });
    await sam.post("/api/intake-forms", {
      ...intakeForm(sam),
      childName: "Leo",
      childAge: "4",
      diagnosis: "autism",
    });
    await bookVisit("First visit", "2026-11-20 12:00", { userId: sam.id });
    await bookVisit("Missed", "2026-11-13 10:00", { userId: sam.id, status: "no-show" });
    await bookVisit("Never finished", "2026-01-09 10:00");
    await bookVisit("Known family", "2026-11-20 14:00");
    expect(await readCard("Today")).toMatch(/Sam Peterson first visit Leo, 4 · autism/);
    expect(await readCard("Later today")).toMatch(/Maria Alvarez\s+In person · Known family · no intake form/);
  });

  test("marks the first visit of a person without an account, matched by the request's email address", async () => {
    const asks = { firstName: "Karen", lastName: "Mills", email: "karen@example.org", serviceNeeds: "An IEP" };
    const visitFromRequest = async (start: string) => {
      const { id } = await db.consultationRequest.create({
        data: { ...asks, urgency: "routine", consent: true, status: "scheduled" },
      });
      await bookVisit("Consulting - Karen Mills", start, { userId: null, consultationRequestId: id });
    };
    await visitFromRequest("2026-11-20 12:00");
    expect(await readCard("Today")).toContain("Karen Mills first visit");
    await visitFromRequest("2026-11-18 12:00");
    expect(await readCard("Today")).not.toContain("first visit");
  });

  test("shows the next visit of a later day when today has none", async () => {
    expect(await readCard("Today")).toContain("No visits today");
    await bookVisit("Monday's visit", "2026-11-23 10:00");
    expect(await readCard("Today")).toContain("Next visit: Maria Alvarez, Mon, Nov 23, 2026 at 10:00 AM ET");
  });
});

describe("the Needs attention card", () => {
  test("lists past visits that are unpaid or have no status, not today's, cancelled, free or paid ones", async () => {
    const price = { paymentAmountCents: 7500, status: "completed" };
    await bookVisit("Unpaid", "2026-11-18 10:00", price);
    await bookVisit("Of today", "2026-11-20 08:00", { ...price, status: "scheduled" });
    await bookVisit("Called off", "2026-11-17 10:00", { ...price, status: "cancelled" });
    await bookVisit("Free", "2026-11-16 10:00", { status: "completed" });
    const paid = await bookVisit("Paid", "2026-11-15 10:00", price);
    await admin.form(`/dashboard/appointments/${paid.id}/payment`, { intent: "taken", method: "cash" });
    await bookVisit("No status", "2026-11-14 10:00");
    const text = await readCard("Needs attention");
    expect(text).toMatch(/Money1.*Maria Alvarez Wed, Nov 18\s*\$75 due/);
    expect(text).toMatch(/No status1.*Maria Alvarez Sat, Nov 14/);
    expect(text.match(/Maria Alvarez (Mon|Tue|Fri|Sun)/g)).toBeNull();
  });

  test("shows four rows per group, newest first, and a link to the list of all of them", async () => {
    for (const day of ["10", "11", "12", "13", "14", "15"]) await bookVisit("Old", `2026-11-${day} 10:00`);
    const text = await readCard("Needs attention");
    expect(text).toMatch(/Sun, Nov 15.*Sat, Nov 14.*Fri, Nov 13.*Thu, Nov 12.*2 more visits without a status/);
    expect(text).not.toContain("Nov 11");
    const { document } = await admin.get("/dashboard?status=open&when=past");
    expect(document.querySelectorAll("#appointments .admin-row")).toHaveLength(6);
  });

  test("lists urgent requests with schedule, email and phone links where given, and no routine ones", async () => {
    const request = { email: "a@example.org", serviceNeeds: "School", consent: true };
    await db.consultationRequest.createMany({
      data: [
        { ...request, firstName: "Una", lastName: "Urgent", urgency: "urgent", phone: "(848) 555-0112" },
        { ...request, firstName: "Rosa", lastName: "Routine", urgency: "routine" },
        { ...request, firstName: "Nora", lastName: "Nomail", urgency: "urgent", email: "" },
      ],
    });
    expect(await readCard("Needs attention")).toMatch(/Urgent requests2.*Una Urgent.*URGENT/);
    expect(await readCard("Needs attention")).not.toContain("Rosa");
    expect(await readLinks("Needs attention")).toContain("tel:8485550112");
    const { document } = await admin.get("/dashboard?status=unpaid");
    const actions = [...document.querySelectorAll(".attention .actions .button")].map((link) => [
      link.textContent.trim(),
      link.getAttribute("href"),
    ]);
    const [una, nora] = await Promise.all(
      ["Una", "Nora"].map((firstName) => db.consultationRequest.findFirstOrThrow({ where: { firstName } })),
    );
    const schedule = ({ id = 0, firstName = "", lastName = "" } = {}) => [
      `Schedule a consultation with ${firstName} ${lastName}, request ${id}`,
      `/dashboard/requests/${id}/schedule?status=unpaid`,
    ];
    expect(actions).toHaveLength(3);
    expect(actions).toEqual(
      expect.arrayContaining([
        schedule(una),
        schedule(nora),
        ["Contact: Una Urgent", expect.stringMatching(/^mailto:a@example\.org\?subject=/)],
      ]),
    );
  });

  test("lists emergencies before urgent requests that came earlier", async () => {
    const request = { lastName: "Doe", email: "a@example.org", serviceNeeds: "School", consent: true };
    const at = (hour: string, firstName: string, urgency: string) => {
      return { ...request, firstName, urgency, createdAt: new Date(`2026-11-19T${hour}:00Z`) };
    };
    const [emil, eva] = [at("15:00", "Emil", "emergency"), at("13:00", "Eva", "emergency")];
    const [una, ugo] = [at("14:00", "Una", "urgent"), at("12:00", "Ugo", "urgent")];
    await db.consultationRequest.createMany({ data: [emil, una, eva, ugo] });
    expect((await readCard("Needs attention")).match(/(Eva|Emil|Ugo|Una)(?= Doe)/g)).toEqual([
      "Eva",
      "Emil",
      "Ugo",
      "Una",
    ]);
  });

  test("counts all emergency and urgent requests, including those not shown, and links to all of them", async () => {
    const request = { firstName: "Ana", email: "a@example.org", serviceNeeds: "School", consent: true };
    const createRequests = (count: number, urgency: string) =>
      db.consultationRequest.createMany({
        data: Array.from({ length: count }, (_, index) => ({ ...request, lastName: `${urgency}${index}`, urgency })),
      });
    const shown = async () => {
      const { document, visibleText } = await admin.get("/dashboard");
      const group = [...document.querySelectorAll(".attention-group")].find((each) =>
        each.querySelector("h3")?.textContent.startsWith("Urgent requests"),
      );
      const more = group?.querySelector(".attention-row:last-child a");
      return [
        Number(/Needs attention \((\d+)\)/.exec(visibleText)?.[1] ?? 0),
        group?.querySelector(".attention-count")?.textContent,
        [more?.textContent, more?.getAttribute("href")],
        document.querySelector(".day-summary")?.textContent,
        /Of the others, \d+ are marked/.exec(visibleText)?.[0],
      ];
    };
    const [before] = await shown();
    await createRequests(11, "emergency");
    await createRequests(1, "urgent");
    const link = "/requests?status=open";
    const all = [Number(before) + 12, "12"];
    const summary = "11 emergencies";
    expect(await shown()).toEqual([...all, ["2 more urgent requests", link], summary, "Of the others, 7 are marked"]);
    expect((await admin.get(link)).document.querySelectorAll("main li summary")).toHaveLength(12);
    // Rows that are kept for those who wait without a mark take none off the number.
    await createRequests(3, "routine");
    expect(await shown()).toEqual([...all, ["5 more urgent requests", link], summary, "Of the others, 10 are marked"]);
  });

  test("lists a family's upload until the consultant opens it; opening by the family or HEAD does not count", async () => {
    const noor = await family({ firstName: "Noor", lastName: "Haddad" });
    const { json } = await uploadFile(noor);
    expect(await readCard("Needs attention")).toContain("New documents1Noor Haddad");
    await noor.get(`/api/documents/${json.id}`);
    await admin.request("HEAD", `/api/documents/${json.id}`, {});
    expect(await readCard("Needs attention")).toContain("New documents1Noor Haddad");
    await admin.get(`/api/documents/${json.id}`);
    expect(await readCard("Needs attention")).not.toContain("Noor Haddad");
  });

  test("lists a new and a changed intake form until the consultant has read that version", async () => {
    const elena = await family({ firstName: "Elena", lastName: "Petrova", intake: true });
    expect(await readCard("Needs attention")).toMatch(/Elena Petrova Fri, Nov 20\s*New/);
    await admin.get(`/dashboard/intake-form?userId=${elena.id}`);
    expect(await readCard("Needs attention")).not.toContain("Elena");
    await setTime(new Date(NOW.getTime() + 60_000));
    await elena.post("/api/intake-forms", { ...intakeForm(elena), diagnosis: "ADHD" });
    expect(await readCard("Needs attention")).toMatch(/Elena Petrova Fri, Nov 20\s*Changed/);
    expect((await elena.get("/api/intake-forms")).text).not.toContain("reviewedAt");
  });

  test("marks only listed items as read, none that are unlisted or newer; invalid input gets 422", async () => {
    const grace = await family({ firstName: "Grace", lastName: "Kim", intake: true });
    for (let number = 1; number <= 6; number += 1)
      await uploadFile(grace, { fields: { customFileName: `Report ${number}` } });
    const unopened = () => db.document.count({ where: { userId: grace.id, reviewedAt: null } });
    const formOf = (text: RegExp) =>
      [...board.querySelectorAll("form")].find((each) => text.test(each.textContent ?? ""));
    const sent = (text: RegExp) => {
      const fields = [...(formOf(text)?.querySelectorAll("input") ?? [])].map(
        (input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""] as [string, string],
      );
      return new URLSearchParams(fields);
    };
    const { document: board } = await admin.get("/dashboard");
    const documents = sent(/^Mark these 4 documents as read$/);
    const forms = sent(/^Mark th.+ intake forms? as read$/);
    expect(documents.getAll("document")).toHaveLength(4);
    const mark = (client: TestClient, body: URLSearchParams) =>
      client.request("POST", "/dashboard", {
        headers: { Origin: client.origin, "Content-Type": "application/x-www-form-urlencoded" },
        body: body.toString(),
      });
    expect((await mark(grace, documents)).status).toBe(403);
    const until = NOW.toISOString();
    for (const wrong of [
      "until=yesterday&document=1",
      `until=${until}&document=all`,
      `until=${until}${"&document=1".repeat(21)}`,
    ])
      expect((await mark(admin, new URLSearchParams(wrong))).status).toBe(422);
    expect(await unopened()).toBe(6);
    // Changed after the dashboard was loaded: nobody has read this version.
    await setTime(new Date(NOW.getTime() + 3_600_000));
    await grace.post("/api/intake-forms", { ...intakeForm(grace), diagnosis: "ADHD" });
    expect((await mark(admin, documents)).headers.location).toBe("/dashboard");
    expect(await unopened()).toBe(2);
    expect((await mark(admin, forms)).status).toBe(302);
    expect(await db.intakeForm.count({ where: { userId: grace.id, reviewedAt: null } })).toBe(1);
    const { document: later } = await admin.get("/dashboard");
    expect(later.body.textContent).toMatch(/Mark these 2 documents as read/);
    forms.set("until", "9999-12-31T00:00:00Z");
    expect((await mark(admin, forms)).status).toBe(302);
    expect(await db.intakeForm.count({ where: { userId: grace.id, reviewedAt: null } })).toBe(0);
    await setTime(NOW);
    await db.document.deleteMany({ where: { userId: grace.id } });
  });

  test("lists a refund that the provider refused until later refunds cover its amount", async () => {
    const price = { paymentAmountCents: 7500, status: "completed" };
    const { id: appointmentId } = await bookVisit("Refunded", "2026-11-18 10:00", price);
    await admin.form(`/dashboard/appointments/${appointmentId}/payment`, { intent: "taken", method: "cash" });
    const { id: paymentId } = await db.payment.findFirstOrThrow({ where: { appointmentId } });
    const refund = { paymentId, amountCents: 2500, reason: "By mistake", leaseEndsAt: NOW, createdAt: NOW };
    await db.refund.create({ data: { ...refund, key: "refused", state: "failed" } });
    expect(await readCard("Needs attention")).toMatch(/Maria Alvarez \$25, Fri, Nov 20\..*Refund refused/);
    expect(await readLinks("Needs attention")).toContain(`/dashboard/appointments/${appointmentId}/payment`);
    // Made earlier in the provider's dashboard, and heard of later: it covers a part.
    await db.refund.create({ data: { ...refund, amountCents: 1000, key: "provider-1", state: "done" } });
    expect(await readCard("Needs attention")).toMatch(/Maria Alvarez \$15, Fri, Nov 20\..*Refund refused/);
    await db.refund.create({ data: { ...refund, amountCents: 1500, key: "again", state: "done" } });
    expect(await readCard("Needs attention")).not.toContain("Refund refused");
  });

  test("lists a declined card for a week, unless the family has paid since", async () => {
    const tomas = await family({ firstName: "Tomás", lastName: "Silva" });
    const attempt = { userId: tomas.id, method: "card", booking: "{}", amountCents: 7500, leaseEndsAt: NOW };
    await db.payment.create({ data: { ...attempt, key: "declined-1", state: "declined", createdAt: NOW } });
    expect(await readCard("Needs attention")).toContain("Tomás Silva $75, Fri, Nov 20Card declined");
    await setTime(new Date(NOW.getTime() + 7 * 86_400_000));
    expect(await readCard("Needs attention")).not.toContain("Tomás");
    await setTime(NOW);
    const createdAt = new Date(NOW.getTime() + 1000);
    await db.payment.create({ data: { ...attempt, key: "paid-1", state: "paid", createdAt } });
    expect(await readCard("Needs attention")).not.toContain("Tomás");
  });

  test("lists all of six declined cards, without a limit of rows", async () => {
    const attempts: { userId: number; method: string; booking: string; amountCents: number; leaseEndsAt: Date }[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const { id: userId } = await family();
      attempts.push({ userId, method: "card", booking: "{}", amountCents: 7500, leaseEndsAt: NOW });
    }
    const pay = (state: string, createdAt: Date) =>
      db.payment.createMany({
        data: attempts.map((attempt) => ({ ...attempt, key: `${state}-${attempt.userId}`, state, createdAt })),
      });
    await pay("declined", NOW);
    expect((await readCard("Needs attention")).match(/Card declined/g)).toHaveLength(6);
    await pay("paid", new Date(NOW.getTime() + 1000));
    expect(await readCard("Needs attention")).not.toContain("Card declined");
  });
});

describe("all appointments", () => {
  test("are sorted by date, price or family; the search form returns to the list's place on the page", async () => {
    const ada = await family({ firstName: "Ada", lastName: "Abel" });
    await bookVisit("Cheap", "2026-11-24 10:00", { paymentAmountCents: 4000 });
    await bookVisit("Dear", "2026-11-25 10:00", { paymentAmountCents: 32500 });
    await bookVisit("Middle", "2026-11-18 10:00", { paymentAmountCents: 7500, userId: ada.id });
    const titles = async (sort: string) =>
      (await readCard("All Appointments", `/dashboard?sort=${sort}`)).match(/Cheap|Dear|Middle/g);
    expect(await titles("date")).toEqual(["Cheap", "Dear", "Middle"]);
    expect(await titles("money")).toEqual(["Dear", "Middle", "Cheap"]);
    expect((await titles("family"))?.[0]).toBe("Middle");
    const { document } = await admin.get("/dashboard");
    expect(document.querySelector("#appointments form")?.getAttribute("action")).toBe("/dashboard#appointments");
  });

  test("open a dialog that returns to the consultant's page it came from, else to the dashboard", async () => {
    const { id } = await bookVisit("Any", "2026-11-24 10:00");
    const closeTarget = async (from: string) => {
      const query = new URLSearchParams({ from });
      const { document } = await admin.get(`/dashboard/appointments/${id}?${query}`);
      return document
        .querySelector("dialog a[aria-label='Close'], dialog a.dialog-close, dialog header a")
        ?.getAttribute("href");
    };
    expect(await closeTarget("/calendar?view=week&date=2026-11-24")).toBe("/calendar?view=week&date=2026-11-24");
    expect(await closeTarget(`/families/${maria.id}#appointments`)).toBe(`/families/${maria.id}#appointments`);
    for (const from of [
      "//evil.example/calendar",
      "https://evil.example",
      "/calendar\\evil",
      "/logout",
      "javascript:x",
    ]) {
      expect((await closeTarget(from))?.startsWith("/dashboard")).toBe(true);
    }
  });
});
