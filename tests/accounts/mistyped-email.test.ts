// Proves that a mistyped email address is questioned, and can be corrected where we say that we write to it.
import { describe, expect, test } from "vitest";
import { bookOrFail, TEST_NOW } from "../support/bookings.ts";
import type { TestResponse } from "../support/http-client.ts";
import { db, family, setTestClock, visitor } from "../support/site.ts";

setTestClock(() => TEST_NOW);

const PASSWORD = "three lighthouse keepers";
const QUESTION = "Did you mean maria@gmail.com? If maria@gmial.com is right, press Create Account again.";

const registration = (changes: Record<string, string> = {}) => ({
  firstName: "Maria",
  lastName: "Alvarez",
  email: "maria@gmial.com",
  phone: "732-555-0133",
  password: PASSWORD,
  confirmPassword: PASSWORD,
  ...changes,
});

/** The values with which a form came back. */
function valuesOf(response: TestResponse): Record<string, string> {
  const inputs = [...response.document.querySelectorAll("main input[name], main textarea[name]")];
  return Object.fromEntries(
    inputs.map((input) => [input.getAttribute("name"), input.getAttribute("value") ?? input.textContent]),
  );
}

function emailErrorOf(response: TestResponse): string {
  const input = response.document.querySelector('[name="email"]');
  const ids = (input?.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
  return ids.map((id) => response.document.getElementById(id)?.textContent ?? "").join("");
}

const accountExists = async (email: string) => (await db.user.count({ where: { email } })) > 0;

describe("a visitor who registers with a mistyped mail provider", () => {
  test("is asked first, keeps what was typed, and registers by sending the same address again", async () => {
    const client = visitor();
    const asked = await client.form("/register", registration());
    expect([asked.status, emailErrorOf(asked)]).toEqual([422, expect.stringContaining(QUESTION)]);
    expect(asked.document.querySelector('[role="alert"]')?.textContent).toContain(QUESTION);
    const kept = valuesOf(asked);
    expect(kept).toMatchObject({ firstName: "Maria", lastName: "Alvarez", email: "maria@gmial.com" });
    expect(kept).toMatchObject({ phone: "732-555-0133", password: "", confirmPassword: "" });
    expect(await accountExists("maria@gmial.com")).toBe(false);
    const again = await client.form("/register", { ...kept, password: PASSWORD, confirmPassword: PASSWORD });
    expect([again.status, again.headers.location]).toEqual([302, "/"]);
    expect(await accountExists("maria@gmial.com")).toBe(true);
  });

  test("is not asked again after another error of the form, nor for other capitals", async () => {
    const client = visitor();
    const email = "Paula@Hotmial.com";
    const asked = await client.form("/register", registration({ email }));
    expect(emailErrorOf(asked)).toContain("Did you mean paula@hotmail.com?");
    const refused = await client.form("/register", { ...valuesOf(asked), password: "short" });
    expect([refused.status, emailErrorOf(refused)]).toEqual([422, ""]);
    const passwords = { password: PASSWORD, confirmPassword: PASSWORD };
    const again = await client.form("/register", { ...valuesOf(refused), ...passwords, email: "paula@hotmial.com" });
    expect(again.status).toBe(302);
  });

  test("is asked together with the other errors of the form, and again for another mistyped address", async () => {
    const client = visitor();
    const asked = await client.form("/register", registration({ email: "jon@yaho.com", firstName: "" }));
    expect(emailErrorOf(asked)).toContain("Did you mean jon@yahoo.com?");
    expect(asked.visibleText).toContain("Enter your first name.");
    const other = await client.form("/register", {
      ...valuesOf(asked),
      ...registration({ email: "jon@iclod.com" }),
    });
    expect([other.status, emailErrorOf(other)]).toEqual([422, expect.stringContaining("jon@icloud.com")]);
  });

  test("is asked the same question whether or not the address has an account", async () => {
    const email = "taken@gamil.com";
    const questionedEmail = email;
    expect((await visitor().form("/register", registration({ email, questionedEmail }))).status).toBe(302);
    const taken = await visitor().form("/register", registration({ email }));
    const free = await visitor().form("/register", registration({ email: "free@gamil.com" }));
    expect([taken.status, free.status]).toEqual([422, 422]);
    expect(emailErrorOf(taken).replaceAll("taken", "free")).toBe(emailErrorOf(free));
  });

  test.each(["maria@gmail.com", "maria@yahoo.co.uk", "maria@mail.com", "maria@ymail.com"])(
    "registers at once with %s",
    async (email) => {
      expect((await visitor().form("/register", registration({ email }))).status).toBe(302);
    },
  );
});

describe("the API", () => {
  test("registers a family with such an address without a question", async () => {
    const { firstName, lastName, password } = registration();
    const body = { firstName, lastName, password, email: "api@gmial.com" };
    expect((await visitor().post("/api/auth/register", body)).status).toBe(201);
  });
});

describe("a visitor who requests a consultation with a mistyped mail provider", () => {
  test("is asked first, and the request is sent with the second submission", async () => {
    const client = visitor();
    const email = "jane.doe@outlok.com";
    const typed = { firstName: "Jane", lastName: "Doe", email, serviceNeeds: "An IEP meeting", consent: "on" };
    const asked = await client.form("/request-consultation", typed);
    expect(asked.status).toBe(422);
    expect(emailErrorOf(asked)).toContain(
      `Did you mean jane.doe@outlook.com? If ${email} is right, press Send my request again.`,
    );
    expect(await db.consultationRequest.count({ where: { email } })).toBe(0);
    const { questionedEmail } = valuesOf(asked);
    expect(questionedEmail).toBe(email);
    const sent = await client.form("/request-consultation", { ...typed, questionedEmail: email });
    expect([sent.status, sent.headers.location]).toEqual([302, "/request-consultation?sent"]);
    expect(await db.consultationRequest.count({ where: { email } })).toBe(1);
  });
});

describe("a family whose address is not confirmed", () => {
  const CHANGE_LINK = "Wrong address? Change it";
  const linksTo = (response: TestResponse, text: string) =>
    [...response.document.querySelectorAll("main a")]
      .filter((link) => link.textContent === text)
      .map((link) => link.getAttribute("href"));

  test("reads on the page of its booking where the details were emailed, and can change the address there", async () => {
    const maria = await family({ intake: true });
    const { id } = await bookOrFail(maria);
    const booked = await maria.get(`/appointments/${id}/booked`);
    expect(booked.visibleText).toContain(`We email about this visit to ${maria.email}. ${CHANGE_LINK}`);
    expect(linksTo(booked, CHANGE_LINK)).toEqual(["/change-email"]);
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
    const later = await maria.get(`/appointments/${id}/booked`);
    expect(later.visibleText).toContain(`We email about this visit to ${maria.email}.`);
    expect(linksTo(later, CHANGE_LINK)).toEqual([]);
  });

  test("reads the address in its to-do list and on the messages page, with the link that changes it", async () => {
    const maria = await family({ intake: true });
    for (const path of ["/dashboard", "/messages"]) {
      const page = await maria.get(path);
      expect([path, page.visibleText]).toEqual([path, expect.stringContaining(maria.email)]);
      expect([path, linksTo(page, CHANGE_LINK)]).toEqual([path, ["/change-email"]]);
    }
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
    for (const path of ["/dashboard", "/messages"])
      expect([path, linksTo(await maria.get(path), CHANGE_LINK)]).toEqual([path, []]);
  });

  test("reads on the waiting list that the address is not confirmed, and where a free time would be emailed", async () => {
    const maria = await family({ intake: true });
    const note = `We write to ${maria.email}, which is not confirmed yet. Confirm it or change it.`;
    const page = await maria.get("/appointments/waiting-list");
    expect(page.visibleText).toContain(note);
    expect(linksTo(page, "Confirm it")).toEqual(["/messages"]);
    expect(linksTo(page, "change it")).toEqual(["/change-email"]);
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: TEST_NOW } });
    expect((await maria.get("/appointments/waiting-list")).visibleText).not.toContain("not confirmed yet");
  });
});
