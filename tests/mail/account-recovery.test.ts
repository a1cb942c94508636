// Proves that recovering an account, by the link to the earlier address, by the consultant's link or by an emailed
// reset link, locks out the attacker who controlled it meanwhile.
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { codeOf, turnOnSecondFactor } from "../support/authenticator-app.ts";
import { sortedStatuses } from "../support/bookings.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPasskey, signInWithPasskey } from "../support/passkeys.ts";
import { type Family, signInAs } from "../support/people.ts";
import { hashSecretToken } from "../../app/secret-token.server.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { adminPassword } from "../support/test-environment.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url });
const { adminEmail, consultant, db, family, origin, testing, visitor } = await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it
afterAll(() => smtp.stop());

const DAY = 86_400_000;
const CHOSEN = { newPassword: "a longer walk home", confirmPassword: "a longer walk home" };
let addresses = 0;
let maria: Family;
let attackerClient: TestClient;
/** The address that the attacker gives the account. */
let attackerEmail: string;

/** Somebody else knows the password of a family with a confirmed address. */
beforeEach(async () => {
  attackerEmail = `thief.${(addresses += 1)}@example.org`;
  maria = await family();
  await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: new Date() } });
  attackerClient = await signInAs(origin, maria.email, maria.password);
  await confirmIdentity(Object.assign(attackerClient, { password: maria.password }));
});

const linkIn = (text = "") => new URL(/http:\S+/.exec(text)?.[0] ?? "", origin).pathname;
const emailOf = async ({ id }: { id: number }) => (await db.user.findUniqueOrThrow({ where: { id } })).email;

/** The link of the latest mail of `event` to an address. */
async function mailedLink(to: string, event: string) {
  await testing.drainResetLinkQueue();
  await testing.deliverDueMessages();
  return linkIn(smtp.mails.findLast((mail) => mail.to === to && mail.event === event)?.text);
}

/** The attacker gives the account another address; returns the link to the earlier one. */
async function takeOver(client = attackerClient, from = maria.email) {
  expect((await client.form("/change-email", { email: attackerEmail })).headers.location).toBe("/change-email?sent");
  expect((await client.form(await mailedLink(attackerEmail, "email-change-requested"), {})).status).toBe(302);
  return mailedLink(from, "email-changed");
}

const press = (path: string, fields = {}) => visitor().form(path, fields);
const signIn = (email: string, password: string) => visitor().post("/api/auth/login", { email, password });

async function consultantsLink(email = maria.email) {
  const { text } = await (await consultant()).form("/dashboard/reset-link", { email });
  return /\/reset-password\/[\w-]{43}/.exec(text)?.[0] ?? "";
}

async function resetMail() {
  await visitor().post("/api/auth/forgot-password", { email: maria.email });
  return mailedLink(maria.email, "password-reset");
}

/** Each way to take the account back: returns where the new password is chosen. */
const ways: [string, () => Promise<string>][] = [
  ["the link to the earlier address", async () => (await press(await takeOver())).headers.location ?? ""],
  ["the consultant's link", () => consultantsLink()],
  ["an emailed link", resetMail],
];

