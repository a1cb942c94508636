// Proves that an account's address changes only with the link mailed to the new one, that the earlier address is
// notified and can undo the change, and that nobody learns from it which addresses have accounts.
import { afterAll, describe, expect, test } from "vitest";
import { sortedStatuses, TEST_NOW } from "../support/bookings.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { type Family, signInAs } from "../support/people.ts";
import { startSmtpServer } from "../support/servers/smtp-server.ts";
import { zipEntries } from "../support/zip-entries.ts";
import { adminPassword } from "../support/test-environment.ts";

const smtp = await startSmtpServer();
Object.assign(environmentOverrides, { SMTP_URL: smtp.url });
const { adminEmail, consultant, db, family, origin, setTestClock, testing, visitor } =
  await import("../support/site.ts");
await testing.stopJobs(); // mail is delivered where a test asks for it

const PATH = "/change-email";
const NEW_PASSWORD = "three rivers and a bridge";
let time = TEST_NOW;
setTestClock(() => time);
const pass = (milliseconds: number) => (time = new Date(time.getTime() + milliseconds));
let addresses = 0;
const newAddress = () => `new.${(addresses += 1)}.${process.pid}@example.org`;

afterAll(() => smtp.stop());

async function received(to?: string) {
  await testing.drainResetLinkQueue();
  await testing.deliverDueMessages();
  return smtp.mails.splice(0).filter((mail) => to === undefined || mail.to === to);
}

const linkIn = (mail?: { text: string }) => new URL(/http:\S+/.exec(mail?.text ?? "")?.[0] ?? "", origin).pathname;
const tokenOf = (path: string) => path.split("/").at(-1) ?? "";
const emailOf = async ({ id }: { id: number }) => (await db.user.findUniqueOrThrow({ where: { id } })).email;

/** A family whose address is confirmed. */
async function confirmedFamily(options: Parameters<typeof family>[0] = {}) {
  const person = await family(options);
  await db.user.update({ where: { id: person.id }, data: { emailConfirmedAt: time } });
  await received();
  return person;
}

/** Asks for another address and returns the path of the link that was mailed there. */
async function ask(person: TestClient, email: string) {
  await confirmIdentity(person);
  const response = await person.form(PATH, { email });
  expect([response.status, response.headers.location]).toEqual([302, `${PATH}?sent`]);
  const mails = (await received(email.trim().toLowerCase())).filter(({ event }) => event === "email-change-requested");
  return linkIn(mails.at(-1));
}

async function change(person: Family, email = newAddress()) {
  const link = await ask(person, email);
  expect((await person.form(link, {})).status).toBe(302);
  return email;
}

/** The link that takes a change back, from the mail to the earlier address. */
async function undoLink(person: Family) {
  const [mail] = (await received(person.email)).filter(({ event }) => event === "email-changed");
  return linkIn(mail);
}

