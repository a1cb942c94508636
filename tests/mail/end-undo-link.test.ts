// Proves that a family that left a mailbox can end the link there that takes its change of address back, and that a
// thief who changed the address can't.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { codeOf, turnOnSecondFactor } from "../support/authenticator-app.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPasskey, requestOptions } from "../support/passkeys.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url });
const { consultant, db, family, origin, testing, visitor } = await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it
afterAll(() => smtp.stop());

const DAY = 86_400_000;
const PATH = "/change-email";
const CONFIRM = "/confirm-identity?redirectTo=%2Fchange-email";
const BUTTON = "End that link: the old mailbox isn’t mine anymore";
let addresses = 0;
let maria: Family;
let ownEmail: string;
let newEmail: string;

beforeEach(async () => {
  newEmail = `moved.${(addresses += 1)}@example.org`;
  maria = await family();
  ownEmail = maria.email;
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
});

const emailOf = async ({ id }: Family) => (await db.user.findUniqueOrThrow({ where: { id } })).email;
const entriesOf = ({ id: familyId }: Family) =>
  db.auditEntry.findMany({
    where: { familyId, action: "undo-link-ended" },
    select: { actorId: true, familyId: true, objectId: true },
  });

async function mailedLink(to: string, event: string) {
  await testing.deliverDueMessages();
  const { text = "" } = smtp.mails.findLast((mail) => mail.to === to && mail.event === event) ?? {};
  return new URL(/http:\S+/.exec(text)?.[0] ?? "", origin).pathname;
}

/** Changes the address, confirmed with the password or the code; returns the link to the earlier one. */
async function changeAddress(client: TestClient, credentials: Record<string, string>): Promise<string> {
  expect((await client.form(CONFIRM, credentials)).headers.location).toBe(PATH);
  expect((await client.form(PATH, { email: newEmail })).headers.location).toBe(`${PATH}?sent`);
  expect((await client.form(await mailedLink(newEmail, "email-change-requested"), {})).status).toBe(302);
  return mailedLink(maria.email, "email-changed");
}

/** Presses the button after the confirmation. */
async function endLink(client: TestClient, credentials: Record<string, string>) {
  expect((await client.form(PATH, { intent: "end-undo-link" })).headers.location).toBe(CONFIRM);
  expect((await client.form(CONFIRM, credentials)).headers.location).toBe(PATH);
  return client.form(PATH, { intent: "end-undo-link" });
}

/** An app whose set-up is some days old. */
async function appOfDays(client: TestClient, days: number): Promise<string> {
  const { secret } = await turnOnSecondFactor(client, maria.password);
  const confirmedAt = new Date(Date.now() - days * DAY - 60_000);
  await db.secondFactor.update({ where: { userId: maria.id }, data: { confirmedAt } });
  return secret;
}

async function expectEnded(link: string) {
  for (const response of [await visitor().get(link), await visitor().form(link, {})]) {
    expect(response.status).toBe(410);
    expect(response.visibleText).toContain("This link has expired");
  }
  expect(await emailOf(maria)).toBe(newEmail);
}

describe("the undo link in a mailbox that others read", () => {
  test("is ended with the code of an app that stood a week before the change; then it has expired, and the app stays", async () => {
    const secret = await appOfDays(maria, 7);
    const link = await changeAddress(maria, { code: codeOf(secret) });
    expect((await maria.get(PATH)).visibleText).toContain(BUTTON);
    const ended = await endLink(maria, { code: codeOf(secret, 1) });
    expect([ended.status, (await maria.follow(ended)).visibleText.includes("no longer works")]).toEqual([302, true]);
    expect((await maria.get(PATH)).visibleText).not.toContain("old mailbox?");
    await expectEnded(link);
    const { id } = maria;
    expect(await entriesOf(maria)).toEqual([{ actorId: id, familyId: id, objectId: id }]);
    expect(await db.secondFactor.count({ where: { userId: id } })).toBe(1);
    expect((await visitor().post("/api/auth/register", { ...NOBODY, email: maria.email })).status).toBe(201);
  });

  test("is ended by the consultant for a family with a password alone, which is told to call", async () => {
    const link = await changeAddress(maria, { password: maria.password });
    const page = await maria.get(PATH);
    expect(page.visibleText).toContain("Did you not change the address? Then use that link instead");
    expect([page.visibleText.includes("Call us, and we end it"), page.text.includes(BUTTON)]).toEqual([true, false]);
    const admin = await consultant();
    const path = `/families/${maria.id}/end-undo-link`;
    const { id: newestChange } = await db.emailChange.findFirstOrThrow({ where: { userId: maria.id } });
    const shown = { newestChange: String(newestChange) };
    expect((await maria.form(path, shown)).status).toBe(403);
    expect((await admin.get(`/families/${maria.id}`)).text).toContain(path);
    expect((await admin.get(path)).visibleText).toContain(newEmail);
    expect((await admin.get(path)).text).toContain(`value="${newestChange}"`);
    expect((await admin.form(path, shown)).headers.location).toBe(`/families/${maria.id}`);
    expect((await admin.form(path, shown)).status).toBe(409);
    expect((await admin.get(`/families/${maria.id}`)).text).not.toContain(path);
    await expectEnded(link);
    expect((await entriesOf(maria)).map(({ familyId, objectId }) => [familyId, objectId])).toEqual([
      [maria.id, maria.id],
    ]);
  });
});

