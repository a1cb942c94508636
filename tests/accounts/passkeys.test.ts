// Proves how passkeys are added, removed, and used to sign in and confirm identity, and that they can't be bypassed.
import { afterEach, describe, expect, test } from "vitest";
import { turnOnSecondFactor } from "../support/authenticator-app.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { TestClient } from "../support/http-client.ts";
import { addPasskey, requestOptions, signInWithPasskey } from "../support/passkeys.ts";
import { signInAs } from "../support/people.ts";
import { SoftwareAuthenticator } from "../support/software-authenticator.ts";

environmentOverrides.RATE_LIMITS = "on";
const { adminEmail, adminPassword, consultant, db, family, origin, setTestClock, testing, visitor } =
  await import("../support/site.ts");

const MINUTE = 60_000;
const PAGE = "/passkeys";
const LOGIN = "/api/auth/passkey-login";
const CONFIRM = "/confirm-identity";
const CONFIRM_FOR_PAGE = `${CONFIRM}?redirectTo=%2Fpasskeys`;
const NOT_ACCEPTED = "That passkey did not work. Try again, or sign in with your password.";

/** The clock is this late from now on. */
const later = (minutes: number) => setTestClock(() => new Date(Date.now() + minutes * MINUTE));
let addresses = 1;
/** Somebody on a network of its own, so that the wrong tries of other tests don't count. */
function stranger(): TestClient {
  const client = visitor();
  client.ip = `127.0.4.${(addresses += 1)}`;
  return client;
}
async function familyWithPasskey(options = {}) {
  const own = await family();
  return { own, ...(await addPasskey(own, options)) };
}
const idOf = async (client: TestClient) => (await client.get("/api/auth/me")).json.id as number | undefined;
const actionsOf = async (objectId: number) =>
  (await db.auditEntry.findMany({ where: { objectId }, orderBy: { sequence: "asc" } })).map(({ action }) => action);

afterEach(() => setTestClock(null));

