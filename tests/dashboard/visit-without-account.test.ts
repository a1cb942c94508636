// Proves that a visit without an account shows its request, and that a video visit comes with a link to an account.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setTestClock(() => NOW);

let admin: TestClient;
let maria: Family;
let hours = 0;

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true });
});

const WORDS = {
  firstName: "Shanice",
  lastName: "Robinson",
  email: "shanice+school@example.org",
  phone: "(848) 555-0112",
  serviceNeeds: "Suspended twice, and no plan <yet>",
  message: "The meeting is on Friday.",
  urgency: "emergency",
};

async function schedule(fields: Record<string, string> = {}, from: TestClient = visitor(), asked: object = WORDS) {
  const sent = await from.post("/api/consultation-requests", { ...asked, consent: true });
  const path = `/dashboard/requests/${sent.json.id}/schedule`;
  if (!fields.date) hours += 1;
  const time = `${String(8 + hours).padStart(2, "0")}:00`;
  const answer = await admin.form(path, { title: "First talk", date: "2026-11-22", time, ...fields });
  const visit = await db.appointment.findFirstOrThrow({ where: { consultationRequestId: sent.json.id } });
  return { answer, visit, details: `/dashboard/appointments/${visit.id}`, requestId: sent.json.id as number };
}

describe("the request behind a visit without an account", () => {
  test("is in the visit's details with phone and email links, and can't be deleted", async () => {
    const { details, requestId } = await schedule();
    const { visibleText, document } = await admin.get(details);
    for (const text of ["Shanice Robinson", WORDS.serviceNeeds, WORDS.message, WORDS.phone, WORDS.email, "EMERGENCY"])
      expect(visibleText).toContain(text);
    expect(document.querySelector('dialog a[href="tel:+18485550112"], dialog a[href="tel:8485550112"]')).not.toBeNull();
    expect(document.querySelector(`dialog a[href="mailto:${encodeURIComponent(WORDS.email)}"]`)).not.toBeNull();
    expect((await admin.delete(`/api/consultation-requests/${requestId}`)).status).toBe(404);
    expect((await admin.get(details)).visibleText).toContain(WORDS.message);
  });

  test("is visible only to the consultant, even once the visit is in an account", async () => {
    const { visit, details } = await schedule();
    await db.appointment.update({ where: { id: visit.id }, data: { userId: maria.id } });
    expect((await admin.get(details)).visibleText).toContain(WORDS.message);
    expect((await maria.get(details)).status).toBe(403);
    expect((await maria.get("/appointments")).text).not.toContain(WORDS.message);
    expect((await maria.get(`/api/appointments/${visit.id}`)).text).not.toContain(WORDS.message);
  });

  test("is absent from a visit that a family booked itself", async () => {
    const appointmentDate = new Date("2026-12-05T15:00Z");
    const own = { title: "Hourly Consulting", type: "consultation", userId: maria.id, appointmentDate };
    const { id } = await db.appointment.create({ data: own });
    const { document } = await admin.get(`/dashboard/appointments/${id}`);
    const headings = [...document.querySelectorAll("dialog h3")].map((heading) => heading.textContent);
    expect(headings).toContain("Client");
    expect(headings).not.toContain("Request");
  });
});

test("a visit today is not a person's first if an account with the request's email address had a visit", async () => {
  const devon = await family();
  const past = { title: "Hourly Consulting", type: "consultation", status: "completed", userId: devon.id };
  await db.appointment.create({ data: { ...past, appointmentDate: new Date("2026-11-13T15:00Z") } });
  // The office is closed on that day, so the consultant confirms the time.
  const at = (hour: number) => ({
    date: "2026-11-20",
    time: `${hour}:00`,
    anyway: `2026-11-20T${hour + 5}:00:00.000Z`,
  });
  await schedule(at(17), visitor(), { ...WORDS, firstName: "Known", email: devon.email });
  await schedule(at(18), visitor(), { ...WORDS, firstName: "New", email: "new@example.org" });
  const rows = [...(await admin.get("/dashboard")).document.querySelectorAll("section.card li")].map(
    ({ textContent }) => textContent ?? "",
  );
  expect(rows.filter((row) => row.includes("New Robinson")).join()).toContain("first visit");
  expect(rows.filter((row) => row.includes("Known Robinson")).join()).not.toContain("first visit");
});

