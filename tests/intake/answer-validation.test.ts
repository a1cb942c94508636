// Proves which answers of the intake form are refused, and with which message.
import { beforeAll, describe, expect, test } from "vitest";
import { type Family, intakeForm } from "../support/people.ts";
import { db, family, origin } from "../support/site.ts";

const FORMS = "/api/intake-forms";
const CHECK = "/api/intake-form/check";

const LIMITS = {
  fullName: 255,
  phoneNumber: 50,
  address: 5000,
  childName: 255,
  childAge: 100,
  childBirthday: 100,
  diagnosis: 5000,
  servicesCurrentlyReceiving: 5000,
  schoolName: 255,
  gradeLevel: 50,
  otherConcerns: 5000,
  additionalNotes: 5000,
  preferredDaysTimes: 5000,
  howDidYouHear: 5000,
};
const REQUIRED = ["fullName", "phoneNumber", "emailAddress", "address", "childName", "childAge", "childBirthday"];
const READ_BACK = { phoneNumber: "phone", emailAddress: "email", childBirthday: "childDateOfBirth" } as Record<
  string,
  string
>;
const readName = (field: string) => READ_BACK[field] ?? field;

const formsOf = (who: Family) => db.intakeForm.count({ where: { userId: who.id } });
const form = (who: Family, changes: object = {}) => ({ ...intakeForm(who), ...changes });

