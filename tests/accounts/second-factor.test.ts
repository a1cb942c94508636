// Proves the second factor at sign-in: how it is turned on and off, and that it can't be bypassed.
import { afterEach, describe, expect, test } from "vitest";
import { codeOf, turnOnSecondFactor, wrongCodeOf } from "../support/authenticator-app.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";
import { beforeNextTransaction } from "../support/database/interleave.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";

const MINUTE = 60_000;
const PAGE = "/second-factor";

async function protectedFamily() {
  const own = await family();
  return { own, ...(await turnOnSecondFactor(own, own.password)) };
}
const signIn = ({ email, password }: Family, fields = {}) =>
  visitor().post("/api/auth/login", { email, password, ...fields });

afterEach(() => setTestClock(null));

describe("turning on the second factor", () => {
  test("requires the password, returns the secret, and takes effect after a correct code", async () => {
    const own = await family();
    const begun = await own.post("/api/auth/second-factor", { password: own.password });
    expect([begun.status, Object.keys(begun.json)]).toEqual([201, ["secret", "uri"]]);
    expect(begun.json.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(begun.json.uri).toMatch(new RegExp(`^otpauth://totp/[^?]+\\?secret=${begun.json.secret}&issuer=`));
    expect((await signIn(own)).status).toBe(200);
    const wrong = await own.post("/api/auth/second-factor/confirm", { code: wrongCodeOf(begun.json.secret) });
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["code"]]);
    const done = await own.post("/api/auth/second-factor/confirm", { code: codeOf(begun.json.secret) });
    expect(done.status).toBe(200);
    expect(new Set(done.json.recoveryCodes).size).toBe(10);
    expect((await signIn(own)).status).toBe(401);
  });

  test("is refused with a wrong password, without a setup, 16 minutes after its start, and when already on", async () => {
    const own = await family();
    const confirm = (code: string) => own.post("/api/auth/second-factor/confirm", { code });
    const wrong = await own.post("/api/auth/second-factor", { password: "not the password" });
    expect([wrong.status, wrong.json.errors]).toEqual([422, { password: ["That password isn't right."] }]);
    expect((await confirm("123456")).status).toBe(422);
    const { secret } = (await own.post("/api/auth/second-factor", { password: own.password })).json;
    setTestClock(() => new Date(Date.now() + 16 * MINUTE));
    expect((await confirm(codeOf(secret, 32))).status).toBe(422);
    setTestClock(null);
    await turnOnSecondFactor(own, own.password);
    expect((await own.post("/api/auth/second-factor", { password: own.password })).status).toBe(409);
    expect((await confirm(codeOf(secret))).status).toBe(409);
    expect((await visitor().post("/api/auth/second-factor", { password: own.password })).status).toBe(401);
  });

  test("asks the user for the password again once the setup is 15 minutes old", async () => {
    const own = await family();
    const begun = Date.now();
    const step = async (minutes: number, milliseconds = 0) => {
      setTestClock(() => new Date(begun + minutes * MINUTE + milliseconds));
      const { document } = await own.get(PAGE);
      return [document.querySelector("[name=step]")?.getAttribute("value"), document.querySelector("[name=password]")];
    };
    setTestClock(() => new Date(begun));
    await own.form(PAGE, { step: "begin", password: own.password });
    expect(await step(15, -1)).toEqual(["confirm", null]);
    expect(await step(15)).toEqual(["begin", expect.anything()]);
  });

  test("is not undone by “Start again” in a tab in which the setup was left open", async () => {
    const own = await family();
    const { secret } = (await own.post("/api/auth/second-factor", { password: own.password })).json;
    const oldTab = (await own.get(PAGE)).document.querySelector('[name=step][value="restart"]')?.closest("form");
    expect(oldTab?.textContent).toBe("Start again with a new key");
    expect((await own.post("/api/auth/second-factor/confirm", { code: codeOf(secret) })).status).toBe(200);
    expect((await own.form(PAGE, { step: "restart" })).status).toBe(302);
    expect((await own.get(PAGE)).visibleText).toContain("You have 10 recovery codes left.");
    expect([(await signIn(own)).status, (await signIn(own)).json.secondFactor]).toEqual([401, true]);
  });

  test("signs out the user's other devices, as turning off does; the current one stays signed in", async () => {
    const own = await family();
    const [early, other] = [visitor(), visitor()];
    await early.post("/api/auth/login", { email: own.email, password: own.password });
    const { secret, recoveryCodes } = await turnOnSecondFactor(own, own.password);
    const statuses = async (...clients: TestClient[]) =>
      Promise.all(clients.map(async (client) => (await client.get("/api/auth/me")).status));
    expect(await statuses(early, own)).toEqual([401, 200]);
    await other.post("/api/auth/login", { email: own.email, password: own.password, code: codeOf(secret) });
    expect(await statuses(other)).toEqual([200]);
    const fields = { step: "remove", password: own.password, code: recoveryCodes[0] ?? "" };
    expect((await own.form(PAGE, { ...fields, code: wrongCodeOf(secret) })).status).toBe(422);
    expect(await statuses(other)).toEqual([200]);
    await own.form(PAGE, fields);
    expect(await statuses(other, own)).toEqual([401, 200]);
  });

  test("refuses a concurrent sign-in with the password alone whose session had not started (401)", async () => {
    const own = await family();
    const client = visitor();
    // A job's transaction would be taken for that of the sign-in.
    await testing.stopJobs();
    beforeNextTransaction(db, () => turnOnSecondFactor(own, own.password));
    const response = await client.post("/api/auth/login", { email: own.email, password: own.password });
    expect([response.status, (await client.get("/api/auth/me")).status]).toEqual([401, 401]);
    expect(response.json.message).toBe("How this account signs in was changed just now. Please sign in again.");
    expect(await db.session.count({ where: { userId: own.id } })).toBe(1);
  });

  test("stores the secret encrypted and the recovery codes as hashes", async () => {
    const { own, secret, recoveryCodes } = await protectedFamily();
    const stored = await db.$queryRaw<
      { secret: string }[]
    >`SELECT "secret" FROM "second_factors" WHERE "userId" = ${own.id}`;
    expect(stored[0]?.secret).toMatch(/^sealed:1:/);
    const text = JSON.stringify([stored, await db.recoveryCode.findMany({ where: { userId: own.id } })]);
    for (const each of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll("-", ""))])
      expect(text).not.toContain(each);
  });

  test("works on a page without JavaScript: key, QR code, code, and the recovery codes shown once", async () => {
    const own = await family();
    const settings = await own.get("/dashboard/settings");
    expect(settings.document.querySelector(`a[href="${PAGE}"]`)).not.toBeNull();
    expect((await own.form(PAGE, { step: "begin", password: "wrong" })).status).toBe(422);
    const page = await own.form(PAGE, { step: "begin", password: own.password });
    const secret = (page.document.querySelector("code")?.textContent ?? "").replaceAll(" ", "");
    expect(page.document.querySelector("svg[role=img] path")?.getAttribute("d")?.length).toBeGreaterThan(1000);
    const wrong = await own.form(PAGE, { step: "confirm", code: wrongCodeOf(secret) });
    expect([wrong.status, wrong.text.includes(codeOf(secret))]).toEqual([422, false]);
    const done = await own.form(PAGE, { step: "confirm", code: codeOf(secret) });
    expect([done.status, done.document.querySelectorAll("main li code").length]).toEqual([200, 10]);
    expect(done.visibleText).toContain("Your other devices are signed out.");
    const later = await own.get(PAGE);
    expect(later.visibleText).toContain("You have 10 recovery codes left.");
    expect(later.document.querySelectorAll("main code")).toHaveLength(0);
  });
});

