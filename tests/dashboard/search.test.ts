// Proves the consultant's search: its results and their order, its limits of rows, and that only she can use it.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const DAY_MS = 86_400_000;
setTestClock(() => NOW);

let admin: TestClient;
let keisha: Family;

const visit = (days: number) => ({
  title: "Hourly Consulting",
  type: "consultation",
  appointmentDate: new Date(NOW.getTime() + days * DAY_MS - 30_000),
});
const request = {
  firstName: "Dolores",
  lastName: "Vega",
  email: "dolores@example.org",
  phone: "(848) 555-0110",
  serviceNeeds: "Wheelchair",
  urgency: "routine",
  consent: true,
};
const file = { fileType: "application/pdf", fileSize: 3, filePath: "nowhere" };

beforeAll(async () => {
  admin = await consultant();
  keisha = await family({ firstName: "Keisha", lastName: "Thompson", intake: true });
  await db.intakeForm.update({ where: { userId: keisha.id }, data: { childName: "Zaïre" } });
  for (const days of [-9, -2, 12, 5]) await db.appointment.create({ data: { ...visit(days), userId: keisha.id } });
  await db.document.create({ data: { ...file, fileName: "IEP of October.pdf", userId: keisha.id } });
});

async function groupsOf(words: string) {
  const { document } = await admin.get(`/search?q=${encodeURIComponent(words)}`);
  const cards = [...document.querySelectorAll("main .card")];
  return Object.fromEntries(
    cards.map((card) => [
      card.querySelector("h2")?.textContent,
      [...card.querySelectorAll("a")]
        .map((link) => link.getAttribute("href")?.replace(/\?from=.*/, ""))
        .filter((href) => !/^(tel|mailto):|\/reschedule$/.test(href ?? "")),
    ]),
  );
}