describe("a new address", () => {
  test("takes effect when the emailed link's button is pressed in the account's own session, and only once", async () => {
    const maria = await confirmedFamily({ firstName: "Maria" });
    const email = newAddress();
    const link = await ask(maria, ` ${email.toUpperCase()} `);
    expect(await emailOf(maria)).toBe(maria.email);
    const page = await maria.get(PATH);
    expect(page.visibleText).toContain(`Please open the link that we emailed to ${email}`);
    expect(page.text).not.toContain(tokenOf(link));
    for (const client of [visitor(), maria]) expect((await client.get(link)).status).toBe(200);
    const other = await (await family()).form(link, {});
    expect([other.status, (await visitor().form(link, {})).headers.location]).toEqual([
      409,
      `/login?redirectTo=${encodeURIComponent(link)}`,
    ]);
    expect(await emailOf(maria)).toBe(maria.email);
    const done = await maria.form(link, {});
    expect([done.status, done.headers.location]).toEqual([302, "/dashboard"]);
    const row = await db.user.findUniqueOrThrow({ where: { id: maria.id } });
    expect([row.email, row.emailConfirmedAt]).toEqual([email, time]);
    expect((await maria.form(link, {})).status).toBe(410);
    await received();
    const again = maria.clone();
    const response = await again.post("/api/auth/login", { email, password: maria.password });
    expect(response.status).toBe(200);
    expect((await received()).map(({ event }) => event)).toEqual([]);
    expect((await visitor().post("/api/auth/login", { email: maria.email, password: maria.password })).status).toBe(
      401,
    );
  });

  test("is confirmed after signing in with the old address, which the sign-in page shows only masked", async () => {
    const maria = await confirmedFamily({ email: `maria.${process.pid}@example.net` });
    const email = newAddress();
    const link = await ask(maria, email);
    expect((await visitor().get(link)).visibleText).toContain("We ask you to sign in with your old address first.");
    const phone = visitor();
    const login = (await phone.form(link, {})).headers.location ?? "";
    const words = "Sign in with your old address, m…@example.net, to confirm the new one.";
    const page = await phone.get(login);
    expect([page.visibleText.includes(words), page.text.includes("maria.")]).toEqual([true, false]);
    const refused = await phone.form(login, { email, password: maria.password });
    expect([refused.status, refused.visibleText.includes(words)]).toEqual([401, true]);
    const signedIn = await phone.form(login, { email: maria.email, password: maria.password });
    expect([signedIn.status, signedIn.headers.location]).toEqual([302, link]);
    expect((await phone.form(link, {})).headers.location).toBe("/dashboard");
    expect(await emailOf(maria)).toBe(email);
    expect((await visitor().get(login)).visibleText).not.toContain("old address");
    expect((await visitor().get("/login?redirectTo=/confirm-email/made-up")).visibleText).not.toContain("old address");
  });

  test("ends other sessions and password links; the earlier address gets an email that doesn't name the new one", async () => {
    const maria = await confirmedFamily({ firstName: "Maria" });
    const phone = await signInAs(origin, maria.email, maria.password);
    await received();
    await visitor().post("/api/auth/forgot-password", { email: maria.email });
    const reset = linkIn((await received(maria.email))[0]);
    const email = newAddress();
    const link = await ask(maria, email);
    expect((await maria.form(link, {})).status).toBe(302);
    expect([(await maria.get("/api/auth/me")).json.email, (await phone.get("/api/auth/me")).status]).toEqual([
      email,
      401,
    ]);
    expect((await visitor().get(reset)).status).toBe(410);
    const mails = await received();
    expect(mails.map(({ event, to }) => [event, to])).toEqual([["email-changed", maria.email]]);
    expect(mails[0]?.text).toContain("Hello Maria,");
    expect(mails[0]?.text + (mails[0]?.html ?? "")).not.toContain(email);
  });

  test("can be confirmed within one hour, through the API too, and only with the latest link", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const [first, second] = [await ask(maria, newAddress()), await ask(maria, newAddress())];
    const late = await ask(devon, newAddress());
    expect((await maria.form(first, {})).status).toBe(410);
    pass(3_599_000);
    expect((await maria.post("/api/auth/confirm-email", { token: tokenOf(second) })).status).toBe(200);
    expect([(await emailOf(maria)) === maria.email, (await maria.get("/api/auth/me")).status]).toEqual([false, 200]);
    pass(1_000);
    expect((await devon.post("/api/auth/confirm-email", { token: tokenOf(late) })).status).toBe(410);
    expect(await emailOf(devon)).toBe(devon.email);
  });

  test("can't be confirmed by a visitor with the link (401) or from another account (409)", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const email = newAddress();
    const link = await ask(maria, email);
    const token = tokenOf(link);
    for (const [who, status] of [
      [visitor(), 401],
      [devon, 409],
      [await consultant(), 409],
    ] as const)
      expect([(await who.post("/api/auth/confirm-email", { token })).status, await emailOf(maria)]).toEqual([
        status,
        maria.email,
      ]);
    expect((await devon.form(link, {})).status).toBe(409);
    expect((await visitor().form(link, {})).headers.location).toBe(`/login?redirectTo=${encodeURIComponent(link)}`);
    expect((await maria.get("/api/auth/me")).status).toBe(200);
    expect((await maria.post("/api/auth/confirm-email", { token })).status).toBe(200);
    expect(await emailOf(maria)).toBe(email);
  });

  test("gets 422 if it is invalid, too long, or the account's current address", async () => {
    const maria = await confirmedFamily();
    await confirmIdentity(maria);
    for (const email of [
      "",
      "not an address",
      maria.email,
      ` ${maria.email.toUpperCase()} `,
      `a@b.${"c".repeat(300)}`,
    ]) {
      const response = await maria.form(PATH, { email });
      expect([email, response.status, response.document.title.startsWith("Error: ")]).toEqual([email, 422, true]);
    }
    expect(await db.emailConfirmation.count({ where: { userId: maria.id, isChange: true } })).toBe(0);
  });

  test("requires the password again, however recent the sign-in was", async () => {
    const maria = await confirmedFamily();
    const asked = await maria.form(PATH, { email: newAddress() });
    expect(asked.headers.location).toBe(`/confirm-identity?redirectTo=${encodeURIComponent(PATH)}`);
    expect((await maria.form(asked.headers.location ?? "", { password: maria.password })).headers.location).toBe(PATH);
    await change(maria);
  });

  test("adds all earlier consultation requests from that address to the account, even 451", async () => {
    const email = newAddress();
    const request = { firstName: "M", lastName: "A", serviceNeeds: "Help", urgency: "routine", consent: true, email };
    const { json } = await visitor().post("/api/consultation-requests", request);
    await db.consultationRequest.createMany({ data: Array.from({ length: 450 }, () => request) });
    const maria = await confirmedFamily();
    await change(maria, email);
    expect((await db.consultationRequest.findUnique({ where: { id: json.id } }))?.userId).toBe(maria.id);
    expect(await db.consultationRequest.count({ where: { userId: maria.id } })).toBe(451);
  });

  test("leaves a request that another account sent with that address in its own account", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const email = newAddress();
    const request = { firstName: "D", lastName: "A", serviceNeeds: "Help", urgency: "routine", consent: true, email };
    const { json } = await devon.post("/api/consultation-requests", request);
    await change(maria, email);
    expect((await db.consultationRequest.findUniqueOrThrow({ where: { id: json.id } })).userId).toBe(devon.id);
  });

  test("is in the audit log and the data export, which has the earlier address once the change is confirmed", async () => {
    const maria = await confirmedFamily();
    const copy = async () => {
      const entries = zipEntries(await maria.get("/api/me/export"));
      const { account } = JSON.parse(entries["data.json"]?.toString("utf8") ?? "null");
      return { account, page: entries["index.html"]?.toString("utf8") ?? "" };
    };
    const email = newAddress();
    const link = await ask(maria, email);
    const pending = await copy();
    expect(pending.account).toMatchObject({ email: maria.email, emailToConfirm: email, earlierEmails: [] });
    expect(pending.page).toContain(email);
    await maria.form(link, {});
    const changed = await copy();
    expect(changed.account).toMatchObject({
      emailToConfirm: null,
      earlierEmails: [{ oldEmail: maria.email, changedAt: time.toISOString() }],
    });
    expect(changed.page).toContain(maria.email);
    const actions = await db.auditEntry.findMany({ where: { familyId: maria.id }, orderBy: { sequence: "asc" } });
    expect(actions.map(({ action }) => action).filter((name) => name.startsWith("email-"))).toEqual([
      "email-change-asked",
      "email-changed",
    ]);
    pass(7 * 86_400_000);
    await testing.deleteExpiredRows();
    const kept = await db.emailChange.findFirstOrThrow({ where: { userId: maria.id } });
    expect([kept.oldEmail, kept.undoTokenHash]).toEqual([maria.email, null]);
  });
});

