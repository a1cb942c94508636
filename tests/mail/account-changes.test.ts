// Proves that an account's owner gets emails about account changes: the first at once, later ones batched and limited.
import { afterAll, beforeEach, expect, test } from "vitest";
import { TEST_NOW } from "../support/bookings.ts";
import { turnOnSecondFactor, codeOf } from "../support/authenticator-app.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPasskey } from "../support/passkeys.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { RATE_LIMITS: "on", SMTP_URL: smtp.url });
const { adminEmail, consultant, db, family, setTestClock, testing } = await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it

let time = TEST_NOW;
const pass = (minutes: number) => (time = new Date(time.getTime() + minutes * 60_000));

beforeEach(() => {
  time = TEST_NOW;
  setTestClock(() => time);
});
afterAll(() => smtp.stop());

async function received(to: string) {
  await testing.deliverDueMessages();
  return smtp.mails.splice(0).filter((mail) => mail.to === to && mail.event === "account-changed");
}

let networks = 0;
async function confirmedFamily() {
  const own = await family({ firstName: "Maria", address: `127.0.71.${(networks += 1)}` });
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: TEST_NOW } });
  return own;
}

const NAME = { firstName: "Maria", lastName: "Ruiz" };
const setPhone = (client: TestClient, phone: string) => client.form("/dashboard/profile", { ...NAME, phone });
const makeCalendarLink = async (client: TestClient & { password?: string }, times = 1) => {
  await confirmIdentity(client);
  for (let count = 0; count < times; count += 1) expect((await client.post("/api/calendar-feed", {})).status).toBe(201);
};

test("a family gets an email at once when a passkey is added, with the time and what to do if it was someone else", async () => {
  const maria = await confirmedFamily();
  await addPasskey(maria);
  const [mail, ...others] = await received(maria.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("Something was changed in your account");
  expect(mail?.text).toMatch(/^Hello Maria,\n\nA passkey was added to your account/);
  expect(mail?.text).toMatch(/\n\nPasskey added: \w{3}, \w{3} \d+, \d{4} at \d+:\d\d [AP]M ET\n\n/);
  expect(mail?.text).toMatch(/choose a new password right away.*ends all passkeys, the calendar link/);
  expect(mail?.text).toMatch(/Choose a new password:\n\S+\/forgot-password\n/);
  expect(mail?.text).not.toMatch(/unsubscribe|If this isn't for you/);
  expect((await maria.get("/messages")).visibleText).toContain("Something was changed in your account");
});

test("further changes within ten minutes are batched into one email; a change after that is emailed at once", async () => {
  const maria = await confirmedFamily();
  const { id } = await addPasskey(maria);
  expect(await received(maria.email)).toHaveLength(1);
  pass(2);
  await setPhone(maria, "(732) 555-0171");
  await makeCalendarLink(maria);
  pass(2);
  expect((await maria.delete(`/api/auth/passkeys/${id}`)).status).toBe(200);
  expect(await received(maria.email)).toEqual([]);
  pass(6);
  const [mail, ...others] = await received(maria.email);
  expect(others).toEqual([]);
  expect(mail?.text.match(/^(?:Phone number changed|Calendar link made|Passkey removed)(?=: )/gm)).toEqual([
    "Phone number changed",
    "Calendar link made",
    "Passkey removed",
  ]);
  expect(mail?.text).toContain("A passkey was removed from your account.");
  expect(mail?.text).not.toContain("555-0171");
  pass(11);
  await makeCalendarLink(maria);
  expect(await received(maria.email)).toHaveLength(1);
});

test("after an address change, later changes are emailed to the new address, not added to the old one's batch", async () => {
  const maria = await confirmedFamily();
  await makeCalendarLink(maria, 2);
  pass(1);
  const email = `present.${process.pid}@example.org`;
  await db.user.update({ where: { id: maria.id }, data: { email } });
  await setPhone(maria, "(732) 555-0172");
  const [mail] = await received(email);
  expect(mail?.text).toContain("Phone number changed");
  pass(10);
  await testing.deliverDueMessages();
  const earlier = smtp.mails.splice(0).filter(({ to }) => to === maria.email);
  expect(earlier.filter(({ text }) => text.includes("Phone number"))).toEqual([]);
});

test("turning the second factor on or off sends an email; a new name with the same phone number doesn't", async () => {
  setTestClock(null);
  const maria = await confirmedFamily();
  const { secret } = await turnOnSecondFactor(maria, maria.password);
  expect((await received(maria.email))[0]?.text).toContain("The second step at sign-in was turned on");
  await db.message.deleteMany({ where: { userId: maria.id } });
  const off = await maria.request("DELETE", "/api/auth/second-factor", {
    headers: { Origin: maria.origin, "Content-Type": "application/json" },
    body: JSON.stringify({ password: maria.password, code: codeOf(secret) }),
  });
  expect(off.status).toBe(200);
  expect((await received(maria.email))[0]?.text).toContain("The second step at sign-in was turned off");
  await db.message.deleteMany({ where: { userId: maria.id } });
  const { phone } = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
  await maria.form("/dashboard/profile", { ...NAME, lastName: "Ruiz-Ortega", phone: phone ?? "" });
  expect(await received(maria.email)).toEqual([]);
});

test("the consultant gets emails about her own account, with her recovery steps and no password link", async () => {
  const admin = await consultant();
  await addPasskey(admin);
  const [mail] = await received(adminEmail);
  expect(mail?.text).toContain("A passkey was added to your account");
  expect(mail?.text).toContain("Ten recovery codes were made.");
  expect(mail?.text).toMatch(
    /1\. Open Settings, and sign out every device you don't know\.\n\n2\. Change your password/,
  );
  expect(mail?.text).not.toContain("forgot-password");
  pass(11);
  expect((await (await consultant()).post("/api/calendar-feed", {})).status).toBe(201);
  expect((await received(adminEmail))[0]?.text).toContain("all visits with the families' names");
});

test("an unconfirmed address gets at most one account-change email per hour, without a name", async () => {
  const own = await family({ firstName: "Maria", address: "127.0.72.1" });
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: null } });
  await makeCalendarLink(own);
  const [first] = await received(own.email);
  expect(first?.text).toMatch(/^Hello,\n/);
  expect(first?.text).toContain("If this isn't for you, someone gave us your address by mistake.");
  pass(11);
  await makeCalendarLink(own, 3);
  expect(await received(own.email)).toEqual([]);
  pass(49);
  const [later, ...others] = await received(own.email);
  expect(others).toEqual([]);
  expect(later?.html).toContain("If this isn&#39;t for you");
});