describe("a confirmation link", () => {
  test("from before a recovery can't restore the attacker's address: 410 by page and API, signed in or out", async () => {
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: null } });
    expect((await attackerClient.form("/messages", { intent: "confirm" })).status).toBe(302);
    const first = await mailedLink(maria.email, "confirm-email");
    expect((await maria.form(first, {})).status).toBe(302);
    const undo = await takeOver();
    const token = "l".repeat(43);
    const link = { userId: maria.id, expiresAt: new Date(Date.now() + DAY) };
    await db.emailConfirmation.create({ data: { ...link, email: attackerEmail, tokenHash: hashSecretToken(token) } });
    const reset = (await press(undo)).headers.location ?? "";
    const own = visitor();
    expect((await own.form(reset, CHOSEN)).headers.location).toBe("/dashboard");
    for (const client of [visitor(), own]) {
      expect((await client.post("/api/auth/confirm-email", { token })).status).toBe(410);
      expect((await client.form(`/confirm-email/${token}`, {})).status).toBe(410);
    }
    expect([await emailOf(maria), (await own.get("/api/auth/me")).status]).toEqual([maria.email, 200]);
  });

  test("for an address other than the account's gets 410, in the account's session and for a visitor", async () => {
    const token = "m".repeat(43);
    const tokenHash = hashSecretToken(token);
    const link = { userId: maria.id, tokenHash, expiresAt: new Date(Date.now() + DAY) };
    await db.emailConfirmation.create({ data: { ...link, email: attackerEmail } });
    expect((await maria.post("/api/auth/confirm-email", { token })).status).toBe(410);
    await db.emailConfirmation.create({ data: { ...link, email: attackerEmail } });
    expect((await visitor().post("/api/auth/confirm-email", { token })).status).toBe(410);
    expect(await emailOf(maria)).toBe(maria.email);
  });

  test("is not sent to an address that is already confirmed", async () => {
    await maria.form("/messages", { intent: "confirm" });
    await (await consultant()).form("/messages", { intent: "confirm" });
    expect((await maria.get("/messages")).visibleText).toContain("Your email address is already confirmed.");
    expect(await db.emailConfirmation.count({ where: { userId: maria.id } })).toBe(0);
    const { id: userId } = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
    expect(await db.message.count({ where: { event: "confirm-email", userId } })).toBe(0);
  });
});

describe("a password that an attacker knows", () => {
  test.each(ways.slice(0, 2))(
    "no longer signs in after %s; further reset emails don't invalidate that link, which works once",
    async (_, takeBack) => {
      const waiting = visitor();
      await waiting.form("/login", { email: maria.email, password: maria.password });
      const path = await takeBack();
      const known = {
        currentPassword: maria.password,
        ...CHOSEN,
        newPassword: "thief only 1",
        confirmPassword: "thief only 1",
      };
      for (const client of [attackerClient, waiting]) {
        expect((await client.post("/api/auth/change-password", known)).status).toBe(401);
        expect((await client.get("/api/auth/me")).status).toBe(401);
      }
      for (const email of [maria.email, attackerEmail]) expect((await signIn(email, maria.password)).status).toBe(401);
      for (let times = 0; times < 2; times += 1) await resetMail();
      expect((await press(path, CHOSEN)).headers.location).toBe("/dashboard");
      expect((await signIn(maria.email, CHOSEN.newPassword)).status).toBe(200);
      expect((await press(path, CHOSEN)).status).toBe(410);
    },
  );

  test("stops working even if changed concurrently with the recovery; the owner's link works once", async () => {
    const known = { currentPassword: maria.password, newPassword: "thief only 1", confirmPassword: "thief only 1" };
    const undo = await takeOver();
    const [changed, undone] = await Promise.all([attackerClient.post("/api/auth/change-password", known), press(undo)]);
    expect([200, 401, 422]).toContain(changed.status);
    for (const password of [maria.password, known.newPassword])
      expect((await signIn(maria.email, password)).status).toBe(401);
    const uses = await Promise.all([1, 2].map(() => press(undone.headers.location ?? "", CHOSEN)));
    expect(sortedStatuses(uses)).toEqual([302, 410]);
  });

  test("can't be used to end the consultant's link: it survives a password change and an address change", async () => {
    const { password } = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
    const path = await consultantsLink();
    await db.user.update({ where: { id: maria.id }, data: { password } });
    const other = await signInAs(origin, maria.email, maria.password);
    const passwords = { currentPassword: maria.password, newPassword: "thief only 1", confirmPassword: "thief only 1" };
    expect((await other.post("/api/auth/change-password", passwords)).status).toBe(200);
    await confirmIdentity(Object.assign(other, { password: "thief only 1" }));
    await takeOver(other);
    expect((await press(path, CHOSEN)).headers.location).toBe("/dashboard");
  });

  test("of the consultant no longer signs in after recovery, which redirects her to the sign-in page", async () => {
    const { id, password } = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
    const admin = await consultant();
    await confirmIdentity(admin);
    const undo = await takeOver(admin, adminEmail);
    expect((await press(undo)).headers.location).toBe("/login");
    for (const email of [adminEmail, attackerEmail]) expect((await signIn(email, adminPassword)).status).toBe(401);
    await db.user.update({ where: { id }, data: { password } });
    expect(await emailOf({ id })).toBe(adminEmail);
  });
});