describe("scheduling a video visit for a person without an account", () => {
  const video = { isLiveVideoCall: "on" };

  test("redirects to the page with the claim link, and the details say that nobody can join yet", async () => {
    const { answer: response, details } = await schedule(video);
    expect(response.headers.location).toBe(`${details}/claim-link`);
    const next = await admin.follow(response);
    expect(next.visibleText).toContain("Consultation Scheduled Successfully!");
    expect(next.visibleText).toContain("Make the link");
    expect((await admin.get(details)).visibleText).toContain("Nobody can join it yet: the family needs an account.");
  });

  test("marks the visit in the dashboard's list until it is in an account", async () => {
    const { visit } = await schedule(video, visitor(), { ...WORDS, firstName: "Marked" });
    const row = async () => (await admin.get("/dashboard?q=Marked")).visibleText.includes("Video, no account yet");
    expect(await row()).toBe(true);
    await db.appointment.update({ where: { id: visit.id }, data: { userId: maria.id } });
    expect(await row()).toBe(false);
  });

  test("redirects to the dashboard instead if there is an account or no video", async () => {
    expect((await schedule(video, maria)).answer.headers.location).toBe("/dashboard");
    expect((await schedule()).answer.headers.location).toBe("/dashboard");
  });
});

test("the pages of the calendar dialog link to all 450 upcoming and all 450 past visits", async () => {
  await db.appointment.deleteMany();
  const at = (index: number) => new Date(NOW.getTime() - 30_000 + index * 3_600_000);
  const visits = Array.from({ length: 450 }, (_, index) => [index + 24, -index - 24]).flat();
  const data = visits.map((index) => ({ title: `Visit ${index}`, type: "consultation", appointmentDate: at(index) }));
  await db.appointment.createMany({ data });
  for (const query of ["", "?&before"]) {
    const seen = new Set<string>();
    let path: string | null = `/dashboard/calendar${query}`;
    for (let parts = 0; path && parts < 4; parts += 1) {
      const { document }: { document: Document } = await admin.get(path);
      for (const link of document.querySelectorAll('dialog li a[href^="/dashboard/appointments/"]'))
        seen.add(/\d+/.exec(link.getAttribute("href") ?? "")?.[0] ?? "");
      path =
        document
          .querySelector(`nav[aria-label="More appointments"] a[href*="part=${parts + 2}"]`)
          ?.getAttribute("href") ?? null;
    }
    expect([query, seen.size, path]).toEqual([query, 450, null]);
  }
});

