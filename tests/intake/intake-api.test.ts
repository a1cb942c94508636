// Proves the intake form through the JSON API.
import { describe, expect, test } from "vitest";
import { type Family, intakeForm } from "../support/people.ts";
import { consultant, db, family, visitor } from "../support/site.ts";

const FORMS = "/api/intake-forms";
const CHECK = "/api/intake-form/check";
const PAGE = "/dashboard/intake-form";

const formsOf = (who: Family) => db.intakeForm.count({ where: { userId: who.id } });
const form = (who: Family, changes: object = {}) => ({ ...intakeForm(who), ...changes });

describe("A visitor who is not signed in", () => {
  test.each([
    ["GET", FORMS],
    ["GET", `${FORMS}?userId=1`],
    ["GET", CHECK],
  ])("gets 401 from %s %s", async (method, path) => {
    const response = await visitor().request(method, path);
    expect([response.status, response.json]).toEqual([401, { message: "Unauthorized" }]);
  });

  test("can't submit a form (401)", async () => {
    const response = await visitor().post(FORMS, form(await family()));
    expect([response.status, response.json]).toEqual([401, { message: "Unauthorized" }]);
  });

  test.each(["/intake-form.txt", PAGE, `${PAGE}?step=client`])("is redirected from %s to sign in", async (path) => {
    const response = await visitor().get(path);
    expect(response.status).toBe(302);
    expect(response.headers.location).toBe(`/login?redirectTo=${encodeURIComponent(path)}`);
  });
});

describe("A submitted form", () => {
  test("is returned with the API's field names", async () => {
    const priya = await family();
    const sent = form(priya, {
      primaryConcerns: ["Insurance / Benefits Support", "School Advocacy / IEP / 504 Plans"],
      diagnosis: "Dyslexia",
    });
    const created = await priya.post(FORMS, sent);
    expect(created.status).toBe(201);
    const read = await priya.get(FORMS);
    expect(read.json).toEqual({
      id: expect.any(Number),
      userId: priya.id,
      fullName: priya.name,
      phone: "(732) 555-0117",
      email: priya.email,
      preferredContactMethod: "phone",
      address: "12 Ocean Avenue, Long Branch, NJ 07740",
      childName: "Leo",
      childAge: "9 years",
      childDateOfBirth: "March 14, 2017",
      diagnosis: "Dyslexia",
      servicesCurrentlyReceiving: null,
      schoolName: null,
      gradeLevel: null,
      iepStatus: "in_process",
      primaryConcerns: '["School Advocacy / IEP / 504 Plans","Insurance / Benefits Support"]',
      otherConcerns: "Reading takes all evening.",
      additionalNotes: null,
      preferredDaysTimes: null,
      howDidYouHear: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(created.json).toEqual(read.json);
    expect((await priya.get(CHECK)).json).toBe(true);
  });

  test("keeps any script, emoji and special characters unchanged", async () => {
    const priya = await family();
    for (const text of [
      "ليو الصغير",
      "\u202eoeL\u202c",
      "👨‍👩‍👧",
      "a\u200db",
      "Zoë\n\tand <b>Leo</b>",
      "=1+1",
      "'; DROP TABLE users; --",
    ]) {
      expect((await priya.post(FORMS, form(priya, { otherConcerns: text }))).json.otherConcerns).toBe(text);
    }
  });

  test("has default values for missing choices, and ignores unknown fields such as userId", async () => {
    const priya = await family();
    const other = await family();
    const sent = form(priya, {
      preferredContactMethod: null,
      iepStatus: "",
      primaryConcerns: null,
      userId: other.id,
      id: 1,
      createdAt: "2000-01-01T00:00:00Z",
      constructor: { prototype: { isAdmin: true } },
    });
    const created = await priya.post(FORMS, sent);
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      userId: priya.id,
      preferredContactMethod: "phone",
      iepStatus: "no",
      primaryConcerns: "[]",
    });
    expect(await formsOf(other)).toBe(0);
    const emptied = await priya.post(FORMS, { ...sent, primaryConcerns: "" });
    expect([emptied.status, emptied.json.primaryConcerns]).toEqual([200, "[]"]);
  });

  test("is replaced completely by a later one (200), which keeps its id", async () => {
    const priya = await family();
    const first = await priya.post(FORMS, form(priya, { diagnosis: "Dyslexia" }));
    const second = await priya.post(FORMS, form(priya, { childName: "Mia" }));
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toMatchObject({
      id: first.json.id,
      createdAt: first.json.createdAt,
      childName: "Mia",
      diagnosis: null,
    });
    expect(await formsOf(priya)).toBe(1);
  });

  test("is stored once when it is sent 20 times concurrently: one 201, the others 200", async () => {
    const priya = await family();
    const names = Array.from({ length: 20 }, (_, number) => `Leo ${number}`);
    const responses = await Promise.all(names.map((childName) => priya.post(FORMS, form(priya, { childName }))));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...names.slice(1).map(() => 200),
      201,
    ]);
    expect(await formsOf(priya)).toBe(1);
    expect(names).toContain((await priya.get(FORMS)).json.childName);
  });

  test("can't be read by another family through the API, the text file or the page", async () => {
    const priya = await family({ intake: true });
    const other = await family();
    const nobodys = await other.get(`${FORMS}?userId=2000000000`);
    const hers = await other.get(`${FORMS}?userId=${priya.id}`);
    expect([hers.status, hers.text]).toEqual([404, nobodys.text]);
    expect((await other.get(`${CHECK}?userId=${priya.id}`)).json).toBe(false);
    expect((await other.get(`/intake-form.txt?userId=${priya.id}`)).status).toBe(404);
    for (const path of [
      `${PAGE}?userId=${priya.id}`,
      `${PAGE}.data?userId=${priya.id}`,
      `${PAGE}?step=check&userId=${priya.id}`,
    ]) {
      expect((await other.get(path)).text).not.toContain("Ocean Avenue");
    }
    expect((await priya.get(`${FORMS}?userId=${priya.id}`)).json.childName).toBe("Leo");
  });

  test("can be read by the consultant with ?userId=; an unknown id is a 404", async () => {
    const priya = await family({ intake: true });
    const admin = await consultant();
    expect((await admin.get(`${FORMS}?userId=${priya.id}`)).json).toMatchObject({ userId: priya.id, childName: "Leo" });
    expect((await admin.get(`${PAGE}?userId=${priya.id}`)).visibleText).toContain("12 Ocean Avenue");
    expect((await admin.get(`/intake-form.txt?userId=${priya.id}`)).text).toContain("Child's name: Leo");
    expect((await admin.get(`${FORMS}?userId=2000000000`)).status).toBe(404);
    expect((await admin.get(CHECK)).json).toBe(false);
  });

  test("can't be written by the consultant", async () => {
    const admin = await consultant();
    const priya = await family();
    expect((await admin.post(FORMS, form(priya, { userId: priya.id }))).status).toBe(403);
    expect((await admin.form(`${PAGE}?step=client`, { fullName: "Maria" })).status).toBe(404);
    expect(await formsOf(priya)).toBe(0);
  });

  test.each(["", "abc", "0", "-1", "1.5", "0x1", "1e3", "１", "2147483648", "1&userId=2", "1%00", "1".repeat(2000)])(
    "can't be requested with the invalid userId %j (400)",
    async (id) => {
      const admin = await consultant();
      expect((await admin.get(`${FORMS}?userId=${encodeURI(id)}`)).status).toBe(400);
      expect((await admin.get(`/intake-form.txt?userId=${encodeURI(id)}`)).status).toBe(400);
    },
  );
});