describe("an address that another account has or claims", () => {
  test("gets the same response and email as a free one; only confirming the link says that it is taken (409)", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const responses = [];
    for (const email of [newAddress(), devon.email, adminEmail]) {
      const asker = await confirmedFamily({ firstName: "Ana" });
      await confirmIdentity(asker);
      const response = await asker.form(PATH, { email });
      const page = await asker.follow(response);
      const [mail] = await received(email);
      const text = page.document.querySelector("main")?.textContent ?? "";
      responses.push([response.status, text.replaceAll(email, "X").replaceAll(asker.email, "Y"), mail?.event]);
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[2]).toEqual(responses[0]);
    const link = await ask(maria, devon.email);
    const refused = await maria.form(link, {});
    expect([refused.status, refused.visibleText.includes("Another account now uses this email address.")]).toEqual([
      409,
      true,
    ]);
    expect([await emailOf(maria), (await maria.form(link, {})).status]).toEqual([maria.email, 410]);
  });

  test("and registered after the link was sent gets 409 at confirmation", async () => {
    const maria = await confirmedFamily();
    const email = newAddress();
    const link = await ask(maria, email);
    await family({ email });
    expect((await maria.form(link, {})).status).toBe(409);
    expect(await emailOf(maria)).toBe(maria.email);
  });

  test("goes to only one account when two confirm it, or one confirms and one registers it, concurrently", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const email = newAddress();
    const links = [await ask(maria, email), await ask(devon, email)];
    const answers = await Promise.all([maria, devon].map((person, index) => person.form(links[index] ?? "", {})));
    expect(sortedStatuses(answers)).toEqual([302, 409]);
    const grace = await confirmedFamily();
    const raced = newAddress();
    const link = await ask(grace, raced);
    const fields = { firstName: "A", lastName: "B", email: raced, password: NEW_PASSWORD };
    const [confirmed, registered] = await Promise.all([
      grace.form(link, {}),
      visitor().post("/api/auth/register", fields),
    ]);
    expect([
      [302, 409],
      [409, 201],
    ]).toContainEqual([confirmed.status, registered.status]);
    expect(await db.user.count({ where: { email: raced } })).toBe(1);
  });

  test("stays reserved for seven days after the account gave it up: others get 409", async () => {
    const maria = await confirmedFamily();
    await change(maria);
    const fields = { firstName: "A", lastName: "B", email: maria.email, password: NEW_PASSWORD };
    expect((await visitor().post("/api/auth/register", fields)).status).toBe(409);
    const devon = await confirmedFamily();
    expect((await devon.form(await ask(devon, maria.email), {})).status).toBe(409);
    pass(7 * 86_400_000);
    expect((await visitor().post("/api/auth/register", fields)).status).toBe(201);
  });
});

