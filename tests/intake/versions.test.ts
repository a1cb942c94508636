// Proves that replaced intake forms are kept as versions, compared, limited in number, and not readable by others.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { type Family, intakeForm } from "../support/people.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const PAGE = "/intake-form/changes";
const START = Date.parse("2026-11-20T15:00:00Z");

let maria: Family;
let devon: Family;
let admin: TestClient;
let minutes = 0;

setTestClock(() => new Date(START + minutes * 60_000));

beforeAll(async () => {
  admin = await consultant();
  maria = await family({ intake: true });
  devon = await family({ intake: true });
});

async function sendAgain(who: Family, changes: object) {
  minutes += 1;
  expect((await who.post("/api/intake-forms", { ...intakeForm(who), ...changes })).status).toBe(200);
}
const versionsOf = ({ id: userId }: Family) => db.intakeFormVersion.count({ where: { userId } });

test("resubmitting the same answers creates no version; changed answers are compared with the previous version", async () => {
  await sendAgain(maria, {});
  expect(await versionsOf(maria)).toBe(0);
  expect((await maria.get(PAGE)).visibleText).toContain("Nothing has changed since");
  await sendAgain(maria, { childAge: "10 years", diagnosis: "Dyslexia" });
  await sendAgain(maria, { childAge: "10 years", diagnosis: "" });
  expect(await versionsOf(maria)).toBe(2);
  const page = await maria.get(PAGE);
  const cards = [...page.document.querySelectorAll("section.card")].map((card) => card.textContent ?? "");
  expect(cards).toHaveLength(2);
  expect(cards[0]).toMatch(/Fri, Nov 20, 2026 at 10:03 AM ET.*Before: Dyslexia.*Now: no answer/s);
  expect(cards[0]).not.toContain("9 years");
  expect(cards[1]).toMatch(/10:02 AM ET.*Before: 9 years.*Now: 10 years.*Before: no answer.*Now: Dyslexia/s);
  expect((await maria.get("/dashboard/intake-form")).document.querySelector(`a[href="${PAGE}"]`)).not.toBeNull();
});

test("the consultant can read a family's form changes; another family gets 404, a visitor must sign in", async () => {
  const path = `${PAGE}?userId=${maria.id}`;
  const page = await admin.get(path);
  expect([page.status, page.visibleText]).toEqual([200, expect.stringContaining("Before: 9 years")]);
  expect((await admin.get(`/families/${maria.id}`)).text).toContain(path);
  const [foreign, missing] = [await devon.get(path), await devon.get(`${PAGE}?userId=999999999`)];
  expect([foreign.status, missing.status]).toEqual([404, 404]);
  expect(foreign.text).not.toContain("Dyslexia");
  expect((await visitor().get(PAGE)).headers.location).toContain("/login");
  expect([(await admin.get(PAGE)).status, (await admin.get(`${PAGE}?userId=x`)).status]).toEqual([400, 400]);
  expect((await (await family()).get(PAGE)).status).toBe(404);
});

test("20 encrypted versions are kept: those from before a day of many changes, that day's first, and the newest", async () => {
  const agesOf = async () => {
    const rows = await db.intakeFormVersion.findMany({ where: { userId: devon.id }, orderBy: { id: "asc" } });
    return rows.map(({ answers }) => Number.parseInt(JSON.parse(answers).childAge, 10));
  };
  const passTwoDays = async () => {
    minutes += 2 * 24 * 60;
    const { email, password } = devon;
    expect((await devon.post("/api/auth/login", { email, password })).status).toBe(200);
  };
  await sendAgain(devon, { childAge: "40 years" });
  await passTwoDays();
  for (let count = 0; count < 23; count += 1) await sendAgain(devon, { childAge: `${count} years` });
  expect(await agesOf()).toEqual([9, 40, 0, ...Array.from({ length: 17 }, (_, index) => index + 5)]);
  await passTwoDays();
  for (let count = 50; count < 53; count += 1) await sendAgain(devon, { childAge: `${count} years` });
  expect((await agesOf()).slice(0, 3)).toEqual([9, 6, 7]);
  expect((await agesOf()).slice(-2)).toEqual([50, 51]);
  minutes -= 4 * 24 * 60;
  expect(await versionsOf(maria)).toBe(2);
  const stored = await db.$queryRaw<{ answers: string }[]>`SELECT answers FROM intake_form_versions`;
  expect(stored.filter(({ answers }) => !answers.startsWith("sealed:"))).toEqual([]);
});