describe("an account deletion requested by an attacker", () => {
  const askForDeletion = (client = attackerClient) =>
    client.request("DELETE", "/api/me", {
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: JSON.stringify({ password: maria.password }),
    });
  const eraseAfterOf = async ({ id }: { id: number }) =>
    (await db.user.findUniqueOrThrow({ where: { id } })).eraseAfter;
  const mailsTo = (to: string, event: string) => smtp.mails.filter((mail) => mail.to === to && mail.event === event);

  test("is emailed to the earlier address too; the undo link's page announces it, and the undo link cancels it", async () => {
    const undo = await takeOver();
    expect((await visitor().get(undo)).visibleText).not.toContain("asked us to delete");
    expect((await askForDeletion()).status).toBe(202);
    await testing.deliverDueMessages();
    const [told, ...more] = mailsTo(maria.email, "erasure-requested");
    expect([mailsTo(attackerEmail, "erasure-requested").length, more]).toEqual([1, []]);
    expect(told?.text).toContain("open the email in which we told you that the address was changed");
    for (const word of [maria.firstName, maria.lastName, attackerEmail]) expect(told?.text).not.toContain(word);
    expect((await visitor().get(undo)).visibleText).toContain("somebody asked us to delete your account");
    const path = (await press(undo)).headers.location ?? "";
    expect([await eraseAfterOf(maria), (await press(path, CHOSEN)).headers.location]).toEqual([null, "/dashboard"]);
    expect((await signIn(maria.email, CHOSEN.newPassword)).json.eraseAfter).toBeUndefined();
    await testing.deliverDueMessages();
    expect(mailsTo(maria.email, "erasure-withdrawn")[0]?.text).toContain("after its email address was changed");
    const where = { familyId: maria.id, action: "account-erasure-cancelled" };
    expect(await db.auditEntry.findMany({ where, select: { actorId: true } })).toEqual([{ actorId: maria.id }]);
    const { email } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
    expect(mailsTo(email, "family-stays").length).toBe(1);
  });

  test("stays if older than the undone address change; with an expired undo link the earlier address gets no email", async () => {
    const undo = await takeOver();
    await askForDeletion();
    await db.emailChange.updateMany({
      where: { userId: maria.id },
      data: { changedAt: new Date(Date.now() + 60_000) },
    });
    expect((await visitor().get(undo)).visibleText).not.toContain("asked us to delete");
    expect((await press(undo)).status).toBe(302);
    expect(await eraseAfterOf(maria)).not.toBeNull();
    const own = await family();
    const change = { userId: own.id, oldEmail: `earlier.${own.email}`, undoTokenHash: "x", changedAt: new Date() };
    await db.emailChange.create({ data: { ...change, undoUntil: new Date(Date.now() - 1) } });
    const body = JSON.stringify({ password: own.password });
    const headers = { Origin: origin, "Content-Type": "application/json" };
    expect((await own.request("DELETE", "/api/me", { headers, body })).status).toBe(202);
    await testing.deliverDueMessages();
    expect(mailsTo(change.oldEmail, "erasure-requested")).toEqual([]);
  });

  test("stays after a reset by emailed link; the email and the page say how to keep the account", async () => {
    await askForDeletion();
    const client = visitor();
    const answer = await client.form(await resetMail(), CHOSEN);
    expect((await client.follow(await client.follow(answer))).visibleText).toContain("Keep my account");
    expect(await eraseAfterOf(maria)).not.toBeNull();
    await testing.deliverDueMessages();
    const { text } = mailsTo(maria.email, "password-changed").at(-1) ?? {};
    expect(text).toContain("Your account is still to be deleted");
    expect(text).toContain("Account will be deleted on");
    await client.post("/api/me/keep", {});
    await client.form(await resetMail(), {
      newPassword: "another longer walk",
      confirmPassword: "another longer walk",
    });
    await testing.deliverDueMessages();
    expect(mailsTo(maria.email, "password-changed").at(-1)?.text).not.toContain("to be deleted");
  });
});