test.each([
  [30, 30, null],
  [31, 30, "and 1 more"],
  [33, 30, "and 3 more"],
])(
  "one email about %i changes within ten minutes lists %i of them, then how many more",
  async (changes, lines, more) => {
    const maria = await confirmedFamily();
    await makeCalendarLink(maria);
    await received(maria.email);
    pass(1);
    for (let count = 0; count < changes; count += 1) await setPhone(maria, `(732) 555-01${count + 10}`);
    pass(9);
    const [mail] = await received(maria.email);
    expect(mail?.text.match(/^Phone number changed: /gm)).toHaveLength(lines);
    expect(/^More: (.*)$/m.exec(mail?.text ?? "")?.[1] ?? null).toBe(more);
  },
);

test("at most 20 account-change emails are sent per day; a password-changed email is still sent", async () => {
  const maria = await confirmedFamily();
  await db.message.createMany({
    data: Array.from({ length: 19 }, (_, index) => ({
      key: `account-changed: sample ${index} of ${maria.id}`,
      event: "account-changed",
      userId: maria.id,
      address: maria.email,
      content: "{}",
      state: "sent",
      nextAttemptAt: TEST_NOW,
      createdAt: new Date(TEST_NOW.getTime() - 3_600_000),
    })),
  });
  for (let times = 0; times < 3; times += 1) {
    await makeCalendarLink(maria);
    pass(10.1);
  }
  expect(await received(maria.email)).toHaveLength(1);
  const newPassword = "three rivers and a bridge";
  const passwords = { currentPassword: maria.password, newPassword, confirmPassword: newPassword };
  expect((await maria.post("/api/auth/change-password", passwords)).status).toBe(200);
  await testing.deliverDueMessages();
  expect(smtp.mails.map(({ event }) => event)).toEqual(["password-changed"]);
  expect(await db.message.count({ where: { userId: maria.id, event: "account-changed" } })).toBe(22);
});

test("the consultant's custom text is used in the immediate email and in the batched email", async () => {
  const admin = await consultant();
  const words = { subject: "Your account", body: "Dear {first name}!\n\n{what changed}\n\n{if not you}\n\n{link}" };
  expect((await admin.form("/mail-wording/account-changed", { intent: "save", ...words })).status).toBe(302);
  const maria = await confirmedFamily();
  await makeCalendarLink(maria);
  await setPhone(maria, "(732) 555-0172");
  pass(10);
  const mails = await received(maria.email);
  expect(mails.map(({ subject }) => subject)).toEqual(["Your account", "Your account"]);
  // They are sent at the same time.
  const texts = mails.map(({ text }) => text).toSorted();
  expect(texts[0]).toContain("Dear Maria!\n\nA calendar link was made");
  expect(texts[1]).toContain("Dear Maria!\n\nThe phone number in your account was changed.");
});