describe("a passkey", () => {
  test("is added with a name, listed, and signs in without a password; the owner gets a message about both", async () => {
    const { own, device, id } = await familyWithPasskey({ name: "Mom’s phone" });
    const listed = await own.get("/api/auth/passkeys");
    expect(listed.json).toEqual([{ id, name: "Mom’s phone", createdAt: expect.any(String), lastUsedAt: null }]);
    const client = stranger();
    const signedIn = await signInWithPasskey(client, device);
    expect([signedIn.status, signedIn.json.id, signedIn.json.password]).toEqual([200, own.id, undefined]);
    expect(await idOf(client)).toBe(own.id);
    expect((await own.get("/api/auth/passkeys")).json[0].lastUsedAt).not.toBeNull();
    const events = (await db.message.findMany({ where: { userId: own.id } })).map(({ event }) => event);
    expect(events.toSorted()).toEqual(["account-changed", "new-device"]);
    expect(await actionsOf(own.id)).toEqual(["signed-in", "passkey-added", "signed-in"]);
    const page = await own.get(PAGE);
    expect(page.visibleText).toContain("Mom’s phoneAdded");
    expect((await own.get("/dashboard/settings")).document.querySelector(`a[href="${PAGE}"]`)).not.toBeNull();
  });

  test("gets 401 and no session when it is removed during the sign-in", async () => {
    const { own, device, id } = await familyWithPasskey();
    const client = stranger();
    // A job's transaction would be taken for that of the sign-in.
    await testing.stopJobs();
    beforeNextTransaction(db, () => own.delete(`/api/auth/passkeys/${id}`));
    const response = await signInWithPasskey(client, device);
    expect([response.status, await idOf(client)]).toEqual([401, undefined]);
    expect(await db.passkey.count({ where: { userId: own.id } })).toBe(0);
    expect(await db.session.count({ where: { userId: own.id } })).toBe(1);
  });

  test("signs out the owner's other devices when added or removed; the current one stays signed in", async () => {
    const own = await family();
    const signIn = async () => signInAs(origin, own.email, own.password);
    const early = await signIn();
    const { id } = await addPasskey(own);
    expect([await idOf(early), await idOf(own)]).toEqual([undefined, own.id]);
    const lost = await signIn();
    expect((await lost.delete("/api/auth/passkeys/0")).status).toBe(404);
    expect([await idOf(lost), await idOf(own)]).toEqual([own.id, own.id]);
    const page = await own.follow(await own.form(PAGE, { step: "remove", id: String(id) }));
    expect(page.visibleText).toContain("Your other devices are signed out.");
    expect([await idOf(lost), await idOf(own)]).toEqual([undefined, own.id]);
  });

  test("is stored with its name encrypted", async () => {
    const { own } = await familyWithPasskey({ name: "Grandmother" });
    const [row] = await db.$queryRaw<{ name: string }[]>`SELECT "name" FROM "passkeys" WHERE "userId" = ${own.id}`;
    expect(row?.name).toMatch(/^sealed:1:/);
  });

  test("can be added, used, used on a shared device, and removed with the page forms", async () => {
    const own = await family();
    const device = new SoftwareAuthenticator(origin);
    const options = (await own.post("/api/auth/passkeys/options", {})).json;
    const added = await own.form(PAGE, { step: "add", name: "Tablet", credential: device.create(options) });
    expect([added.status, (await own.follow(added)).visibleText]).toEqual([
      302,
      expect.stringContaining("Passkey Added"),
    ]);
    const client = stranger();
    const credential = device.get(await requestOptions(client));
    const signedIn = await client.form("/login/passkey?redirectTo=%2Fdocuments", { credential, sharedDevice: "" });
    expect([signedIn.status, signedIn.headers.location]).toEqual([302, "/documents"]);
    const shared = stranger();
    const again = device.get(await requestOptions(shared));
    const response = await shared.form("/login/passkey", { credential: again, sharedDevice: "on" });
    const session = response.headers["set-cookie"]?.find((value) => value.startsWith("session="));
    expect([session?.includes("Max-Age"), shared.cookies.has("known-device")]).toEqual([false, false]);
    const form = (await visitor().get("/login")).document.querySelector("form[data-passkey-form=use]");
    expect([form?.hasAttribute("hidden"), form?.getAttribute("action")]).toEqual([true, "/login/passkey"]);
    const { id } = await db.passkey.findFirstOrThrow({ where: { userId: own.id } });
    const removed = await own.form(PAGE, { step: "remove", id: String(id) });
    const page = await own.follow(removed);
    expect([page.visibleText.includes("Passkey Removed"), page.visibleText.includes("no passkeys yet")]).toEqual([
      true,
      true,
    ]);
  });

  test("without a signature counter can sign in repeatedly", async () => {
    const { own, device } = await familyWithPasskey({ countsUses: false });
    for (let times = 0; times < 2; times += 1)
      expect((await signInWithPasskey(stranger(), device)).json.id).toBe(own.id);
  });

  test("can't be added twice, as the eleventh, without a name, or with an invalid credential", async () => {
    const own = await family();
    const first = await addPasskey(own);
    const ask = async () => (await own.post("/api/auth/passkeys/options", {})).json;
    const offered = await ask();
    expect(offered.excludeCredentials).toMatchObject([{ id: first.device.credentialId, type: "public-key" }]);
    expect(offered.authenticatorSelection).toMatchObject({ residentKey: "required", userVerification: "required" });
    const device = new SoftwareAuthenticator(origin);
    const credential = device.create(await ask());
    const add = (fields: object) => own.post("/api/auth/passkeys", fields);
    expect((await add({ name: " ", credential })).json.errors).toHaveProperty("name");
    for (const bad of [undefined, "", "null", "{}", "[1]", "{".repeat(13_000), JSON.stringify({ id: "é" }), 7])
      expect([String(bad).slice(0, 20), (await add({ name: "Phone", credential: bad })).status]).toEqual([
        String(bad).slice(0, 20),
        422,
      ]);
    expect((await add({ name: "Phone", credential })).status).toBe(201);
    expect((await add({ name: "Phone", credential })).status).toBe(422);
    const taken = new SoftwareAuthenticator(origin).create(await ask(), { id: device.credentialId });
    expect((await add({ name: "Phone", credential: taken })).status).toBe(409);
    for (const [claim, value] of Object.entries({
      origin: "https://evil.example",
      rpId: "evil",
      userVerified: false,
    })) {
      const forged = new SoftwareAuthenticator(origin).create(await ask(), { [claim]: value });
      expect([claim, (await add({ name: "Phone", credential: forged })).status]).toEqual([claim, 422]);
    }
    for (let count = 2; count < 10; count += 1) await addPasskey(own);
    expect((await own.post("/api/auth/passkeys/options", {})).status).toBe(409);
    expect((await own.get(PAGE)).visibleText).toContain("There can be no more than ten.");
    expect(await db.passkey.count({ where: { userId: own.id } })).toBe(10);
  });

  test("can be added or removed only by its owner, within ten minutes of entering the password", async () => {
    const { own, id } = await familyWithPasskey();
    const other = await family();
    expect((await other.delete(`/api/auth/passkeys/${id}`)).status).toBe(404);
    expect((await other.form(PAGE, { step: "remove", id: String(id) })).status).toBe(404);
    const waiting = new SoftwareAuthenticator(origin).create((await own.post("/api/auth/passkeys/options", {})).json);
    later(10);
    expect((await own.delete(`/api/auth/passkeys/${id}`)).status).toBe(403);
    expect((await own.post("/api/auth/passkeys/options", {})).status).toBe(403);
    expect((await own.post("/api/auth/passkeys", { name: "New", credential: waiting })).status).toBe(403);
    const forms: Record<string, string>[] = [
      { step: "remove", id: String(id) },
      { step: "add", name: "New", credential: waiting },
    ];
    for (const fields of forms) expect((await own.form(PAGE, fields)).headers.location).toBe(CONFIRM_FOR_PAGE);
    const page = await own.get(PAGE);
    expect([page.document.querySelectorAll("main form").length, page.visibleText]).toEqual([
      0,
      expect.stringContaining("Confirm it’s you"),
    ]);
    expect(await db.passkey.count({ where: { userId: own.id } })).toBe(1);
    await own.form(CONFIRM_FOR_PAGE, { password: own.password });
    expect((await own.delete(`/api/auth/passkeys/${id}`)).status).toBe(200);
    expect((await stranger().get(PAGE)).headers.location).toBe("/login?redirectTo=%2Fpasskeys");
  });

  test("confirms the identity of its owner and of nobody else", async () => {
    const { own, device } = await familyWithPasskey();
    const stolen = await familyWithPasskey();
    later(11);
    expect((await own.get(CONFIRM_FOR_PAGE)).document.querySelector("form[data-passkey-form=use]")).not.toBeNull();
    const offered = (await requestOptions(own)) as { allowCredentials?: { id: string }[] };
    expect(offered.allowCredentials).toMatchObject([{ id: device.credentialId }]);
    const answer = async (by: SoftwareAuthenticator) =>
      own.form(CONFIRM_FOR_PAGE, { credential: by.get(await requestOptions(own)) });
    expect((await answer(stolen.device)).status).toBe(422);
    expect((await own.get("/everything-about-us.zip")).status).toBe(302);
    expect((await own.form(CONFIRM_FOR_PAGE, { credential: "" })).status).toBe(422);
    expect((await answer(device)).headers.location).toBe(PAGE);
    expect((await own.get("/everything-about-us.zip")).status).toBe(200);
  });
});

