// Proves the consultant's pages about families: the list, one family, notes, documents, and who can access them.
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

describe("the list of families", () => {
  test("is sorted by last name, and filtered by child, email address and missing intake form", async () => {
    const { visibleText: words } = await admin.get("/families");
    expect(words.indexOf("Maria Alvarez")).toBeLessThan(words.indexOf("Noor Haddad"));
    expect((await admin.get("/families?q=LEO")).visibleText).toContain("1 family. Maria Alvarez".replace(". ", "."));
    expect((await admin.get(`/families?q=${noor.email}`)).visibleText).toContain("Noor Haddad");
    const waiting = (await admin.get("/families?intake=no")).visibleText;
    expect([waiting.includes("Noor Haddad"), waiting.includes("Maria Alvarez")]).toEqual([true, false]);
  });

  test("shows next visit, last visit and amount due of a family, and filters by debt and nothing booked", async () => {
    const base = { title: "Hourly Consulting", type: "consultation", userId: noor.id, paymentAmountCents: 7500 };
    for (const [date, status] of [
      ["2026-11-02T15:00Z", "completed"],
      ["2026-10-02T15:00Z", "no-show"],
      ["2026-12-01T15:00Z", "cancelled"],
      ["2026-12-08T15:00Z", "scheduled"],
      ["2026-12-15T15:00Z", "scheduled"],
    ] as const)
      await db.appointment.create({ data: { ...base, status, appointmentDate: new Date(date) } });
    const row = async (query: string, name: string) => {
      const { document } = await admin.get(`/families${query}`);
      return [...document.querySelectorAll("main .rows > li")].find((each) => each.textContent.includes(name));
    };
    const text = (await row("", "Noor Haddad"))?.textContent;
    for (const part of ["Next visit Tue, Dec 8, 2026", "Last Mon, Nov 2, 2026", "$150 due"])
      expect(text).toContain(part);
    expect((await row("", "Maria Alvarez"))?.textContent).toContain("Nothing booked");
    for (const [filter, isNoor] of [
      ["owes", true],
      ["nothing-booked", false],
    ] as const) {
      const found = [await row(`?visits=${filter}`, "Noor"), await row(`?visits=${filter}`, "Maria")];
      expect(found.map(Boolean)).toEqual([isNoor, !isNoor]);
    }
    expect(await row("?visits=unknown", "Noor")).toBeDefined();
    await db.appointment.deleteMany({ where: { userId: noor.id } });
  });

  test("filters by due follow-ups, as the dashboard's “more” link does, and by unread intake form", async () => {
    const follow = { userId: noor.id, dueDay: "2026-11-20", isShared: false };
    await db.followUp.createMany({
      data: ["One", "Two", "Three", "Four", "Five"].map((text) => ({ ...follow, text })),
    });
    await db.followUp.createMany({
      data: [
        { ...follow, userId: maria.id, text: "Tomorrow", dueDay: "2026-11-21" },
        { ...follow, userId: maria.id, text: "Done", doneAt: NOW },
      ],
    });
    await db.intakeForm.updateMany({ where: { userId: maria.id }, data: { reviewedAt: null } });
    const { document } = await admin.get("/dashboard");
    const more = [...document.querySelectorAll("a")].find(({ textContent }) =>
      textContent.includes("1 more follow-up"),
    );
    for (const [path, isNoor] of [
      [more?.getAttribute("href") ?? "", true],
      ["/families?intake=new", false],
    ] as const) {
      const { visibleText: words } = await admin.get(path);
      expect([words.includes("Noor Haddad"), words.includes("Maria Alvarez")]).toEqual([isNoor, !isNoor]);
    }
    await db.intakeForm.updateMany({ where: { userId: maria.id }, data: { reviewedAt: NOW } });
    expect((await admin.get("/families?intake=new")).visibleText).not.toContain("Maria Alvarez");
    await db.followUp.deleteMany({ where: { userId: { in: [noor.id, maria.id] } } });
  });

  test("has pages, and a page number beyond the end shows the last one", async () => {
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

  test("lists paid payments, and no failed attempts or payments in progress", async () => {
    const states = ["started", "waiting", "authorized", "booked", "voiding", "closing", "declined", "voided"];
    const common = { userId: maria.id, method: "card", booking: "{}", leaseEndsAt: new Date("2030-01-01T00:00Z") };
    for (const [at, state] of [...states, "paid"].entries())
      await db.payment.create({ data: { ...common, key: `of ${state}`, amountCents: 123_400 + at, state } });
    const words = (await admin.get(`/families/${maria.id}`)).visibleText;
    const shown = [...states, "paid"].filter((_, at) => new RegExp(`\\$1,?234\\.0${at}`).test(words));
    expect(shown).toEqual(["paid"]);
  });

  test.each(["0", "x", "2147483648", "999999"])("responds 404 for the id %s", async (id) => {
    expect((await admin.get(`/families/${id}`)).status).toBe(404);
    expect((await admin.form(`/families/${id}`, { text: "note" })).status).toBe(404);
  });

  test("responds 404 for the consultant's own account", async () => {
    const { id } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    expect((await admin.get(`/families/${id}`)).status).toBe(404);
  });
});

describe("private notes", () => {
  const SECRET = "Father wants no calls at work";

  test("are stored, shown to the consultant, edited, and deleted after a confirmation", async () => {
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
    expect(changed.visibleText).toMatch(/Note changed\s*About \S/);
    expect(await db.familyNote.findUnique({ where: { id: note.id }, select: { text: true } })).toEqual({
      text: "Aunt collects.",
    });
    expect((await admin.get(`/families/${maria.id}/notes/${note.id}/delete`)).visibleText).toContain(
      "cannot be undone",
    );
    await admin.form(`/families/${maria.id}/notes/${note.id}/delete`, {});
    expect(await db.familyNote.count()).toBe(0);
  });

  test("are linked to the chosen visit, by default the one she came from or one that needs an outcome", async () => {
    const visit = (title: string, start: string, status = "completed", of = maria) =>
      db.appointment.create({
        data: { title, type: "consultation", userId: of.id, status, appointmentDate: new Date(start) },
      });
    const earlier = await visit("Earlier visit", "2026-10-05T15:00Z");
    const others = await visit("Not hers", "2026-10-06T15:00Z", "completed", noor);
    const chosenAt = async (query: string) =>
      (await admin.get(`/families/${maria.id}${query}`)).document
        .querySelector("select[name=visit] option[selected]")
        ?.getAttribute("value") ?? "";
    expect(await chosenAt("")).toBe("");
    expect(await chosenAt(`?visit=${earlier.id}`)).toBe(String(earlier.id));
    for (const unknown of [others.id, "x", "-1", "99999999999"])
      expect([unknown, await chosenAt(`?visit=${unknown}`)]).toEqual([unknown, ""]);
    const details = (await admin.get(`/dashboard/appointments/${earlier.id}`)).document;
    const [link] = [...details.querySelectorAll("a")].filter((each) => each.textContent === "Write a note");
    expect(link?.getAttribute("href")).toBe(`/families/${maria.id}?visit=${earlier.id}#new-note`);

    const save = (chosen: number | string) =>
      admin.form(`/families/${maria.id}`, { text: SECRET, visit: String(chosen) });
    expect([(await save(others.id)).status, (await save(99_999)).status, (await save("x")).status]).toEqual([
      404, 404, 422,
    ]);
    expect(await db.familyNote.count()).toBe(0);
    expect((await save(earlier.id)).status).toBe(302);
    expect((await save("")).status).toBe(302);
    const notes = await db.familyNote.findMany({ orderBy: { id: "asc" }, select: { appointmentId: true } });
    expect(notes).toEqual([{ appointmentId: earlier.id }, { appointmentId: null }]);
    expect((await admin.get(`/dashboard/appointments/${earlier.id}`)).visibleText).toContain(SECRET);
    expect((await admin.get(`/families/${maria.id}`)).visibleText).toContain("Visit of Mon, Oct 5");

    const current = await visit("Needs its outcome", "2026-11-20T13:00Z", "scheduled");
    expect(await chosenAt("")).toBe(String(current.id));
    await db.familyNote.deleteMany();
    await db.appointment.deleteMany();
  });

  test("appear on none of the family's pages and in none of its API responses", async () => {
    await admin.form(`/families/${maria.id}`, { text: SECRET });
    expect((await admin.get(`/families/${maria.id}`)).text).toContain(SECRET);
    const pagePaths = ["/dashboard", "/dashboard.data", "/appointments.data", "/documents.data", "/intake-form.txt"];
    const calls = ["auth/me", "appointments", "documents", "intake-forms", `users/${maria.id}`].map(
      (path) => `/api/${path}`,
    );
    for (const path of [...pagePaths, ...calls, `/families/${maria.id}`, `/families/${maria.id}.data`])
      expect([path, (await maria.get(path)).text.includes(SECRET)]).toEqual([path, false]);
  });
});

describe("the documents of all families", () => {
  test("can be searched by the consultant by name, description and family; a family's list is not filtered", async () => {
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

describe("access to these pages", () => {
  test("is refused to a family (403) and a visitor (redirect), for reading and for changes", async () => {
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