describe("an unconfirmed email address", () => {
  test("shows a warning that a password link turns the second factor off, until it is confirmed", async () => {
    const own = await family();
    const warning = "a link to choose a new password turns the second step off";
    const before = await own.get(PAGE);
    expect(before.visibleText).toContain(warning);
    expect(before.document.querySelector('[role="note"] a')?.getAttribute("href")).toBe("/messages");
    await turnOnSecondFactor(own, own.password);
    expect((await own.get(PAGE)).visibleText).toContain(warning);
    await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
    expect((await own.get(PAGE)).visibleText).not.toContain(warning);
    expect((await (await consultant()).get(PAGE)).visibleText).not.toContain(warning);
  });
});

describe("signing in with the second factor", () => {
  test("requires the code after a correct password, and accepts each code once", async () => {
    const { own, secret } = await protectedFamily();
    const asked = await signIn(own);
    expect([asked.status, asked.json]).toEqual([401, { message: expect.any(String), secondFactor: true }]);
    expect(asked.headers["set-cookie"]).toBeUndefined();
    const wrongPassword = await visitor().post("/api/auth/login", {
      email: own.email,
      password: "not the password",
      code: codeOf(secret),
    });
    expect(wrongPassword.json).toEqual({ message: "Invalid email or password." });
    expect((await signIn(own, { code: wrongCodeOf(secret) })).status).toBe(401);
    const code = codeOf(secret);
    expect([(await signIn(own, { code })).status, (await signIn(own, { code })).status]).toEqual([200, 401]);
    expect((await signIn(own, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test("accepts each recovery code once in place of an app code, in any letter case and with spaces", async () => {
    const { own, recoveryCodes } = await protectedFamily();
    const [first = "", second = ""] = recoveryCodes;
    expect((await signIn(own, { code: first.toUpperCase().replaceAll("-", " ") })).status).toBe(200);
    expect((await signIn(own, { code: first })).status).toBe(401);
    const both = await Promise.all([signIn(own, { code: second }), signIn(own, { code: second })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
    const other = await protectedFamily();
    expect((await signIn(other.own, { code: recoveryCodes[2] })).status).toBe(401);
  });

  test("is not started by another signed cookie that is sent under the name of the sign-in cookie", async () => {
    const client = visitor();
    await client.post("/api/auth/passkey-options", {});
    const other = client.cookies.get("passkey");
    expect(other).toBeDefined();
    client.cookies.set("sign-in", other ?? "");
    const responses = [await client.get("/login/code"), await client.form("/login/code", { code: "123456" })];
    expect(responses.map(({ status, headers }) => [status, headers.location])).toEqual([
      [302, "/login"],
      [302, "/login"],
    ]);
  });

  test("works on a second page without JavaScript, which never contains the password", async () => {
    const { own, secret } = await protectedFamily();
    const client = visitor();
    expect((await client.get("/login/code")).headers.location).toBe("/login");
    expect((await client.get(`/login/code?redirectTo=/documents&${"x".repeat(7_000)}`)).headers.location).toBe(
      "/login?redirectTo=%2Fdocuments",
    );
    const query = "?redirectTo=%2Fdocuments&service=Hourly+Consulting";
    const first = await client.form(`/login${query}`, { email: own.email, password: own.password });
    expect([first.status, first.headers.location]).toEqual([302, `/login/code${query}`]);
    expect((await client.get("/api/auth/me")).status).toBe(401);
    expect((await client.get("/dashboard")).status).toBe(302);
    const page = await client.follow(first);
    const startAgain = [...page.document.querySelectorAll("main a")].at(-1);
    expect([startAgain?.textContent, startAgain?.getAttribute("href")]).toEqual(["Start again", `/login${query}`]);
    expect(page.text).not.toContain(own.password);
    expect((await client.form("/login/code", { code: "" })).status).toBe(422);
    expect((await client.form("/login/code", { code: wrongCodeOf(secret) })).status).toBe(422);
    const done = await client.form("/login/code?redirectTo=%2Fdocuments", { code: codeOf(secret) });
    expect([done.status, done.headers.location]).toEqual([302, "/documents"]);
    expect((await client.get("/api/auth/me")).json.id).toBe(own.id);
    expect([...client.cookies.keys()]).not.toContain("sign-in");
  });

  test("a code is refused with a forged or expired sign-in cookie, or one from before a password change", async () => {
    const { own, secret } = await protectedFamily();
    const client = visitor();
    client.cookies.set(
      "sign-in",
      Buffer.from(JSON.stringify({ userId: own.id, until: 9e15, proof: "" })).toString("base64"),
    );
    expect((await client.form("/login/code", { code: codeOf(secret) })).headers.location).toBe("/login");
    const late = visitor();
    await late.form("/login", { email: own.email, password: own.password });
    setTestClock(() => new Date(Date.now() + 11 * MINUTE));
    expect((await late.form("/login/code", { code: codeOf(secret, 22) })).headers.location).toBe("/login");
    setTestClock(null);
    const changed = visitor();
    await changed.form("/login", { email: own.email, password: own.password });
    const newPassword = "seven quiet herons";
    await own.post("/api/auth/change-password", {
      currentPassword: own.password,
      newPassword,
      confirmPassword: newPassword,
    });
    expect((await changed.form("/login/code", { code: codeOf(secret) })).status).toBe(401);
  });

  test("a password link sets the password but doesn't bypass an app that was set up over a week ago", async () => {
    const { own } = await protectedFamily();
    await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
    const confirmedAt = new Date(Date.now() - 7 * 24 * 60 * MINUTE - MINUTE);
    await db.secondFactor.update({ where: { userId: own.id }, data: { confirmedAt } });
    const made = await (await consultant()).form("/dashboard/reset-link", { email: own.email });
    const [, token = ""] = /reset-password\/([\w-]+)/.exec(made.text) ?? [];
    const client = visitor();
    const fields = { newPassword: "seven quiet herons", confirmPassword: "seven quiet herons" };
    const response = await client.form(`/reset-password/${token}`, fields);
    expect([response.status, response.headers.location]).toEqual([302, "/login?changed"]);
    const page = await client.follow(response);
    expect(page.visibleText).toContain("Your password is changed.");
    expect(page.document.querySelector("[name=sharedDevice][checked]")).toBeNull();
    expect((await client.get("/api/auth/me")).status).toBe(401);
    const asked = await visitor().post("/api/auth/login", { email: own.email, password: fields.newPassword });
    expect(asked.json.secondFactor).toBe(true);
  });
});

test("after a password reset on a shared device, the shared-device box is checked on the sign-in page", async () => {
  const { own, secret } = await protectedFamily();
  await db.user.update({ where: { id: own.id }, data: { emailConfirmedAt: new Date() } });
  const confirmedAt = new Date(Date.now() - 8 * 24 * 60 * MINUTE);
  await db.secondFactor.update({ where: { userId: own.id }, data: { confirmedAt } });
  const made = await (await consultant()).form("/dashboard/reset-link", { email: own.email });
  const [, token = ""] = /reset-password\/([\w-]+)/.exec(made.text) ?? [];
  const client = visitor();
  const newPassword = "seven quiet herons";
  const shared = { newPassword, confirmPassword: newPassword, sharedDevice: "on" };
  const changed = await client.form(`/reset-password/${token}`, shared);
  const path = changed.headers.location ?? "";
  const page = await client.follow(changed);
  expect(page.visibleText).toContain("Your password is changed.");
  const box = page.document.querySelector("form input[type=checkbox][name=sharedDevice]");
  expect([box?.hasAttribute("checked"), box?.getAttribute("value")]).toEqual([true, "on"]);
  const unticked = await client.form(path, { email: own.email, password: "not the password" });
  expect(unticked.document.querySelector("[name=sharedDevice][checked]")).toBeNull();
  await client.form(path, { email: own.email, password: newPassword, sharedDevice: "on" });
  const signedIn = await client.form("/login/code", { code: codeOf(secret, 1) });
  const cookies = [signedIn.headers["set-cookie"] ?? []].flat();
  expect(cookies.find((cookie) => cookie.startsWith("session="))).not.toMatch(/Expires|Max-Age/i);
});

test("a password link for an unconfirmed address signs in despite the second factor of who registered it", async () => {
  const { own } = await protectedFamily();
  const made = await (await consultant()).form("/dashboard/reset-link", { email: own.email });
  const [, token = ""] = /reset-password\/([\w-]+)/.exec(made.text) ?? [];
  const owner = visitor();
  const fields = { newPassword: "seven quiet herons", confirmPassword: "seven quiet herons" };
  const response = await owner.form(`/reset-password/${token}`, fields);
  expect([response.status, response.headers.location]).toEqual([302, "/dashboard"]);
  expect((await owner.get("/api/auth/me")).status).toBe(200);
  expect((await own.get("/api/auth/me")).status).toBe(401);
});

describe("turning off the second factor", () => {
  const turnOff = (own: Family, fields: object) =>
    own.request("DELETE", "/api/auth/second-factor", {
      headers: { Origin: own.origin, "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });

  test("requires both the password and a code (422 otherwise)", async () => {
    const { own, secret, recoveryCodes } = await protectedFamily();
    const { password } = own;
    const refused = [
      {},
      { password },
      { code: codeOf(secret) },
      { password: "wrong", code: codeOf(secret) },
      { password, code: wrongCodeOf(secret) },
    ];
    for (const fields of refused) expect((await turnOff(own, fields)).status).toBe(422);
    expect((await own.form(PAGE, { step: "remove", password, code: wrongCodeOf(secret) })).status).toBe(422);
    expect((await signIn(own)).status).toBe(401);
    expect((await turnOff(own, { password, code: recoveryCodes[0] })).status).toBe(200);
    expect((await signIn(own)).status).toBe(200);
    expect([
      await db.secondFactor.count({ where: { userId: own.id } }),
      await db.recoveryCode.count({ where: { userId: own.id } }),
    ]).toEqual([0, 0]);
    expect((await turnOff(own, { password, code: recoveryCodes[1] })).status).toBe(404);
  });

  test("works with the form on the page", async () => {
    const { own, secret } = await protectedFamily();
    const done = await own.form(PAGE, { step: "remove", password: own.password, code: codeOf(secret) });
    expect((await own.follow(done)).visibleText).toContain("Second Step Turned Off");
    expect((await signIn(own)).status).toBe(200);
  });
});