/** The owner's link still gives the account back. */
async function expectOpen(link: string) {
  expect(await entriesOf(maria)).toEqual([]);
  expect((await visitor().form(link, {})).status).toBe(302);
  expect(await emailOf(maria)).toBe(ownEmail);
}

test("the consultant ends nothing that she was not shown: after another change she gets 409, and sees both", async () => {
  const link = await changeAddress(maria, { password: maria.password });
  const { id: first, ...change } = await db.emailChange.findFirstOrThrow({ where: { userId: maria.id } });
  const data = { ...change, oldEmail: newEmail, undoTokenHash: `again ${first}` };
  const { id: second } = await db.emailChange.create({ data });
  const admin = await consultant();
  const path = `/families/${maria.id}/end-undo-link`;
  for (const newestChange of ["", String(first)]) expect((await admin.form(path, { newestChange })).status).toBe(409);
  const page = await admin.get(path);
  expect(page.text).toContain(`value="${second}"`);
  const [, times = ""] = /Changed on ([^.]+)/.exec(page.visibleText) ?? [];
  expect(times.split("; ")).toHaveLength(2);
  await expectOpen(link);
});

test("the earlier address is told that its link was ended, without a word about the family", async () => {
  await changeAddress(maria, { password: maria.password });
  const { id: newestChange } = await db.emailChange.findFirstOrThrow({ where: { userId: maria.id } });
  const admin = await consultant();
  await admin.form(`/families/${maria.id}/end-undo-link`, { newestChange: String(newestChange) });
  await testing.deliverDueMessages();
  const { subject, text = "" } = smtp.mails.findLast((mail) => mail.to === ownEmail) ?? {};
  expect(subject).toBe("The link in our last email no longer works");
  expect(text).toContain("please call us right away at");
  for (const personal of [newEmail, maria.firstName, maria.lastName]) expect(text).not.toContain(personal);
});

describe("a thief who knows the password and changed the address", () => {
  test("can't end the owner's undo link with the password, or with an app set up since or up to a week before", async () => {
    const thief = await signInAs(origin, maria.email, maria.password);
    const link = await changeAddress(thief, { password: maria.password });
    expect((await endLink(thief, { password: maria.password })).status).toBe(403);
    const { secret } = await turnOnSecondFactor(thief, maria.password);
    expect((await thief.form(CONFIRM, { code: codeOf(secret) })).headers.location).toBe(PATH);
    expect((await thief.form(PATH, { intent: "end-undo-link" })).status).toBe(403);
    const { changedAt } = await db.emailChange.findFirstOrThrow({ where: { userId: maria.id } });
    const confirmedAt = new Date(changedAt.getTime() - 7 * DAY);
    await db.secondFactor.update({ where: { userId: maria.id }, data: { confirmedAt } });
    const refused = await endLink(thief, { code: codeOf(secret, 1) });
    expect([refused.status, refused.visibleText.includes("Or call us.")]).toEqual([403, true]);
    expect(await entriesOf(maria)).toEqual([]);
    const undone = await visitor().form(link, {});
    expect([undone.status, await emailOf(maria)]).toEqual([302, ownEmail]);
    expect(await db.secondFactor.count({ where: { userId: maria.id } })).toBe(0);
    const chosen = { newPassword: "a longer walk home", confirmPassword: "a longer walk home" };
    expect((await visitor().form(undone.headers.location ?? "", chosen)).headers.location).toBe("/dashboard");
  });

  test("can't end it with a passkey of any age, which the password alone adds and the link removes", async () => {
    const thief = await signInAs(origin, maria.email, maria.password);
    const { device } = await addPasskey(thief);
    await db.passkey.updateMany({
      where: { userId: maria.id },
      data: { createdAt: new Date(Date.now() - 60 * DAY) },
    });
    const link = await changeAddress(thief, { password: maria.password });
    expect((await thief.get(PATH)).visibleText).toContain("Call us, and we end it");
    const credential = device.get(await requestOptions(thief));
    expect((await thief.form(CONFIRM, { credential })).headers.location).toBe(PATH);
    expect((await thief.form(PATH, { intent: "end-undo-link" })).status).toBe(403);
    await expectOpen(link);
    expect(await db.passkey.count({ where: { userId: maria.id } })).toBe(0);
  });

  test("can't end it by changing the address again when the app is a week old: the oldest open change decides", async () => {
    const thief = await signInAs(origin, maria.email, maria.password);
    const link = await changeAddress(thief, { password: maria.password });
    const { secret } = await turnOnSecondFactor(thief, maria.password);
    // A change eight days later, whose link is open too, as the first one's is for the sake of this test.
    const first = await db.emailChange.findFirstOrThrow({ where: { userId: maria.id } });
    const { changedAt, ...rest } = first;
    const confirmedAt = new Date(changedAt.getTime() + 1000);
    await db.secondFactor.update({ where: { userId: maria.id }, data: { confirmedAt } });
    const { id: _, ...copy } = rest;
    const later = { oldEmail: newEmail, undoTokenHash: `later ${first.id}`, changedAt: new Date(+changedAt + 8 * DAY) };
    await db.emailChange.create({ data: { ...copy, ...later } });
    expect((await endLink(thief, { code: codeOf(secret) })).status).toBe(403);
    await expectOpen(link);
  });
});

const NOBODY = { firstName: "Ana", lastName: "Ruiz", password: "rain on the roof 7" };
