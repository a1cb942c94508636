// Proves the order of each list, including ties, and which visits a day of the calendar shows.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const DAY_MS = 86_400_000;
const days = (count: number) => new Date(NOW.getTime() - 30_000 + count * DAY_MS);

let admin: TestClient;
let maria: Family;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
  maria = await family({ intake: true, firstName: "Maria", lastName: "Middle" });
});

/** The words in the order in which the page has them first; each must be there. */
async function orderOn(who: TestClient, path: string, words: string[]): Promise<string[]> {
  const { visibleText } = await who.get(path);
  const places = words.map((word) => [word, visibleText.indexOf(word)] as const);
  expect([path, places.filter(([, at]) => at < 0)]).toEqual([path, []]);
  return places.toSorted(([, one], [, other]) => one - other).map(([word]) => word);
}

let keys = 0;
const visit = (title: string, fields: object = {}) =>
  db.appointment.create({
    data: { title, type: "consultation", userId: maria.id, appointmentDate: days((keys += 1)), ...fields },
  });
const document = (fileName: string, fields: object = {}) =>
  db.document.create({
    data: {
      fileName,
      fileType: "application/pdf",
      fileSize: 10,
      filePath: `nowhere-${(keys += 1)}`,
      userId: maria.id,
      uploadedById: maria.id,
      uploadedAt: days(-1),
      ...fields,
    },
  });
const account = (firstName: string, lastName: string, fields: object = {}) =>
  db.user.create({
    data: { firstName, lastName, email: `family.${(keys += 1)}@example.com`, password: "-", ...fields },
  });

describe("families", () => {
  test("are sorted by last name, first name and id; by first name first in the upload form", async () => {
    const zeds = [await account("Bea", "Zed"), await account("Bea", "Zed"), await account("Abel", "Zed")];
    const yak = await account("Zoe", "Yak");
    const emails = [yak, zeds[2]!, zeds[0]!, zeds[1]!].map(({ email }) => email);
    const rows = (await admin.get("/families")).document.querySelectorAll('main .rows a[href^="/families/"]');
    const listed = [...rows].map((link) => Number(link.getAttribute("href")?.split("/").at(-1)));
    const ids = [yak, zeds[2]!, zeds[0]!, zeds[1]!].map(({ id }) => id);
    expect(listed.filter((id) => ids.includes(id))).toEqual(ids);
    expect(await orderOn(admin, "/documents/new", emails)).toEqual(
      [zeds[2]!, zeds[0]!, zeds[1]!, yak].map(({ email }) => email),
    );
    expect(await orderOn(admin, "/calendar/new?q=e&day=2026-12-01", emails.toReversed())).toEqual(emails);
    for (const owner of [zeds[1]!, yak, zeds[0]!, zeds[2]!])
      await document(`Of ${owner.email}.pdf`, { userId: owner.id });
    expect(await orderOn(admin, "/documents", emails.toReversed())).toEqual(emails);
  });

  test("are newest first in the booking form when there is no search", async () => {
    const [one, other] = [await account("New", "Older"), await account("New", "Newer")];
    expect(await orderOn(admin, "/calendar/new?day=2026-12-01", [one.email, other.email])).toEqual([
      other.email,
      one.email,
    ]);
  });
});

test("consultation requests are oldest first in the list of open ones, and newest first for any status", async () => {
  const request = (message: string, createdAt: Date) =>
    db.consultationRequest.create({
      data: { ...NAMES, email: "jo@example.com", serviceNeeds: message, urgency: "routine", consent: true, createdAt },
    });
  const NAMES = { firstName: "Jo", lastName: "Lee" };
  await request("first of two", days(-2));
  await request("second of two", days(-2));
  await request("the oldest", days(-3));
  await request("the newest", days(-1));
  const expected = ["the newest", "second of two", "first of two", "the oldest"];
  expect(await orderOn(admin, "/requests?status=any", expected.toReversed())).toEqual(expected);
  const oldestFirst = ["the oldest", "first of two", "second of two", "the newest"];
  expect(await orderOn(admin, "/requests", expected)).toEqual(oldestFirst);
});

test("a family's page lists upcoming visits soonest first; past visits, documents, notes, payments newest first", async () => {
  const { id: userId } = await account("One", "Page");
  await visit("Later", { userId, appointmentDate: days(21) });
  await visit("Sooner", { userId, appointmentDate: days(20) });
  await visit("Long ago", { userId, appointmentDate: days(-30) });
  await visit("Lately", { userId, appointmentDate: days(-20) });
  await document("Older paper.pdf", { userId, uploadedAt: days(-9) });
  await document("Newer paper.pdf", { userId, uploadedAt: days(-8) });
  for (const [text, age] of [
    ["note A", 2],
    ["note B", 2],
    ["note C", 1],
    ["note D", 3],
  ] as const)
    await db.familyNote.create({ data: { userId, text, createdAt: days(-age) } });
  const payment = { userId, method: "card", booking: "{}", state: "paid", leaseEndsAt: NOW };
  await db.payment.create({ data: { ...payment, key: "new", amountCents: 5_500, createdAt: days(-1) } });
  await db.payment.create({ data: { ...payment, key: "old", amountCents: 5_600, createdAt: days(-2) } });
  const path = `/families/${userId}`;
  for (const expected of [
    ["Sooner", "Later"],
    ["Lately", "Long ago"],
    ["Newer paper", "Older paper"],
    ["note C", "note B", "note A", "note D"],
    ["$55", "$56"],
  ])
    expect(await orderOn(admin, path, expected.toReversed())).toEqual(expected);
});