describe("The intake form's text file", () => {
  test("is an attachment named intake-form.txt that is not cached", async () => {
    const { headers, text } = await (await family({ intake: true })).get("/intake-form.txt");
    expect(headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": 'attachment; filename="intake-form.txt"',
      "x-content-type-options": "nosniff",
    });
    expect(headers["cache-control"]).toContain("no-store");
    expect(text).toContain("Family Advocacy Intake Form\r\n");
    expect(text).toContain("\r\nPrimary concerns: School Advocacy / IEP / 504 Plans\r\n");
    expect(text).toContain("\r\nDiagnosis: Not given\r\n");
  });

  test("indents the lines of an answer, so that none looks like a field of the form or a formula", async () => {
    const elena = await family();
    const forged = (end: string) => `Leo${end}Diagnosis: forged${end}=HYPERLINK("x")`;
    for (const end of ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]) {
      await elena.post(FORMS, form(elena, { childName: forged(end), address: forged(end) }));
      const { text } = await elena.get("/intake-form.txt");
      // oxlint-disable-next-line no-control-regex
      const lines = text.split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/);
      expect(lines.filter((line) => line.startsWith("Diagnosis: "))).toEqual(["Diagnosis: Not given"]);
      expect(lines.filter((line) => /^[=+\-@\t]/.test(line) && !/^-+$/.test(line))).toEqual([]);
      expect(lines).toContain("    Diagnosis: forged");
    }
  });

  test("is a 404 before the form is submitted, and refuses POST with 405", async () => {
    const elena = await family();
    expect((await elena.get("/intake-form.txt")).status).toBe(404);
    expect((await elena.form("/intake-form.txt", { fullName: "Maria" })).status).toBe(405);
  });
});
