// Proves that the intake form's phone number is offered to an account without one, and never replaces an existing one.
import { beforeAll, expect, test } from "vitest";
import { db, family } from "../support/site.ts";
import { intakeForm, type Family } from "../support/people.ts";

const CHECK = "/dashboard/intake-form?step=check";
const FORM_PHONE = "(732) 555-0117";
const OTHER_PHONE = "(848) 555-0199";

let maria: Family;

/** Fills in all sections, so that the answers can be checked. */
async function fillIn(person: Family) {
  const { fullName, phoneNumber, emailAddress, preferredContactMethod, address, ...rest } = intakeForm(person);
  const { childName, childAge, childBirthday, primaryConcerns, otherConcerns } = rest;
  const sections = {
    client: { fullName, phoneNumber, emailAddress, preferredContactMethod, address },
    child: { childName, childAge, childBirthday, iepStatus: "no" },
    concerns: { primaryConcerns, otherConcerns },
    additional: { howDidYouHear: "" },
  };
  for (const [step, responses] of Object.entries(sections))
    expect((await person.form(`/dashboard/intake-form?step=${step}`, responses)).status).toBe(302);
}

const phoneOf = async ({ id }: Family) => (await db.user.findUniqueOrThrow({ where: { id } })).phone;
const offer = async (person: Family) => {
  const { document } = await person.get(CHECK);
  return document.querySelector("label:has(input[name=savePhone])")?.textContent ?? null;
};

beforeAll(async () => {
  maria = await family();
  await fillIn(maria);
});

test("an account without a phone number is offered the intake form's number, and saves it when the form is sent", async () => {
  expect(await offer(maria)).toContain(`Save ${FORM_PHONE} as the phone number of your account`);
  expect((await maria.form(CHECK, { savePhone: "on" })).status).toBe(302);
  expect(await phoneOf(maria)).toBe(FORM_PHONE);
  expect((await maria.get("/dashboard/settings")).visibleText).toContain(FORM_PHONE);
});

test("an account with a phone number is offered none, and keeps its number even if savePhone is sent", async () => {
  await maria.form("/dashboard/intake-form?step=additional", { howDidYouHear: "A friend" });
  expect(await offer(maria)).toBeNull();
  await db.user.update({ where: { id: maria.id }, data: { phone: OTHER_PHONE } });
  expect((await maria.form(CHECK, { savePhone: "on" })).status).toBe(302);
  expect(await phoneOf(maria)).toBe(OTHER_PHONE);
  expect((await db.intakeForm.findUniqueOrThrow({ where: { userId: maria.id } })).phoneNumber).toBe(FORM_PHONE);
});

test("an account that declines stays without a phone number; settings and profile suggest the form's number", async () => {
  const devon = await family();
  await fillIn(devon);
  expect((await devon.form(CHECK, {})).status).toBe(302);
  expect(await phoneOf(devon)).toBeNull();
  expect((await devon.get("/dashboard/settings")).visibleText).toContain(`Your intake form has ${FORM_PHONE}.`);
  const profile = await devon.get("/dashboard/profile");
  expect(profile.document.querySelector("input[name=phone]")?.getAttribute("value")).toBe(FORM_PHONE);
  expect(profile.visibleText).toContain("This one is from your intake form: press Save to use it.");
  expect(await phoneOf(devon)).toBeNull();
});

test("the form is prefilled with the account's phone number; a form sent through the API changes no account", async () => {
  const priya = await family();
  await db.user.update({ where: { id: priya.id }, data: { phone: OTHER_PHONE } });
  const first = (await priya.get("/dashboard/intake-form?step=client")).document;
  expect(first.querySelector("input[name=phoneNumber]")?.getAttribute("value")).toBe(OTHER_PHONE);
  const noor = await family({ intake: true });
  expect(await phoneOf(noor)).toBeNull();
});