describe("the consultant's search", () => {
  test("groups results for a child's name: the family, its visits with the next one first, its documents", async () => {
    const visits = await db.appointment.findMany({ where: { userId: keisha.id }, orderBy: { appointmentDate: "asc" } });
    const [oldest, latest, next, last] = visits.map(({ id }) => `/dashboard/appointments/${id}`);
    const { id } = await db.document.findFirstOrThrow({ where: { userId: keisha.id } });
    expect(await groupsOf("zaire")).toEqual({
      Families: [`/families/${keisha.id}`],
      Visits: [next, last, latest, oldest],
      Documents: [`/api/documents/${id}`, `/families/${keisha.id}#documents`],
    });
    const found = await admin.get("/search?q=zaire");
    expect(found.visibleText).toContain("6 found for “zaire”.");
    // A row that was found by the child says so: the family's, each of the four visits' and the document's.
    expect(found.visibleText.match(/Child: Zaïre/g)).toHaveLength(6);
    expect((await admin.get("/documents?q=zaire")).visibleText).toContain("Child: Zaïre");
    const list = await admin.get("/dashboard?q=zaire");
    expect(list.document.querySelector("#appointments")?.textContent?.match(/Child: Zaïre/g)).toHaveLength(4);
    expect(Object.keys(await groupsOf("october"))).toEqual(["Documents"]);
  });

  test("finds a person without an account, with an open request and with a scheduled visit", async () => {
    const open = await db.consultationRequest.create({ data: request });
    expect(await groupsOf("848.555.0110")).toEqual({
      "People without an account": [`/dashboard/requests/${open.id}/schedule`],
    });
    const fields = { consultationRequestId: open.id, title: "Initial Consultation" };
    const made = await admin.post("/api/appointments/from-consultation", {
      ...fields,
      appointmentDate: "2026-12-06T15:00:00Z",
    });
    const path = `/dashboard/appointments/${made.json.id}`;
    expect(await groupsOf("dolores")).toEqual({ "People without an account": [path], Visits: [path] });
    await db.appointment.deleteMany({ where: { consultationRequestId: open.id } });
    expect(await groupsOf("dolores")).toEqual({ "People without an account": ["/requests?q=Dolores+Vega"] });
    await db.consultationRequest.delete({ where: { id: open.id } });
  });

  test("lists no person without an account if a family sent the request or has its visit", async () => {
    const own = await db.consultationRequest.create({ data: { ...request, firstName: "Quilla", userId: keisha.id } });
    const claimed = await db.consultationRequest.create({ data: { ...request, firstName: "Quilla" } });
    await db.appointment.create({ data: { ...visit(40), userId: keisha.id, consultationRequestId: claimed.id } });
    expect(await groupsOf("quilla")).toEqual({});
    await db.appointment.deleteMany({ where: { consultationRequestId: claimed.id } });
    await db.consultationRequest.deleteMany({ where: { id: { in: [own.id, claimed.id] } } });
  });

  test("marks a family whose account is closed, and no other", async () => {
    const closed = await family({ firstName: "Ximena", lastName: "Closedaccount" });
    await db.user.update({ where: { id: closed.id }, data: { closedAt: NOW } });
    await family({ firstName: "Yuki", lastName: "Closedaccount" });
    const { document } = await admin.get("/search?q=closedaccount");
    const rows = [...document.querySelectorAll("main .card .rows > li")].map(({ textContent }) => textContent);
    expect(rows.map((row) => [/Ximena|Yuki/.exec(row)?.[0], row.endsWith("closed")])).toEqual([
      ["Ximena", true],
      ["Yuki", false],
    ]);
  });

  test("shows six results per group and the number of the rest, with a link to the full list", async () => {
    const people = Array.from({ length: 9 }, (_, at) => ({ ...request, email: `dolores${at}@example.org` }));
    await db.consultationRequest.createMany({ data: people.map((each) => ({ ...each, lastName: "Trampoline" })) });
    for (const { email } of people) await family({ email, lastName: "Trampoline" });
    const days = [20, 21, 22, -20, -21, -22, -23, -24, -25];
    const rows = days.map((each) => ({ ...visit(each), userId: keisha.id, notes: "Trampoline" }));
    await db.appointment.createMany({ data: rows });
    const files = rows.map((_, at) => ({ ...file, fileName: `Trampoline ${at}.pdf`, userId: keisha.id }));
    await db.document.createMany({ data: files });
    const { visibleText, document } = await admin.get("/search?q=trampoline");
    for (const group of ["families", "people without an account", "visits", "documents"])
      expect(visibleText).toContain(`and 3 more of ${group}`);
    expect(document.querySelectorAll("main .card .rows > li")).toHaveLength(24);
    expect(document.querySelector('main a[href="/dashboard?q=trampoline#appointments"]')).not.toBeNull();
    expect((await admin.get("/dashboard?q=trampoline")).visibleText).toContain("9 appointments found");
  });

  test("has phone and email links, and move links for upcoming visits that return to the results", async () => {
    await db.user.update({ where: { id: keisha.id }, data: { phone: "7325550110" } });
    const open = await db.consultationRequest.create({ data: { ...request, lastName: "Zaire", phone: null } });
    const { document } = await admin.get("/search?q=zaire");
    const hrefs = [...document.querySelectorAll("main .card a")].map((link) => link.getAttribute("href") ?? "");
    expect(hrefs.filter((href) => /^(tel|mailto):/.test(href))).toEqual([
      "tel:7325550110",
      "mailto:dolores%40example.org",
    ]);
    const visits = await db.appointment.findMany({ where: { userId: keisha.id }, orderBy: { appointmentDate: "asc" } });
    const toCome = visits.filter(({ appointmentDate }) => appointmentDate > NOW);
    const moved = hrefs.filter((href) => href.includes("/reschedule?"));
    expect(moved.map((href) => href.replace(/\?.*/, ""))).toEqual(
      toCome.map(({ id }) => `/dashboard/appointments/${id}/reschedule`),
    );
    const dialog = (await admin.get(moved[0] ?? "")).document;
    expect(dialog.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe("/search?q=zaire");
    // The results stay behind it.
    expect(dialog.querySelector("main h1")?.textContent).toBe("Search");
    await db.consultationRequest.delete({ where: { id: open.id } });
    for (const path of ["/calendar/new?q=thompson", `/dashboard/intake-form?userId=${keisha.id}`]) {
      const page = (await admin.get(path)).document;
      expect([path, page.querySelector('main a[href="tel:7325550110"], main a[href^="tel:"]') !== null]).toEqual([
        path,
        true,
      ]);
      expect([path, page.querySelector('main a[href^="mailto:"]') !== null]).toEqual([path, true]);
    }
    await db.user.update({ where: { id: keisha.id }, data: { phone: null } });
  });

  test("opens a visit in a dialog that returns to the results", async () => {
    const { document } = await admin.get("/search?q=zaire");
    const path = document.querySelector('main a[href^="/dashboard/appointments/"]')?.getAttribute("href") ?? "";
    const { document: dialog } = await admin.get(path);
    expect(dialog.querySelector('dialog a[aria-label="Close"]')?.getAttribute("href")).toBe("/search?q=zaire");
  });

  test.each([
    ["a wildcard", "z%e"],
    ["a word of nobody's", "no-such-thing"],
    ["a tag", `"><script>`],
  ])("says that nothing was found for %s", async (_, words) => {
    const found = await admin.get(`/search?q=${encodeURIComponent(words)}`);
    expect([found.status, found.document.querySelector("main .card")]).toEqual([200, null]);
    expect(found.document.querySelector('main p[role="status"]')?.textContent).toBe(
      `Nothing was found for “${words}”.`,
    );
    expect(found.text).not.toContain('<script>"');
  });

  test.each([
    ["5,000 letters", "x".repeat(5_000)],
    ["400 emojis", "🧩".repeat(400)],
  ])("says that nothing was found for %s, of which it repeats no more than the beginning", async (_, words) => {
    const found = await admin.get(`/search?q=${encodeURIComponent(words)}`);
    expect([found.status, found.document.querySelector("main .card")]).toEqual([200, null]);
    const [, repeated = ""] = /Nothing was found for “(.*)”/.exec(found.visibleText) ?? [];
    expect([words.startsWith(repeated), repeated.length > 0, repeated.length < 300]).toEqual([true, true, true]);
  });

  test.each([
    ["nothing", ""],
    ["spaces", "   "],
  ])("says nothing of results for %s", async (_, words) => {
    const found = await admin.get(`/search?q=${encodeURIComponent(words)}`);
    expect([found.status, found.document.querySelector("main .card")]).toEqual([200, null]);
    expect(found.document.querySelector('main p[role="status"]')).toBeNull();
  });
});

test("the consultant's pages have a search form that works without JavaScript; a family's dashboard has none", async () => {
  for (const page of ["/dashboard", "/families", "/money"]) {
    const form = (await admin.get(page)).document.querySelector('nav form[role="search"]');
    expect([form?.getAttribute("method"), form?.getAttribute("action")]).toEqual(["get", "/search"]);
  }
  expect((await keisha.get("/dashboard")).document.querySelector('nav form[role="search"]')).toBeNull();
});

test("a family gets 403 from the search, and a visitor is redirected to login", async () => {
  expect((await keisha.get("/search?q=keisha")).status).toBe(403);
  expect((await keisha.get("/search.data?q=keisha")).status).toBe(403);
  expect((await visitor().get("/search?q=keisha")).headers.location).toMatch(/^\/login\?/);
});

test("a search adds no “opened” entry to the audit log", async () => {
  const before = await db.auditEntry.count({ where: { familyId: keisha.id, action: { endsWith: "-opened" } } });
  await admin.get("/search?q=keisha");
  expect(await db.auditEntry.count({ where: { familyId: keisha.id, action: { endsWith: "-opened" } } })).toBe(before);
});

describe("a search for a word from texts about a family", () => {
  const rowsOf = async (words: string) => {
    const { document } = await admin.get(`/search?q=${encodeURIComponent(words)}`);
    return [...document.querySelectorAll("main .card")].map((card) => [
      card.querySelector("h2")?.textContent,
      ...[...card.querySelectorAll(".rows > li")].map((row) => [
        row
          .querySelector("a")
          ?.getAttribute("href")
          ?.replace(/[?&]from=.*/, ""),
        row.querySelector("p")?.textContent,
      ]),
    ]);
  };

  test("finds notes, follow-ups, answers and intake forms, whatever case and accents, with an excerpt", async () => {
    const noah = await family({ firstName: "Noah", lastName: "Okafor", intake: true });
    const long = "The district answered. ".repeat(30);
    const note = await db.familyNote.create({ data: { userId: noah.id, text: `${long}The paraprofessionál left.` } });
    const step = { userId: noah.id, dueDay: "2026-12-07" };
    await db.followUp.create({ data: { ...step, text: "Ask for a new paraprofessional" } });
    await db.followUp.create({ data: { ...step, text: "Call the paraprofessional", doneAt: NOW } });
    const { id } = await db.appointment.create({ data: { ...visit(60), userId: noah.id } });
    await db.visitAnswer.create({ data: { appointmentId: id, change: "A paraprofessional on the bus" } });
    const concerns = JSON.stringify(["School Advocacy / IEP / 504 Plans"]);
    const form = { otherConcerns: "No PARAPROFESSIONAL since May", primaryConcerns: concerns };
    await db.intakeForm.update({ where: { userId: noah.id }, data: form });
    expect(await rowsOf("paraprofessional")).toEqual([
      ["Notes", [`/families/${noah.id}/notes/${note.id}/edit`, expect.stringMatching(/^The district answered\. .*…$/)]],
      [
        "Follow-ups",
        [`/families/${noah.id}#follow-ups`, "Call the paraprofessional"],
        [`/families/${noah.id}#follow-ups`, "Ask for a new paraprofessional"],
      ],
      ["Answers before visits", [`/dashboard/appointments/${id}`, "A paraprofessional on the bus"]],
      ["Intake forms", [`/dashboard/intake-form?userId=${noah.id}`, "No PARAPROFESSIONAL since May"]],
    ]);
    expect(await rowsOf("left.")).toEqual([
      ["Notes", [expect.anything(), expect.stringMatching(/^….*The paraprofessionál left\.$/)]],
    ]);
    expect((await admin.get("/search?q=paraprofessional")).visibleText).toContain("5 found for “paraprofessional”.");
    const [[group, ...forms] = []] = await rowsOf("504");
    expect([group, forms.map((row) => row?.[1])]).toEqual([
      "Intake forms",
      Array(2).fill("School Advocacy / IEP / 504 Plans"),
    ]);
    await db.appointment.delete({ where: { id } });
  });

  test("can be narrowed by the family's name; the name alone lists no texts", async () => {
    const ada = await family({ firstName: "Adaeze", lastName: "Bello" });
    await db.familyNote.create({ data: { userId: ada.id, text: "Wants a trombone" } });
    await db.familyNote.create({ data: { userId: keisha.id, text: "Wants a trombone" } });
    expect((await rowsOf("bello")).map(([group]) => group)).toEqual(["Families"]);
    expect((await rowsOf("bello trombone")).map(([group, ...rows]) => [group, rows.length])).toEqual([["Notes", 1]]);
    expect((await rowsOf("trombone")).map(([group, ...rows]) => [group, rows.length])).toEqual([["Notes", 2]]);
  });

  test("shows the newest six notes and how many more there are", async () => {
    const rows = Array.from({ length: 8 }, (_, at) => ({ userId: keisha.id, text: `Kazoo ${at}` }));
    await db.familyNote.createMany({ data: rows });
    const [[, ...notes] = []] = await rowsOf("kazoo");
    expect(notes.map((row) => row?.[1])).toEqual([7, 6, 5, 4, 3, 2].map((at) => `Kazoo ${at}`));
    expect((await admin.get("/search?q=kazoo")).visibleText).toContain("and 2 more: add a word to find fewer.");
  });

  test("adds an audit log entry only for the families whose texts were listed", async () => {
    const [tala, other] = [await family(), await family()];
    for (const { id: userId } of [tala, other])
      await db.followUp.create({
        data: { userId, dueDay: "2026-12-07", text: userId === tala.id ? "Fagott" : "Oboe" },
      });
    await admin.get("/search?q=fagott");
    const listed = (familyId: number) => db.auditEntry.count({ where: { action: "texts-listed", familyId } });
    expect([await listed(tala.id), await listed(other.id)]).toEqual([1, 0]);
  });
});