describe("a family's documents", () => {
  const names = ["Apple", "Berry", "Cedar", "Dates"];

  beforeAll(async () => {
    await document("Cedar.pdf", { uploadedAt: days(-3), fileSize: 300 });
    await document("Berry.pdf", { uploadedAt: days(-5), fileSize: 200 });
    await document("Apple.pdf", { uploadedAt: days(-5), fileSize: 200 });
    await document("Dates.pdf", { uploadedAt: days(-4), fileSize: 100 });
  });

  test.each([
    ["/documents", ["Cedar", "Dates", "Apple", "Berry"]],
    ["/documents?sort=name", ["Apple", "Berry", "Cedar", "Dates"]],
    ["/documents?sort=size", ["Cedar", "Apple", "Berry", "Dates"]],
  ])("at %s are in the order of that page's sort option", async (path, expected) => {
    expect(await orderOn(maria, path, names)).toEqual(expected);
  });

  test("are sorted by family for the consultant by default; other orders mix families, each under its heading", async () => {
    const anna = await account("Anna", "Aardvark");
    const zora = await account("Zora", "Zz");
    await document("Zz newest.pdf", { userId: zora.id, uploadedById: zora.id, uploadedAt: days(0), fileSize: 9_000 });
    await document("Aardvark.pdf", { userId: anna.id, uploadedById: anna.id, uploadedAt: days(-10), fileSize: 8_000 });
    await document("Zz older.pdf", { userId: zora.id, uploadedById: zora.id, uploadedAt: days(-20), fileSize: 7_000 });
    const files = ["Aardvark.pdf", "Cedar.pdf", "Zz newest.pdf", "Zz older.pdf"];
    expect(await orderOn(admin, "/documents", files.toReversed())).toEqual(files);
    const newest = ["Zz newest.pdf", "Cedar.pdf", "Aardvark.pdf", "Zz older.pdf"];
    expect(await orderOn(admin, "/documents?sort=newest", files)).toEqual(newest);
    const largest = ["Zz newest.pdf", "Aardvark.pdf", "Zz older.pdf", "Cedar.pdf"];
    expect(await orderOn(admin, "/documents?sort=size", files)).toEqual(largest);
    const { document: page } = await admin.get("/documents?sort=newest");
    const headOf = (file: string) =>
      [...page.querySelectorAll("main ul.rows")].find((list) => list.textContent.includes(file))?.previousElementSibling
        ?.textContent;
    expect([headOf("Zz newest.pdf"), headOf("Zz older.pdf"), headOf("Aardvark.pdf")]).toEqual([
      `Zora Zz${zora.email}`,
      `Zora Zz${zora.email}`,
      `Anna Aardvark${anna.email}`,
    ]);
    expect([...page.querySelectorAll("#sort option")].map(({ textContent }) => textContent)).toContain("Family");
    const own = (await maria.get("/documents")).document.querySelectorAll("#sort option");
    expect([...own].map(({ textContent }) => textContent)).toEqual(["Newest first", "Name", "Largest first"]);
  });

  test("in the API and on a visit are newest first, and by id when uploaded at the same time", async () => {
    const { json } = await maria.get("/api/documents");
    const rows = json as { fileName: string }[];
    const stored = rows.map(({ fileName }) => fileName.slice(0, 5)).filter((name) => names.includes(name));
    expect(stored).toEqual(["Cedar", "Dates", "Apple", "Berry"]);
    const { id: appointmentId } = await visit("With papers");
    await db.document.updateMany({ where: { userId: maria.id }, data: { appointmentId } });
    const path = `/appointments/${appointmentId}/documents`;
    expect(await orderOn(maria, path, names)).toEqual(["Cedar", "Dates", "Apple", "Berry"]);
  });
});

test("the dashboard lists unread documents and intake forms newest first", async () => {
  await db.document.updateMany({ data: { reviewedAt: NOW } });
  await db.intakeForm.updateMany({ data: { reviewedAt: NOW } });
  await document("Tie one.pdf", { uploadedAt: days(-2) });
  await document("Tie two.pdf", { uploadedAt: days(-2) });
  await document("Fresh.pdf", { uploadedAt: days(-1) });
  const papers = ["Fresh", "Tie two", "Tie one"];
  expect(await orderOn(admin, "/dashboard", papers.toReversed())).toEqual(papers);
  const families = [];
  for (const [firstName, age] of [
    ["Formone", 2],
    ["Formtwo", 2],
    ["Formnew", 1],
  ] as const) {
    const { id } = await family({ intake: true, firstName, lastName: "Reader" });
    await db.intakeForm.update({ where: { userId: id }, data: { reviewedAt: null, updatedAt: days(-age) } });
    families.push(firstName);
  }
  expect(await orderOn(admin, "/dashboard", families)).toEqual(["Formnew", "Formtwo", "Formone"]);
});