test("a version that can't be decrypted is shown as such, and the others are still compared", async () => {
  const [latest] = await db.intakeFormVersion.findMany({
    where: { userId: devon.id },
    orderBy: { id: "desc" },
    take: 1,
  });
  await db.$executeRaw`UPDATE intake_form_versions SET answers = 'sealed:1:lost:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' WHERE id = ${latest?.id}`;
  const page = await devon.get(PAGE);
  expect(page.status).toBe(200);
  expect(page.visibleText.split("can’t be opened").length - 1).toBe(2);
  expect(page.visibleText).toContain("Before: 22 years");
});

test("a page lists five versions, each compared with the previous one; a page number too high shows the last page", async () => {
  const datesOf = async (page: number) =>
    [...(await devon.get(`${PAGE}?page=${page}`)).document.querySelectorAll("section.card h2")].map(
      (title) => title.textContent,
    );
  const pages = [await datesOf(1), await datesOf(2), await datesOf(3), await datesOf(4)];
  expect(pages.map(({ length }) => length)).toEqual([5, 5, 5, 5]);
  expect(new Set(pages.flat()).size).toBe(20);
  expect(await datesOf(5)).toEqual(pages[3]);
  expect((await devon.get(`${PAGE}?page=2`)).visibleText).toMatch(/Before: 16 years.*Now: 17 years.*Before: 15 years/s);
  // Signed out after 15 idle minutes.
  admin = await consultant();
  const ofAdmin = await admin.get(`${PAGE}?userId=${devon.id}&page=2`);
  expect(ofAdmin.visibleText).toContain("Before: 16 years");
  expect(ofAdmin.document.querySelector('nav a[href*="page=3"]')?.getAttribute("href")).toContain(`userId=${devon.id}`);
});

describe("changes between answers of maximum length", () => {
  const CARE = ["address", "diagnosis", "servicesCurrentlyReceiving", "otherConcerns"];
  const LONG_ANSWERS = [...CARE, "preferredDaysTimes", "howDidYouHear", "additionalNotes"];
  let noor: Family;

  beforeAll(async () => {
    admin = await consultant();
    noor = await family({ intake: true });
    for (let count = 0; count < 6; count += 1) {
      const text = `${count}${'<"&'[count % 3]?.repeat(5000)}`.slice(0, 4996).concat(`end${count}`);
      await sendAgain(noor, Object.fromEntries(LONG_ANSWERS.map((name) => [name, text])));
    }
  });

  test("make a page of less than 1 MB, for the family and for the consultant", async () => {
    for (const page of [await noor.get(PAGE), await admin.get(`${PAGE}?userId=${noor.id}`)]) {
      expect(page.status).toBe(200);
      expect(page.text.length).toBeLessThan(1_000_000);
      expect(page.document.querySelectorAll("section.card")).toHaveLength(5);
      expect(page.visibleText).toContain("…");
    }
  });

  test("link to a page with each full answer, which only the family and the consultant can open", async () => {
    const list = await noor.get(PAGE);
    const link = [...list.document.querySelectorAll("dd a")].find(({ textContent }) =>
      textContent?.includes("Diagnosis"),
    );
    const path = link?.getAttribute("href") ?? "";
    const [own, ofAdmin] = [await noor.get(path), await admin.get(`${path}&userId=${noor.id}`)];
    for (const page of [own, ofAdmin]) {
      expect(page.visibleText).toMatch(/Before: \d.*end\d.*Now: \d.*end\d/s);
      expect(page.document.querySelectorAll("dt")).toHaveLength(1);
    }
    expect(own.document.querySelector("main p:last-child a")?.getAttribute("href")).toBe(PAGE);
    expect(ofAdmin.document.querySelector("main p:last-child a")?.getAttribute("href")).toBe(
      `${PAGE}?userId=${noor.id}`,
    );
    const version = new URL(path, "http://site").searchParams.get("version");
    const wrong = [
      "?version=x",
      "?version=",
      `?version=${version}`,
      `?version=${version}&question=Age`,
      "?version=999999999",
    ];
    for (const each of wrong) expect((await noor.get(PAGE + each)).status).toBe(404);
    expect((await maria.get(path)).status).toBe(404);
    expect((await admin.get(`${path}&userId=${maria.id}`)).status).toBe(404);
  });
});