describe("a pending address change", () => {
  test("ends when the password is changed or reset", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const links = [await ask(maria, newAddress()), await ask(devon, newAddress())];
    const passwords = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    await maria.post("/api/auth/change-password", { currentPassword: maria.password, ...passwords });
    await visitor().post("/api/auth/forgot-password", { email: devon.email });
    const token = tokenOf(linkIn((await received(devon.email))[0]));
    expect((await visitor().post("/api/auth/reset-password", { token, ...passwords })).status).toBe(200);
    for (const link of links)
      expect((await visitor().post("/api/auth/confirm-email", { token: tokenOf(link) })).status).toBe(410);
    expect([await emailOf(maria), await emailOf(devon)]).toEqual([maria.email, devon.email]);
  });

  test("and a concurrent password reset: exactly one of them succeeds, the other gets 410", async () => {
    const maria = await confirmedFamily();
    const email = newAddress();
    const link = await ask(maria, email);
    await visitor().post("/api/auth/forgot-password", { email: maria.email });
    const token = tokenOf(linkIn((await received(maria.email))[0]));
    const [changed, reset] = await Promise.all([
      maria.post("/api/auth/confirm-email", { token: tokenOf(link) }),
      visitor().post("/api/auth/reset-password", { token, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }),
    ]);
    expect([
      [200, 410, email],
      [410, 200, maria.email],
    ]).toContainEqual([changed.status, reset.status, await emailOf(maria)]);
  });
});