describe("an emailed reset link", () => {
  test.each(["sent", "still to be sent"])(
    "that was %s ends when the consultant recovers the account: it sets no password, and only her link does",
    async (state) => {
      await visitor().post("/api/auth/forgot-password", { email: maria.email });
      await testing.drainResetLinkQueue();
      const where = { userId: maria.id, event: "password-reset" };
      const { id, secretPath } = await db.message.findFirstOrThrow({ where });
      const emailed = secretPath ?? "";
      if (state === "sent") await testing.deliverDueMessages();
      expect((await visitor().get(emailed)).visibleText).toContain("Choose a new password");
      const given = await consultantsLink();
      await testing.deliverDueMessages();
      expect([(await visitor().get(emailed)).status, (await press(emailed, CHOSEN)).status]).toEqual([410, 410]);
      const body = { ...CHOSEN, token: emailed.split("/").at(-1) };
      expect((await visitor().post("/api/auth/reset-password", body)).status).toBe(410);
      expect((await signIn(maria.email, CHOSEN.newPassword)).status).toBe(401);
      const mails = smtp.mails.filter(({ to, event }) => to === maria.email && event === "password-reset");
      expect(mails).toHaveLength(state === "sent" ? 1 : 0);
      expect((await db.message.findUniqueOrThrow({ where: { id } })).secretPath).toBeNull();
      expect((await press(given, CHOSEN)).headers.location).toBe("/dashboard");
    },
  );
});

describe("sign-in methods and links that an attacker added", () => {
  test.each(ways)(
    "end with %s: passkey, authenticator app, recovery codes, calendar link, pending address change",
    async (_, takeBack) => {
      const { device } = await addPasskey(attackerClient);
      const feed = new URL(String((await attackerClient.post("/api/calendar-feed", {})).json.url)).pathname;
      const { secret } = await turnOnSecondFactor(attackerClient, maria.password);
      await attackerClient.form("/change-email", { email: `another.${attackerEmail}` });
      await attackerClient.form("/confirm-identity?redirectTo=%2Fchange-email", { code: codeOf(secret, 1) });
      const path = await takeBack();
      expect((await press(path, CHOSEN)).headers.location).toBe("/dashboard");
      expect((await signIn(maria.email, CHOSEN.newPassword)).status).toBe(200);
      expect((await signInWithPasskey(visitor(), device)).status).toBe(401);
      expect((await visitor().get(feed)).status).toBe(404);
      const left = { where: { userId: maria.id } };
      expect([
        await db.recoveryCode.count(left),
        await db.secondFactor.count(left),
        await db.emailConfirmation.count(left),
      ]).toEqual([0, 0, 0]);
    },
  );

  test.each(ways)("an authenticator app more than a week old is still required after %s", async (_, takeBack) => {
    await turnOnSecondFactor(attackerClient, maria.password);
    const confirmedAt = new Date(Date.now() - 7 * DAY - 60_000);
    await db.secondFactor.update({ where: { userId: maria.id }, data: { confirmedAt } });
    expect((await press(await takeBack(), CHOSEN)).headers.location).toBe("/login?changed");
    expect((await signIn(maria.email, CHOSEN.newPassword)).json.secondFactor).toBe(true);
  });

  test("a reset by a never-confirmed address removes an authenticator app of any age and signs the attacker out", async () => {
    await db.user.update({ where: { id: maria.id }, data: { emailConfirmedAt: null } });
    await turnOnSecondFactor(attackerClient, maria.password);
    const confirmedAt = new Date(Date.now() - 20 * DAY);
    await db.secondFactor.update({ where: { userId: maria.id }, data: { confirmedAt } });
    expect((await press(await resetMail(), CHOSEN)).headers.location).toBe("/dashboard");
    expect((await signIn(maria.email, CHOSEN.newPassword)).status).toBe(200);
    expect((await attackerClient.get("/api/auth/me")).status).toBe(401);
  });
});
