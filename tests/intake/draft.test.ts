// Proves that the intake form's steps are saved, continued on another device, and deleted when sent.
import { describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { type Family, intakeForm, signInAs } from "../support/people.ts";
import { db, testing, family, origin, setTestClock, visitor } from "../support/site.ts";

const FORMS = "/api/intake-forms";
const PAGE = "/dashboard/intake-form";
const DAY_MS = 86_400_000;

const CLIENT = {
  fullName: "Maria Alvarez",
  phoneNumber: "(732) 555-0117",
  emailAddress: "maria@example.com",
  preferredContactMethod: "email",
  address: "12 Ocean Avenue\r\nLong Branch, NJ",
};
const CHILD = { childName: "Leo", childAge: "9", childBirthday: "March 14, 2017", iepStatus: "yes" };

const formsOf = (who: Family) => db.intakeForm.count({ where: { userId: who.id } });
const form = (who: Family, changes: object = {}) => ({ ...intakeForm(who), ...changes });

describe("An intake form draft", () => {
  const step = (who: TestClient, name: string, fields: Record<string, string | string[]>, intent = "continue") =>
    who.form(`${PAGE}?step=${name}`, { ...fields, intent });
  const value = async (who: TestClient, name: string, field: string) => {
    const { document: page } = await who.get(`${PAGE}?step=${name}`);
    const control = page.querySelector(`[name="${field}"]`);
    return control?.tagName === "TEXTAREA" ? control.textContent : control && (control.getAttribute("value") ?? "");
  };
  const statuses = async (who: TestClient) =>
    [...(await who.get(`${PAGE}?step=sections`)).document.querySelectorAll("dialog li .badge")].map(
      (badge) => badge.textContent,
    );

  test("is prefilled with the account's name and email address", async () => {
    const noor = await family();
    expect((await noor.get(PAGE)).visibleText).toContain("Family Advocacy Intake Form");
    expect(await statuses(noor)).toEqual(Array.from({ length: 4 }, () => "Not started"));
    expect([await value(noor, "client", "fullName"), await value(noor, "client", "emailAddress")]).toEqual([
      noor.name,
      noor.email,
    ]);
  });

  test("keeps an invalid answer as typed, shows how to fix it (422), and its section stays in progress", async () => {
    const noor = await family();
    const response = await step(noor, "client", { ...CLIENT, emailAddress: "noor at home", fullName: "" });
    expect(response.status).toBe(422);
    expect([...response.document.querySelectorAll("title")].map((title) => title.textContent)).toEqual([
      expect.stringMatching(/^Error: Client Information/),
    ]);
    expect(response.visibleText).toContain("There is a problem");
    expect([...response.document.querySelectorAll("[data-error-summary] a")].map((link) => link.textContent)).toEqual([
      "Enter your full name.",
      "Enter an email address such as name@example.com.",
    ]);
    expect([await value(noor, "client", "emailAddress"), await value(noor, "client", "fullName")]).toEqual([
      "noor at home",
      "",
    ]);
    expect(await statuses(noor)).toEqual(["In progress", "Not started", "Not started", "Not started"]);
  });

  test("computes an empty age from the birthday, and asks for the age if the birthday can't be read", async () => {
    const noor = await family();
    const birthday = { ...CHILD, childAge: "", childBirthday: "3/14/2017" };
    await step(noor, "child", birthday, "keep");
    expect(await value(noor, "child", "childAge")).toBe("");
    expect((await step(noor, "child", birthday)).headers.location).toContain("step=");
    expect(await value(noor, "child", "childAge")).toMatch(/^\d+ years$/);
    const asked = await step(noor, "child", { ...birthday, childBirthday: "in spring" });
    const unread = "We can’t read this birthday. Write it like March 14, 2017, or enter the child’s age here.";
    expect([asked.status, asked.visibleText.includes(unread)]).toEqual([422, true]);
    const neither = await step(noor, "child", { ...birthday, childBirthday: "" });
    expect([neither.status, neither.visibleText.includes("Enter the child's age.")]).toEqual([422, true]);
    await step(noor, "child", { ...birthday, childAge: "nearly ten" });
    expect(await value(noor, "child", "childAge")).toBe("nearly ten");
  });

  test("refuses a NUL and an overlong answer (422), and keeps the overlong answer as typed", async () => {
    const noor = await family();
    expect((await step(noor, "additional", { additionalNotes: "a\u0000b" })).status).toBe(422);
    expect((await step(noor, "child", { ...CHILD, diagnosis: "long ".repeat(2000) })).status).toBe(422);
    expect(await value(noor, "child", "diagnosis")).toBe("long ".repeat(2000));
  });

  test("continues on another device of the same account, and is not visible to another account", async () => {
    const noor = await family();
    const other = await family();
    expect((await step(noor, "client", CLIENT)).headers.location).toBe(`${PAGE}?step=child`);
    expect((await step(noor, "child", { ...CHILD, childBirthday: "" }, "later")).headers.location).toBe(
      `${PAGE}?step=sections`,
    );
    const phone = await signInAs(origin, noor.email, noor.password);
    expect(await statuses(phone)).toEqual(["Completed", "In progress", "Not started", "Not started"]);
    expect(await value(phone, "child", "childName")).toBe("Leo");
    expect(await statuses(other)).toEqual(Array.from({ length: 4 }, () => "Not started"));
    expect(await formsOf(noor)).toBe(0);
  });

  test("keeps all four sections when they are saved concurrently", async () => {
    const noor = await family();
    await Promise.all([
      step(noor, "client", CLIENT),
      step(noor, "child", CHILD),
      step(noor, "concerns", { otherConcerns: "Reading" }),
      step(noor, "additional", { additionalNotes: "None" }),
    ]);
    expect(await statuses(noor)).toEqual(Array.from({ length: 4 }, () => "Completed"));
  });

  test("counts a line break as one character, as browsers do", async () => {
    const noor = await family();
    const lines = "abcd\r\n".repeat(999) + "abcde";
    expect((await step(noor, "concerns", { otherConcerns: lines })).status).toBe(302);
    expect((await step(noor, "concerns", { otherConcerns: `${lines}f` })).status).toBe(422);
  });

  test("becomes the submitted form, step by step without JavaScript, and is then deleted", async () => {
    const noor = await family();
    const steps: [string, Record<string, string | string[]>, string][] = [
      ["client", CLIENT, "child"],
      ["child", CHILD, "concerns"],
      ["concerns", { primaryConcerns: "Insurance / Benefits Support" }, "additional"],
      ["additional", { preferredDaysTimes: "Mondays" }, "check"],
    ];
    for (const [name, fields, next] of steps) {
      expect((await step(noor, name, fields)).headers.location).toBe(`${PAGE}?step=${next}`);
    }
    const check = await noor.get(`${PAGE}?step=check`);
    for (const text of ["Maria Alvarez", "Leo", "Insurance / Benefits Support", "Mondays"])
      expect(check.visibleText).toContain(text);
    const sent = await noor.form(`${PAGE}?step=check`, {});
    expect([sent.status, sent.headers.location]).toEqual([302, "/dashboard"]);
    const page = await noor.follow(sent);
    expect(page.visibleText).toContain("Intake Form Submitted!");
    expect((await noor.get(FORMS)).json).toMatchObject({
      address: "12 Ocean Avenue\nLong Branch, NJ",
      preferredContactMethod: "email",
      iepStatus: "yes",
      primaryConcerns: '["Insurance / Benefits Support"]',
    });
    expect(await db.draft.count({ where: { userId: noor.id } })).toBe(0);
  });

  test("can't be submitted before all required sections are completed", async () => {
    const noor = await family();
    await step(noor, "client", CLIENT);
    expect((await noor.get(`${PAGE}?step=check`)).headers.location).toBe(`${PAGE}?step=sections`);
    const page = await noor.follow(await noor.form(`${PAGE}?step=check`, {}));
    expect(page.visibleText).toContain("Submission Failed");
    expect(page.visibleText).toContain("Failed to submit intake form.");
    expect(await formsOf(noor)).toBe(0);
    expect(await statuses(noor)).toEqual(["Completed", "Not started", "Not started", "Not started"]);
  });

  test("creates one form when it is submitted three times concurrently", async () => {
    const noor = await family();
    await step(noor, "client", CLIENT);
    await step(noor, "child", CHILD);
    const answers = await Promise.all([1, 2, 3].map(() => noor.form(`${PAGE}?step=check`, {})));
    expect(answers.map(({ headers }) => headers.location)).toEqual(["/dashboard", "/dashboard", "/dashboard"]);
    expect(await formsOf(noor)).toBe(1);
  });

  test("of a submitted form starts with its answers, and changes the form only when it is submitted", async () => {
    const noor = await family({ intake: true });
    expect(await statuses(noor)).toEqual(Array.from({ length: 4 }, () => "Completed"));
    expect((await step(noor, "child", { ...CHILD, childName: "Mia" })).headers.location).toBe(`${PAGE}?step=check`);
    expect((await noor.get(FORMS)).json.childName).toBe("Leo");
    await noor.form(`${PAGE}?step=check`, {});
    expect((await noor.get(FORMS)).json).toMatchObject({
      childName: "Mia",
      otherConcerns: "Reading takes all evening.",
    });
  });

  test("is discarded when the whole form is sent through the API", async () => {
    const noor = await family();
    await step(noor, "child", { childName: "Half a na" }, "later");
    expect((await noor.post(FORMS, form(noor))).status).toBe(201);
    expect(await value(noor, "child", "childName")).toBe("Leo");
  });

  test.each(["", "?step=secret", "?step=__proto__", "?step=sections"])("can't be saved at %j (400)", async (query) => {
    const noor = await family();
    expect((await noor.form(`${PAGE}${query}`, CLIENT)).status).toBe(400);
    expect(await db.draft.count({ where: { userId: noor.id } })).toBe(0);
  });

  test("is deleted 30 days after it was last saved, and can be started again; a booking draft too", async () => {
    const person = await family({ intake: true });
    const booking = { title: "Hourly Consulting", description: "Sleep.", intent: "times" };
    await person.form("/appointments/new", booking);
    await db.draft.create({ data: { userId: person.id, form: "intake", answers: '{"concerns":{"values":{}}}' } });
    const saved = (days: number) =>
      db.draft.updateMany({ where: { userId: person.id }, data: { updatedAt: new Date(Date.now() - days * DAY_MS) } });
    const texts = async () => (await person.get("/appointments/new")).text.includes("Sleep.");
    await saved(29);
    await testing.deleteExpiredRows();
    expect([await db.draft.count({ where: { userId: person.id } }), await texts()]).toEqual([2, true]);
    await saved(31);
    expect(await texts()).toBe(false);
    const again = await person.form(`${PAGE}?step=concerns`, { otherConcerns: "Bus.", intent: "later" });
    expect([again.status, again.headers.location]).toEqual([302, `${PAGE}?step=sections`]);
    await testing.deleteExpiredRows();
    const left = await db.draft.findMany({ where: { userId: person.id }, select: { form: true } });
    expect(left).toEqual([{ form: "intake" }]);
    expect((await visitor().get("/privacy-policy")).visibleText).toContain(
      "is kept for 30 days after you last saved it",
    );
  });

  test("keeps a completed section completed when a later change is saved while typing", async () => {
    const noor = await family();
    await step(noor, "client", CLIENT);
    await step(noor, "child", CHILD);
    for (const intent of ["keep", "later"]) {
      await step(noor, "child", { ...CHILD, childName: `Mia ${intent}` }, intent);
      expect(await value(noor, "child", "childName")).toBe(`Mia ${intent}`);
      expect((await statuses(noor)).slice(0, 2)).toEqual(["Completed", "Completed"]);
    }
  });

  test("computes the age by the practice's day, also in the evening before a birthday", async () => {
    const noor = await family();
    // March 13, 10 PM in New York.
    setTestClock(() => new Date("2027-03-14T02:00:00Z"));
    const maya = await signInAs(origin, noor.email, noor.password);
    await step(maya, "child", { ...CHILD, childAge: "", childBirthday: "3/14/2017" });
    const age = await value(maya, "child", "childAge");
    setTestClock(() => new Date());
    expect(age).toBe("9 years");
  });

  test("that is larger than any form gets 413", async () => {
    const noor = await family();
    expect((await step(noor, "additional", { additionalNotes: "a".repeat(300_000) })).status).toBe(413);
  });
});