describe("the undo link sent to the earlier address", () => {
  test("restores that address, even after a second change and a new password, and ends all sessions", async () => {
    const maria = await confirmedFamily();
    await change(maria);
    const link = await undoLink(maria);
    const second = await change(maria);
    const passwords = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
    await maria.post("/api/auth/change-password", { currentPassword: maria.password, ...passwords });
    await received();
    for (const client of [visitor(), maria]) expect((await client.get(link)).visibleText).toContain(maria.email);
    const undone = await visitor().form(link, {});
    expect([undone.status, undone.headers.location]).toEqual([
      302,
      expect.stringMatching(/^\/reset-password\/[\w-]{43}$/),
    ]);
    expect([await emailOf(maria), (await maria.get("/api/auth/me")).status]).toEqual([maria.email, 401]);
    expect((await received()).map(({ event, to }) => [event, to])).toEqual([["email-changed", second]]);
    const chosen = { newPassword: "a longer walk home", confirmPassword: "a longer walk home" };
    expect((await visitor().form(undone.headers.location ?? "", chosen)).headers.location).toBe("/dashboard");
    await signInAs(origin, maria.email, chosen.newPassword);
    expect((await visitor().form(link, {})).status).toBe(410);
    expect(await db.emailChange.count({ where: { userId: maria.id } })).toBe(0);
  });

  test("removes recently added passkeys, calendar links and authenticator apps, but not older ones", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    const addPasskey = (userId: number, createdAt: Date) =>
      db.passkey.create({
        data: { userId, name: "Phone", credentialId: `${userId} ${createdAt.getTime()}`, publicKey: "-", createdAt },
      });
    const passkeys = async (userId: number) => (await db.passkey.findMany({ where: { userId } })).map((key) => key.id);
    await addPasskey(maria.id, time);
    const feed = await maria.post("/api/calendar-feed", {});
    const links = [];
    for (const person of [maria, devon]) {
      await change(person);
      links.push(await undoLink(person));
    }
    await db.secondFactor.create({
      data: { userId: devon.id, secret: "-", confirmedAt: new Date(time.getTime() - 7 * 86_400_000 - 1) },
    });
    await db.secondFactor.create({ data: { userId: maria.id, secret: "-", confirmedAt: time } });
    const calendar = new URL(String(feed.json.url)).pathname;
    expect((await visitor().get(calendar)).status).toBe(200);
    for (const link of links) expect((await visitor().form(link, {})).status).toBe(302);
    expect([await passkeys(maria.id), (await visitor().get(calendar)).status]).toEqual([[], 404]);
    const where = { userId: { in: [maria.id, devon.id] } };
    expect((await db.secondFactor.findMany({ where })).map(({ userId }) => userId)).toEqual([devon.id]);

    const admin = await consultant();
    await confirmIdentity(admin);
    const { id, password } = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
    await received();
    const own = await addPasskey(id, new Date(time.getTime() - 31 * 86_400_000));
    // A thief who waits before changing the address.
    await addPasskey(id, new Date(time.getTime() - 2 * 86_400_000));
    await addPasskey(id, time);
    expect((await admin.form(await ask(admin, newAddress()), {})).status).toBe(302);
    const undo = linkIn((await received(adminEmail)).find(({ event }) => event === "email-changed"));
    expect((await visitor().form(undo, {})).status).toBe(302);
    expect([await emailOf({ id }), await passkeys(id)]).toEqual([adminEmail, [own.id]]);
    await db.passkey.deleteMany({ where: { userId: id } });
    await db.user.update({ where: { id }, data: { password } });
  });

  test("six days later removes what was added in the week before the change", async () => {
    const maria = await confirmedFamily();
    await change(maria);
    const link = await undoLink(maria);
    const confirmedAt = new Date(time.getTime() - 5 * 86_400_000);
    await db.secondFactor.create({ data: { userId: maria.id, secret: "-", confirmedAt } });
    pass(6 * 86_400_000);
    expect((await visitor().form(link, {})).status).toBe(302);
    expect(await db.secondFactor.count({ where: { userId: maria.id } })).toBe(0);
  });

  test("works once, within seven days; a used, expired or made-up link gets 410", async () => {
    const [maria, devon] = [await confirmedFamily(), await confirmedFamily()];
    await change(maria);
    const twice = await undoLink(maria);
    const answers = await Promise.all([1, 2].map(() => visitor().form(twice, {})));
    expect(sortedStatuses(answers)).toEqual([302, 410]);
    const email = await change(devon);
    const link = await undoLink(devon);
    pass(7 * 86_400_000);
    for (const path of [link, "/undo-email-change/made-up"]) {
      expect((await visitor().get(path)).status).toBe(410);
      expect((await visitor().form(path, {})).status).toBe(410);
    }
    expect(await emailOf(devon)).toBe(email);
  });

  test("is left out of the email if that address was never confirmed", async () => {
    const maria = await family({ firstName: "Buy cheap watches" });
    await received();
    await change(maria);
    const [mail] = await received(maria.email);
    expect([mail?.event, mail?.text.includes("please call us"), /undo-|watches/.test(mail?.text ?? "")]).toEqual([
      "email-changed",
      true,
      false,
    ]);
    expect(await db.emailChange.count({ where: { userId: maria.id } })).toBe(0);
  });
});

describe("the consultant's address", () => {
  test("can be changed; a later start creates no second account, and nobody can register with ADMIN_EMAIL", async () => {
    const admin = await consultant();
    const { id } = await db.user.findUniqueOrThrow({ where: { email: adminEmail } });
    const email = newAddress();
    await received();
    expect((await admin.form(await ask(admin, email), {})).status).toBe(302);
    const undo = linkIn((await received(adminEmail)).find(({ event }) => event === "email-changed"));
    pass(8 * 86_400_000);
    await testing.deleteExpiredRows();
    expect(await testing.ensureAdministrator()).toContain(`Sign in as the administrator with ${email}`);
    expect(await db.user.count({ where: { isAdmin: true } })).toBe(1);
    const fields = { firstName: "A", lastName: "B", email: adminEmail, password: NEW_PASSWORD };
    expect((await visitor().post("/api/auth/register", fields)).status).toBe(409);
    expect((await visitor().form(undo, {})).status).toBe(410);
    await db.session.deleteMany({ where: { userId: id } });
    const again = await signInAs(origin, email, adminPassword);
    expect((await again.form(await ask(again, adminEmail), {})).status).toBe(302);
    expect(await emailOf({ id })).toBe(adminEmail);
  });
});