describe("passkey sign-in", () => {
  type Attempt = (client: TestClient, device: SoftwareAuthenticator) => Promise<string>;
  const claiming =
    (claims: Parameters<SoftwareAuthenticator["get"]>[1]): Attempt =>
    async (client, device) =>
      device.get(await requestOptions(client), claims);
  const ATTEMPTS: [string, Attempt][] = [
    ["an assertion for another origin", claiming({ origin: "https://evil.example" })],
    [
      "an assertion for another hostname of the same machine",
      claiming({ origin: origin.replace("localhost", "127.0.0.1") }),
    ],
    ["an assertion for another relying party ID", claiming({ rpId: "evil.example" })],
    ["an assertion without user verification", claiming({ userVerified: false })],
    ["an assertion of the type webauthn.create", claiming({ type: "webauthn.create" })],
    [
      "a challenge chosen by the attacker",
      async (_, device) => device.get({ challenge: "A".repeat(43), rpId: "localhost" }),
    ],
    [
      "a challenge that was issued to another browser",
      async (client, device) => {
        await requestOptions(client);
        return device.get(await requestOptions(stranger()));
      },
    ],
    [
      "a challenge that is five minutes old",
      async (client, device) => {
        const options = await requestOptions(client);
        later(5);
        return device.get(options);
      },
    ],
    [
      "an unsigned challenge cookie",
      async (client, device) => {
        const options = await requestOptions(client);
        const forged = { challenge: options.challenge, until: 9e15, binding: "sign-in " };
        client.cookies.set("passkey", Buffer.from(JSON.stringify(forged)).toString("base64"));
        return device.get(options);
      },
    ],
    [
      "another account's assertion with this passkey's credential ID",
      async (client, device) => {
        const attacker = await familyWithPasskey();
        const answer = attacker.device.get(await requestOptions(client));
        return answer.replaceAll(attacker.device.credentialId, device.credentialId);
      },
    ],
    [
      "an assertion with another account's user handle",
      async (client, device) => {
        const attacker = await familyWithPasskey();
        const answer = device.get(await requestOptions(client));
        return answer.replace(device.userHandle, attacker.device.userHandle);
      },
    ],
    [
      "an assertion with a changed signature",
      async (client, device) => device.get(await requestOptions(client)).replace(/"signature":"../, '"signature":"MA'),
    ],
  ];

  test.each(ATTEMPTS)("refuses %s", async (_, attempt) => {
    const { own, device } = await familyWithPasskey();
    const client = stranger();
    const credential = await attempt(client, device);
    const response = await client.post(LOGIN, { credential });
    expect([response.status, response.json]).toEqual([401, { message: NOT_ACCEPTED }]);
    expect(await idOf(client)).toBeUndefined();
    expect((await actionsOf(own.id)).at(-1)).toBe("sign-in-passkey-failed");
    const page = await client.form("/login/passkey", { credential });
    expect([page.status, page.text.includes(device.credentialId)]).toEqual([401, false]);
  });

  test("refuses an assertion that was already used, even in two concurrent requests", async () => {
    const { own, device } = await familyWithPasskey({ countsUses: false });
    const client = stranger();
    const credential = device.get(await requestOptions(client));
    const [one, other] = [client.clone(), client.clone()];
    const responses = await Promise.all([one.post(LOGIN, { credential }), other.post(LOGIN, { credential })]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await client.post(LOGIN, { credential })).status).toBe(401);
    expect(await db.session.count({ where: { userId: own.id } })).toBe(2);
  });

  test("refuses a confirmation challenge for a sign-in and a sign-in challenge for a confirmation", async () => {
    const { own, device } = await familyWithPasskey();
    const confirming = device.get(await requestOptions(own));
    const client = stranger();
    client.cookies.set("passkey", own.cookies.get("passkey") ?? "");
    expect((await client.post(LOGIN, { credential: confirming })).status).toBe(401);
    const signingIn = device.get(await requestOptions(client));
    later(11);
    own.cookies.set("passkey", client.cookies.get("passkey") ?? "");
    expect((await own.form(CONFIRM, { credential: signingIn })).status).toBe(422);
    expect((await own.get("/everything-about-us.zip")).status).toBe(302);
  });

  test("refuses a removed passkey and those of a closed account or one past its deletion date", async () => {
    const { own, device, id } = await familyWithPasskey();
    await own.delete(`/api/auth/passkeys/${id}`);
    expect((await signInWithPasskey(stranger(), device)).status).toBe(401);
    const second = await addPasskey(own);
    await db.user.update({ where: { id: own.id }, data: { closedAt: new Date() } });
    const closed = await signInWithPasskey(stranger(), second.device);
    expect([closed.status, closed.json.message]).toEqual([403, expect.stringContaining("This account is closed.")]);
    await db.user.update({
      where: { id: own.id },
      data: { closedAt: null, eraseAfter: new Date(Date.now() - MINUTE) },
    });
    expect((await signInWithPasskey(stranger(), second.device)).status).toBe(401);
  });

  test("refuses a copied authenticator by its signature counter, and adds an audit log entry", async () => {
    const { own, device } = await familyWithPasskey();
    const copy = device.copy();
    expect((await signInWithPasskey(stranger(), device)).status).toBe(200);
    expect((await signInWithPasskey(stranger(), copy)).status).toBe(401);
    expect((await actionsOf(own.id)).at(-1)).toBe("sign-in-passkey-copied");
  });

  test("refuses all passkeys from a network after ten wrong ones (429); another network is not affected", async () => {
    const { device } = await familyWithPasskey();
    const client = stranger();
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1)
      statuses.push(
        (await client.post(LOGIN, { credential: device.get(await requestOptions(client), { rpId: "evil" }) })).status,
      );
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await signInWithPasskey(client, device)).status).toBe(429);
    expect((await signInWithPasskey(stranger(), device)).status).toBe(200);
  });

  test("works after twenty wrong passwords for the account; wrong passkeys don't block the password", async () => {
    const { own, device } = await familyWithPasskey();
    for (let tries = 0; tries < 20; tries += 1) {
      const guess = { email: own.email, password: "no such password" };
      expect(
        (await Object.assign(stranger(), { ip: `127.0.5.${1 + (tries % 2)}` }).post("/api/auth/login", guess)).status,
      ).toBe(401);
    }
    const [owner, { email, password }] = [stranger(), own];
    expect((await owner.post("/api/auth/login", { email, password })).status).toBe(429);
    expect((await signInWithPasskey(owner, device)).status).toBe(200);

    const other = await familyWithPasskey();
    const wrong = stranger();
    for (let tries = 0; tries < 11; tries += 1) {
      const credential = other.device.get(await requestOptions(wrong), { rpId: "evil" });
      expect((await wrong.post(LOGIN, { credential })).status).toBe(tries < 10 ? 401 : 429);
    }
    const signedIn = await wrong.post("/api/auth/login", { email: other.own.email, password: other.own.password });
    expect(signedIn.status).toBe(200);
  });

  test("refuses a family's passkey after a password reset by link, which removes it", async () => {
    const { own, device } = await familyWithPasskey();
    const made = await (await consultant()).form("/dashboard/reset-link", { email: own.email });
    const [, token = ""] = /reset-password\/([\w-]+)/.exec(made.text) ?? [];
    const fields = { newPassword: "seven quiet herons", confirmPassword: "seven quiet herons" };
    await stranger().form(`/reset-password/${token}`, fields);
    expect((await signInWithPasskey(stranger(), device)).status).toBe(401);
    expect((await actionsOf(own.id)).includes("passkey-removed")).toBe(true);
  });
});