describe("the page for notifying a person without an account", () => {
  beforeEach(async () => void (await db.appointment.deleteMany()));

  const pathOf = (visit: { id: number }) => `/dashboard/appointments/${visit.id}/claim-link`;
  const NAMED = { ...WORDS, firstName: "Dolores", lastName: "Vega", email: "d.vega@example.org" };

  test("shows name, phone, email, visit and actions; “I told them” is gone once marked", async () => {
    const { visit } = await schedule({ isLiveVideoCall: "on" }, visitor(), { ...NAMED, phone: "(848) 555-0110" });
    const { document } = await admin.get(pathOf(visit));
    const dialog = document.querySelector("dialog");
    expect(dialog?.querySelector("h1, h2")?.textContent).toBe("Tell Dolores Vega");
    for (const start of ["tel:8485550110", "mailto:d.vega@example.org?"])
      expect(dialog?.querySelector(`a[href^="${start}"]`)).not.toBeNull();
    expect(dialog?.textContent).toMatch(/Sun, Nov 22, 2026 at \d+:00 [AP]M ET, video/);
    const made = await admin.form(pathOf(visit), {});
    expect(made.document.querySelector("dialog")?.textContent).toMatch(/Sun, Nov 22, 2026 at \d+:00 [AP]M ET, video/);
    const fromSearch = await admin.get(`${pathOf(visit)}?${new URLSearchParams({ from: "/search?q=Vega" })}`);
    const told = fromSearch.document.querySelector('form[action*="/told"]')?.getAttribute("action") ?? "";
    const marked = await admin.form(told, {});
    expect(marked.headers.location).toBe(`/dashboard/appointments/${visit.id}?from=%2Fsearch%3Fq%3DVega`);
    await admin.form(told, { told: "no" });
    const buttons = [...(dialog?.querySelectorAll("form button") ?? [])].map(({ textContent }) => textContent);
    expect(buttons).toEqual(["Send the invitation by mail", "Make the link to send it yourself", "I told them"]);
    expect((await admin.form(`/dashboard/appointments/${visit.id}/told`, {})).status).toBe(302);
    expect((await admin.get(pathOf(visit))).visibleText).not.toContain("I told them");
  });

  test("emails an invitation to the visit; refuses (422) an address that already has an account", async () => {
    const { visit, details } = await schedule({ isLiveVideoCall: "on" }, visitor(), NAMED);
    const sent = await admin.form(pathOf(visit), { invite: "mail" });
    expect([sent.status, sent.headers.location]).toEqual([302, details]);
    expect((await admin.follow(sent)).visibleText).toContain("Invitation sent");
    const invitation = await db.invitation.findUniqueOrThrow({ where: { email: NAMED.email } });
    expect(invitation).toMatchObject({ appointmentId: visit.id, firstName: "Dolores", lastName: "Vega" });
    await db.appointment.deleteMany();
    const taken = await schedule({ isLiveVideoCall: "on" }, visitor(), { ...NAMED, email: maria.email });
    const refused = await admin.form(pathOf(taken.visit), { invite: "mail" });
    expect([
      refused.status,
      refused.visibleText.includes("A family already has an account with this address."),
    ]).toEqual([422, true]);
    expect((await maria.form(pathOf(visit), { invite: "mail" })).status).toBe(403);
  });

  test("creates a claim link and a prefilled email that contains it", async () => {
    const { visit } = await schedule({ isLiveVideoCall: "on" }, visitor(), NAMED);
    const { document } = await admin.form(pathOf(visit), {});
    const link = document.querySelector("output.secret")?.textContent ?? "";
    const mails = [...document.querySelectorAll('dialog a[href^="mailto:"]')].map((mail) => mail.getAttribute("href"));
    expect(mails.filter((mail) => decodeURIComponent(mail ?? "").includes(link))).toHaveLength(1);
  });

  test("offers no email without an address (422), and a title without a name if there is no request", async () => {
    const fields = { firstName: "Al", lastName: "Roe", phone: "848-555-0199", serviceNeeds: "IEP", consent: "on" };
    await admin.form("/requests/new", fields);
    const { id } = await db.consultationRequest.findFirstOrThrow({ orderBy: { id: "desc" } });
    const title = "Initial Consultation";
    const plan = { consultationRequestId: id, title, appointmentDate: "2027-03-06T15:00:00Z" };
    const { json } = await admin.post("/api/appointments/from-consultation", plan);
    const page = await admin.get(pathOf(json));
    expect(page.visibleText).toContain("Tell Al Roe");
    expect(page.visibleText).not.toContain("Send the invitation by mail");
    expect((await admin.form(pathOf(json), { invite: "mail" })).status).toBe(422);
    const appointmentDate = new Date("2027-03-07T15:00Z");
    const visitWithoutRequest = await db.appointment.create({ data: { title, type: "consultation", appointmentDate } });
    expect((await admin.get(pathOf(visitWithoutRequest))).visibleText).toContain("Link for the family");
  });
});

test("inviting a family asks whether to add a visit booked under that name (409), and adds it only on yes", async () => {
  const PATH = "/families/invitations";
  const appointmentDate = new Date("2026-12-30T15:00Z");
  const visit = { title: "Hourly Consulting - Renee Dubois", type: "consultation", appointmentDate };
  const { id } = await db.appointment.create({ data: visit });
  await db.appointment.create({ data: { ...visit, status: "cancelled" } });
  const [email, other] = ["renee.1@example.org", "renee.2@example.org"];
  const fields = { firstName: "renee", lastName: "Dubois", email };
  const asked = await admin.form(PATH, fields);
  expect([asked.status, asked.visibleText.includes("renee Dubois has a visit without an account: add it?")]).toEqual([
    409,
    true,
  ]);
  const choices = [...asked.document.querySelectorAll('input[name="appointmentId"]')];
  expect(choices.map((each) => each.getAttribute("value"))).toEqual([String(id), ""]);
  expect(await db.invitation.count({ where: { email } })).toBe(0);
  await admin.form(PATH, { ...fields, asked: "yes", appointmentId: String(id) });
  expect(await db.invitation.findUniqueOrThrow({ where: { email } })).toMatchObject({ appointmentId: id });
  await admin.form(PATH, { email: other, firstName: "Renee", lastName: "Dubois", asked: "yes", appointmentId: "" });
  expect(await db.invitation.findUniqueOrThrow({ where: { email: other } })).toMatchObject({ appointmentId: null });
  await db.appointment.deleteMany({ where: { title: visit.title } });
});