test("receipts are sorted by payment time, latest first, then by number", async () => {
  const booking = (title: string) => JSON.stringify({ title, appointmentDate: days(1) });
  const paid = { userId: maria.id, method: "card", amountCents: 7500, state: "paid", leaseEndsAt: NOW };
  for (const [title, age] of [
    ["Receipt A", 2],
    ["Receipt B", 2],
    ["Receipt C", 1],
    ["Receipt D", 3],
  ] as const)
    await db.payment.create({ data: { ...paid, key: title, booking: booking(title), paidAt: days(-age) } });
  const expected = ["Receipt C", "Receipt B", "Receipt A", "Receipt D"];
  expect(await orderOn(maria, "/receipts", expected.toReversed())).toEqual(expected);
});

test("a family's messages and the outbox are newest first", async () => {
  const content = (subject: string) => JSON.stringify({ subject, preview: "", paragraphs: [] });
  const message = { event: "receipt", userId: maria.id, address: maria.email, nextAttemptAt: NOW, state: "sent" };
  for (const [subject, age] of [
    ["Mail A", 2],
    ["Mail B", 2],
    ["Mail C", 1],
    ["Mail D", 3],
  ] as const)
    await db.message.create({
      data: { ...message, key: subject, content: content(subject), createdAt: days(-age) },
    });
  const expected = ["Mail C", "Mail B", "Mail A", "Mail D"];
  expect(await orderOn(maria, "/messages", expected.toReversed())).toEqual(expected);
  expect(await orderOn(admin, "/outbox", expected.toReversed())).toEqual(expected);
});

test("hours overrides are sorted by date, from yesterday on", async () => {
  for (const day of ["2027-03-02", "2027-03-01", "2026-11-19", "2026-11-18"])
    await db.hoursOverride.create({ data: { day, note: `note of ${day}` } });
  const expected = ["2026-11-19", "2027-03-01", "2027-03-02"].map((day) => `note of ${day}`);
  expect(await orderOn(admin, "/calendar/hours", expected.toReversed())).toEqual(expected);
  expect((await admin.get("/calendar/hours")).visibleText).not.toContain("note of 2026-11-18");
});

describe("the dashboard's appointments", () => {
  beforeAll(async () => {
    await db.appointment.deleteMany();
    const [ann, bob] = [await account("Ann", "Aaron"), await account("Bob", "Aaron")];
    await visit("Row one", { userId: bob.id, appointmentDate: days(3), paymentAmountCents: 5000 });
    await visit("Row two", { userId: ann.id, appointmentDate: days(4), paymentAmountCents: 7500 });
    await visit("Row three", { userId: ann.id, appointmentDate: days(5), paymentAmountCents: 5000 });
    await visit("Row four", { appointmentDate: days(6) });
    await visit("Row five", { appointmentDate: days(-6), status: "completed" });
    await visit("Row six", { appointmentDate: days(-7), status: "completed" });
  });

  test.each([
    ["", ["one", "two", "three", "four", "five", "six"]],
    ["sort=family", ["three", "two", "one", "four", "five", "six"]],
    ["sort=money", ["two", "three", "one", "four", "five", "six"]],
    ["sort=family&when=upcoming", ["three", "two", "one", "four"]],
    ["when=past", ["five", "six"]],
  ])("for the query '%s' are in its sort order", async (query, expected) => {
    const page = await admin.get(`/dashboard?q=row&${query}`);
    const list = page.visibleText.slice(page.visibleText.lastIndexOf("Sort"));
    const inList = [...new Set([...list.matchAll(/Row (\w+)/g)].map(([, word]) => word))];
    expect(inList).toEqual(expected);
  });
});

describe("a day of the calendar", () => {
  beforeAll(async () => {
    await db.appointment.deleteMany();
    // 9 PM on January 4 in New York is the next day in UTC.
    await visit("Late on Monday", { appointmentDate: new Date("2027-01-05T02:00Z"), duration: 60 });
    await visit("Late on Sunday", { appointmentDate: new Date("2027-01-04T04:00Z"), duration: 30 });
    await visit("Early on Tuesday", { appointmentDate: new Date("2027-01-05T05:00Z"), duration: 30 });
  });

  test.each([
    ["2027-01-03", ["Late on Sunday"]],
    ["2027-01-04", ["Late on Monday"]],
    ["2027-01-05", ["Early on Tuesday"]],
  ])("%s shows the visits from midnight to midnight in the practice's time zone", async (day, expected) => {
    const { visibleText } = await admin.get(`/calendar?view=day&day=${day}`);
    const titles = ["Late on Monday", "Late on Sunday", "Early on Tuesday"];
    expect(titles.filter((title) => visibleText.includes(title))).toEqual(expected);
  });
});