describe("with a second factor", () => {
  const signIn = (code?: string) =>
    stranger().post("/api/auth/login", { email: adminEmail, password: adminPassword, ...(code ? { code } : {}) });

  test("a family's passkey replaces password and code; without the passkey both are required", async () => {
    const own = await family();
    const { recoveryCodes } = await turnOnSecondFactor(own, own.password);
    const { device, recoveryCodes: furtherCodes } = await addPasskey(own);
    expect(furtherCodes).toEqual([]);
    expect((await signInWithPasskey(stranger(), device)).status).toBe(200);
    const client = stranger();
    const first = await client.form("/login", { email: own.email, password: own.password });
    const page = await client.follow(first);
    expect(page.document.querySelector("form[data-passkey-form=use]")?.getAttribute("action")).toBe("/login/passkey");
    expect((await client.form("/login/code", { code: recoveryCodes[0] ?? "" })).status).toBe(302);
    expect(await idOf(client)).toBe(own.id);
  });

  test("a passkey used after the password on a shared device sets no persistent cookie there", async () => {
    const { own, device } = await familyWithPasskey();
    await turnOnSecondFactor(own, own.password);
    const other = await familyWithPasskey();
    const signIn = async (by: SoftwareAuthenticator) => {
      const client = stranger();
      await client.form("/login", { email: own.email, password: own.password, sharedDevice: "on" });
      const credential = by.get(await requestOptions(client));
      const response = await client.form("/login/passkey", { credential, sharedDevice: "" });
      const session = response.headers["set-cookie"]?.find((value) => value.startsWith("session="));
      return [session?.includes("Max-Age"), client.cookies.has("known-device"), client.cookies.has("sign-in")];
    };
    expect(await signIn(device)).toEqual([false, false, false]);
    expect(await signIn(other.device), "of another account").toEqual([true, true, false]);
    const program = stranger();
    await program.form("/login", { email: own.email, password: own.password, sharedDevice: "on" });
    expect((await signInWithPasskey(program, device)).status).toBe(200);
    expect([program.cookies.has("known-device"), program.cookies.has("sign-in")]).toEqual([false, false]);
  });

  test("the consultant's passkey is the second factor: the password alone gets 401; a recovery code replaces it", async () => {
    const admin = await signInAs(origin, adminEmail, adminPassword);
    const { id, device, recoveryCodes } = await addPasskey(admin);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await signInWithPasskey(stranger(), device)).json.isAdmin).toBe(true);
    const alone = await signIn();
    expect([alone.status, alone.json.secondFactor]).toEqual([401, true]);
    expect((await signIn("123456")).status).toBe(401);
    const client = stranger();
    const asked = await client.form("/login", { email: adminEmail, password: adminPassword });
    expect((await client.follow(asked)).visibleText).toContain("use your passkey, or type one of your recovery codes");
    expect((await client.get("/families")).headers.location).toMatch(/^\/login/);
    expect((await client.form("/login/code", { code: recoveryCodes[0] ?? "" })).status).toBe(302);
    expect((await signIn(recoveryCodes[0])).status).toBe(401);
    later(11);
    expect((await client.form(CONFIRM, { password: adminPassword })).status).toBe(422);
    expect((await client.form(CONFIRM, { code: recoveryCodes[1] ?? "" })).status).toBe(302);
    const second = await addPasskey(client);
    expect(second.recoveryCodes).toEqual([]);
    const codes = () => db.recoveryCode.count({ where: { user: { isAdmin: true } } });
    expect((await client.delete(`/api/auth/passkeys/${id}`)).status).toBe(200);
    expect(await codes(), "two were used").toBe(8);
    expect((await client.delete(`/api/auth/passkeys/${second.id}`)).status).toBe(200);
    setTestClock(null);
    expect([(await signIn()).status, await codes()]).toEqual([200, 0]);
  });
});