describe("a family", () => {
  let maria: Family;
  beforeAll(async () => {
    maria = await family();
  });

  test("has no intake form at first: the check returns false and the form is a 404", async () => {
    expect((await maria.get(CHECK)).json).toBe(false);
    const response = await maria.get(FORMS);
    expect([response.status, response.json]).toEqual([404, { message: "There is no intake form." }]);
  });

  test.each([
    ["PUT", FORMS, "GET, HEAD, POST"],
    ["PATCH", FORMS, "GET, HEAD, POST"],
    ["DELETE", FORMS, "GET, HEAD, POST"],
    ["POST", CHECK, "GET, HEAD"],
    ["DELETE", CHECK, "GET, HEAD"],
  ])("gets 405 with an Allow header for %s %s", async (method, path, allow) => {
    const response = await maria.request(method, path, { headers: { Origin: origin }, body: "{}" });
    expect([response.status, response.headers.allow]).toEqual([405, allow]);
  });

  test.each([
    ["URL-encoded fields", "application/x-www-form-urlencoded", "fullName=Maria", 415],
    ["plain text", "text/plain", "{}", 415],
    ["broken JSON", "application/json", '{"fullName":', 400],
    ["an array", "application/json", "[]", 400],
    ["null", "application/json", "null", 400],
    ["a string", "application/json", '"form"', 400],
    ["invalid UTF-8", "application/json", Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ["brackets 10,000 deep", "application/json", "[".repeat(10_000), 400],
    ["a quarter of a megabyte", "application/json", JSON.stringify({ address: "a".repeat(262_144) }), 413],
    ["a megabyte", "application/json", JSON.stringify({ address: "a".repeat(1_000_000) }), 413],
    ["an empty body", "application/json", "", 422],
  ])("can't send %s as an intake form", async (_what, type, body, status) => {
    const response = await maria.request("POST", FORMS, {
      headers: { Origin: origin, "Content-Type": type, Connection: "close" },
      body,
    });
    expect(response.status).toBe(status);
    expect(response.headers["content-type"]).toMatch(/^application\/json/);
    expect(response.json.message).toEqual(expect.any(String));
    expect(await formsOf(maria)).toBe(0);
  });

  test("can't be made to send an intake form by another site (403)", async () => {
    const response = await maria.post(FORMS, form(maria), {
      Origin: "https://evil.example",
      "Sec-Fetch-Site": "cross-site",
    });
    expect(response.status).toBe(403);
    expect(await formsOf(maria)).toBe(0);
  });

  test("gets an error under each required field that is missing (422)", async () => {
    const response = await maria.post(FORMS, {});
    expect(response.status).toBe(422);
    expect(Object.keys(response.json.errors).toSorted()).toEqual(REQUIRED.toSorted());
    expect(response.json.errors.childName).toEqual(["Enter the child's name."]);
  });

  test.each(REQUIRED)("can't leave out %s or answer it with whitespace (422)", async (field) => {
    for (const empty of [undefined, null, "", " \n\t "]) {
      const response = await maria.post(FORMS, form(maria, { [field]: empty }));
      expect([response.status, Object.keys(response.json.errors)]).toEqual([422, [field]]);
    }
    expect(await formsOf(maria)).toBe(0);
  });

  test.each([...Object.keys(LIMITS), "emailAddress", "preferredContactMethod", "iepStatus"])(
    "can answer %s only with text, not with another JSON type (422)",
    async (field) => {
      for (const wrong of [7, 0, true, false, ["text"], { not: "" }, [[]]]) {
        const response = await maria.post(FORMS, form(maria, { [field]: wrong }));
        expect([response.status, Object.keys(response.json.errors)]).toEqual([422, [field]]);
      }
      expect(await formsOf(maria)).toBe(0);
    },
  );

  test.each([...Object.keys(LIMITS), "emailAddress"])("can't send a NUL or lone surrogate in %s", async (field) => {
    for (const wrong of ["a\u0000b", "\u0000", "a\ud83d", "\ude00a"]) {
      const response = await maria.post(FORMS, form(maria, { [field]: wrong }));
      expect([response.status, Object.keys(response.json.errors)]).toEqual([422, [field]]);
    }
    expect(await formsOf(maria)).toBe(0);
  });

  test.each([
    ["preferredContactMethod", ["fax", "Phone", "phone\u0000", "p".repeat(21)]],
    ["iepStatus", ["maybe", "YES", "in process", "y".repeat(21)]],
    ["emailAddress", ["maria", "maria@", "@example.com", "a b@example.com", `${"a".repeat(244)}@example.com`]],
    [
      "primaryConcerns",
      [
        "Insurance / Benefits Support",
        '["Insurance / Benefits Support"]',
        "[".repeat(10_000),
        { 0: "Insurance / Benefits Support" },
        ["School"],
        [1],
        [null],
        [["Insurance / Benefits Support"]],
        ["Insurance / Benefits Support\u0000"],
        Array.from({ length: 7 }, () => "Insurance / Benefits Support"),
        Array.from({ length: 10_000 }, () => "x"),
      ],
    ],
  ])("can't send an invalid value for %s (422)", async (field, choices) => {
    for (const wrong of choices) {
      const response = await maria.post(FORMS, form(maria, { [field]: wrong }));
      expect([response.status, Object.keys(response.json.errors), response.json.errors[field].length]).toEqual([
        422,
        [field],
        1,
      ]);
    }
    expect(await formsOf(maria)).toBe(0);
  });
});

describe("the length of an answer", () => {
  const letters: [string, (length: number) => string][] = [
    ["plain letters", (length) => "a".repeat(length)],
    ["emoji", (length) => "👧".repeat(length)],
    ["combining accents", (length) => "x\u0301".repeat(length).slice(0, length)],
  ];

  test.each(letters)("in %s is limited in code points: one more than the limit gets 422", async (_what, make) => {
    const devon = await family();
    for (const [field, limit] of Object.entries(LIMITS)) {
      const response = await devon.post(FORMS, form(devon, { [field]: `  ${make(limit)}  ` }));
      expect(response.status).toBeLessThan(300);
      expect(response.json[readName(field)]).toBe(make(limit));
      const longer = await devon.post(FORMS, form(devon, { [field]: make(limit + 1) }));
      expect([longer.status, Object.keys(longer.json.errors)]).toEqual([422, [field]]);
    }
  });

  test("of an email address is limited to 255 characters: 256 get 422", async () => {
    const devon = await family();
    const address = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;
    expect((await devon.post(FORMS, form(devon, { emailAddress: address(255) }))).json.email).toBe(address(255));
    expect((await devon.post(FORMS, form(devon, { emailAddress: address(256) }))).status).toBe(422);
  });
});
