// Proves that a request has no effect when its session ends before its body arrives or during its password check.
import { request as httpRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { codeOf, turnOnSecondFactor } from "../support/authenticator-app.ts";
import { confirmIdentity } from "../support/confirm-identity.ts";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { addPasskey } from "../support/passkeys.ts";
import { type Family, signInAs } from "../support/people.ts";
import { SoftwareAuthenticator } from "../support/software-authenticator.ts";
import { consultant, db, family, origin } from "../support/site.ts";

const NEW_PASSWORD = "a-new-long-password-7";
const FORM = "application/x-www-form-urlencoded";

type Held = { release: () => Promise<{ status: number; location: string }> };

/** Sends the headers of a request and the first byte of its body; `release` sends the rest. */
async function hold(person: TestClient, path: string, body: string, contentType = FORM): Promise<Held> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { host } = new URL(origin);
  const headers = { Host: host, Origin: origin, Cookie: cookie, "Content-Type": contentType };
  const sent = httpRequest(`${origin}${path}`, {
    method: "POST",
    agent: false,
    headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
  });
  const answered = new Promise<{ status: number; location: string }>((resolve, reject) => {
    sent.once("error", reject).once("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? "" });
    });
  });
  await new Promise<void>((resolve) => sent.write(body.slice(0, 1), () => resolve()));
  // By the time this is answered, the server has read the headers that were sent before it.
  expect((await person.get("/api/auth/me")).status).toBe(200);
  return {
    release: () => {
      sent.end(body.slice(1));
      return answered;
    },
  };
}

/** A family, and the same family on a second device. */
async function onTwoDevices() {
  const maria = await family({ intake: true });
  return { maria, otherDevice: await signInAs(origin, maria.email, maria.password) };
}

const passwordFields = ({ password }: { password: string }) => ({
  currentPassword: password,
  newPassword: NEW_PASSWORD,
  confirmPassword: NEW_PASSWORD,
});

async function changePassword(person: TestClient & { password: string }) {
  expect((await person.post("/api/auth/change-password", passwordFields(person))).status).toBe(200);
}

test("a profile form that another device is still sending when the password is changed is not saved", async () => {
  const { maria, otherDevice } = await onTwoDevices();
  const held = await hold(otherDevice, "/dashboard/profile", "firstName=Mallory&lastName=Other&phone=732-555-0100");
  await changePassword(maria);
  const { status, location } = await held.release();
  expect([status, location]).toEqual([302, expect.stringContaining("/login")]);
  expect(await db.user.findUniqueOrThrow({ where: { id: maria.id } })).toMatchObject({ firstName: maria.firstName });
});

test("an API request that another device is still sending when the password is changed gets 401", async () => {
  const { maria, otherDevice } = await onTwoDevices();
  const body = JSON.stringify({ name: "Mallory", phone: "732-555-0100", email: maria.email, serviceNeeds: "Anything" });
  const held = await hold(otherDevice, "/api/intake-forms", body, "application/json");
  await changePassword(maria);
  expect((await held.release()).status).toBe(401);
});

test("a password link is not created when the consultant's session ends while the form is being sent", async () => {
  const { email, id: userId } = await family();
  const held = await hold(await consultant(), "/dashboard/reset-link", `email=${encodeURIComponent(email)}`);
  const { id } = await db.user.findFirstOrThrow({ where: { isAdmin: true } });
  await db.session.deleteMany({ where: { userId: id } });
  const { status, location } = await held.release();
  expect([status, location]).toEqual([302, expect.stringContaining("/login")]);
  expect(await db.passwordReset.count({ where: { userId } })).toBe(0);
});

describe("an upload whose session ends before its file has arrived gets a response and is refused", () => {
  const part = (head: string, value: string) => `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const body = `${part('name="description"', "Plan")}${part('name="file"; filename="letter.txt"', "Dear Ms. Kim")}--edge--\r\n`;

  test.each([
    ["on its page", "/documents/new", 302, expect.stringContaining("/login")],
    ["through the API", "/api/documents", 401, ""],
  ])("%s", async (_, path, status, location) => {
    const maria = await family();
    const held = await hold(maria, path, body, "multipart/form-data; boundary=edge");
    await db.session.deleteMany({ where: { userId: maria.id } });
    expect(await held.release()).toEqual({ status, location });
    expect(await db.document.count({ where: { userId: maria.id } })).toBe(0);
  });
});

const deleteWithBody = (person: TestClient, path: string, body: object) =>
  person.request("DELETE", path, {
    headers: { Origin: origin, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** Enough for a request to be let in, and to wait for the account's row. */
const CHECKED_MS = 500;

/** Sends requests, lets them in, and keeps them from changing the account until `change` is committed. */
async function whileLocked<T>(
  { id }: Family,
  send: () => Promise<T>,
  change?: (transaction: Parameters<Parameters<typeof db.$transaction>[0]>[0]) => Promise<unknown>,
): Promise<T> {
  const { answer } = await db.$transaction(async (transaction) => {
    await transaction.user.update({ where: { id }, data: { isClient: true } });
    await change?.(transaction);
    const sent = { answer: send() };
    await wait(CHECKED_MS);
    return sent;
  });
  return answer;
}

const whileSessionsEnd = (person: Family, send: () => Promise<TestResponse>) =>
  whileLocked(person, send, (transaction) => transaction.session.deleteMany({ where: { userId: person.id } }));

/** What the account signs in with, and what was asked of it. */
async function accountState({ id: userId }: Family) {
  const { password, email, eraseAfter } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const factor = await db.secondFactor.findUnique({ where: { userId } });
  const [passkeys, links] = [
    await db.passkey.count({ where: { userId } }),
    await db.emailConfirmation.count({ where: { userId, isChange: true } }),
  ];
  const others = [await db.calendarFeed.count({ where: { userId } }), await db.consent.count({ where: { userId } })];
  return {
    password,
    email,
    eraseAfter,
    factor: factor && [factor.secret, factor.confirmedAt],
    passkeys,
    links,
    others,
  };
}

type Send = (person: Family) => Promise<() => Promise<TestResponse>>;

const CALLS: [what: string, prepare: Send][] = [
  ["changing the password", async (maria) => () => maria.post("/api/auth/change-password", passwordFields(maria))],
  [
    "starting the setup of an authenticator app",
    async (maria) => () => maria.post("/api/auth/second-factor", { password: maria.password }),
  ],
  [
    "turning on an authenticator app",
    async (maria) => {
      const { secret } = (await maria.post("/api/auth/second-factor", { password: maria.password })).json;
      return () => maria.post("/api/auth/second-factor/confirm", { code: codeOf(secret) });
    },
  ],
  [
    "turning off an authenticator app",
    async (maria) => {
      const { recoveryCodes } = await turnOnSecondFactor(maria, maria.password);
      const fields = { password: maria.password, code: recoveryCodes[0] };
      return () => deleteWithBody(maria, "/api/auth/second-factor", fields);
    },
  ],
  [
    "adding a passkey",
    async (maria) => {
      const options = (await maria.post("/api/auth/passkeys/options", {})).json;
      const credential = new SoftwareAuthenticator(origin).create(options);
      return () => maria.post("/api/auth/passkeys", { name: "Phone", credential });
    },
  ],
  [
    "removing a passkey",
    async (maria) => {
      const { id } = await addPasskey(maria);
      return () => maria.delete(`/api/auth/passkeys/${id}`);
    },
  ],
  ["creating a calendar link", async (maria) => () => maria.post("/api/calendar-feed", {})],
  ["deleting the account", async (maria) => () => deleteWithBody(maria, "/api/me", { password: maria.password })],
];

/** As `CALLS`, for what has a page only. */
const FORMS: [what: string, prepare: Send][] = [
  ["changing the password", async (maria) => () => maria.form("/dashboard/settings", passwordFields(maria))],
  [
    "changing the password with a data request",
    async (maria) => () => maria.form("/dashboard/settings.data", passwordFields(maria)),
  ],
  [
    "starting an authenticator app's setup",
    async (maria) => () => maria.form("/second-factor", { step: "begin", password: maria.password }),
  ],
  [
    "requesting another email address",
    async (maria) => {
      await confirmIdentity(maria);
      return () => maria.form("/change-email", { email: `late.${maria.email}` });
    },
  ],
  [
    "confirming another email address",
    async (maria) => {
      await confirmIdentity(maria);
      await maria.form("/change-email", { email: `new.${maria.email}` });
      const where = { userId: maria.id, event: "email-change-requested" };
      const { secretPath } = await db.message.findFirstOrThrow({ where });
      return () => maria.form(secretPath!, {});
    },
  ],
];

describe("when a family's sessions end during a request, its account is unchanged:", () => {
  test.each(CALLS)("%s through the API gets 401", async (_, prepare) => {
    const maria = await family();
    const send = await prepare(maria);
    const before = await accountState(maria);
    const { status, json } = await whileSessionsEnd(maria, send);
    expect([status, json]).toEqual([401, { message: "Unauthorized" }]);
    expect(await accountState(maria)).toEqual(before);
  });

  test.each(FORMS)("%s on its page redirects to sign-in", async (_, prepare) => {
    const maria = await family();
    const send = await prepare(maria);
    const before = await accountState(maria);
    const { status, headers, text } = await whileSessionsEnd(maria, send);
    // To a script the redirect is data.
    expect([302, 202]).toContain(status);
    expect(status === 302 ? headers.location : text).toMatch(status === 302 ? /^\/login(\?|$)/ : /"\/login[?"]/);
    expect(await accountState(maria)).toEqual(before);
  });
});

test("of a concurrent account deletion and password change on two devices, one succeeds, the other gets 401", async () => {
  const { maria, otherDevice } = await onTwoDevices();
  const [left, changed] = await Promise.all([
    deleteWithBody(maria, "/api/me", { password: maria.password }),
    otherDevice.post("/api/auth/change-password", passwordFields(maria)),
  ]);
  expect(["202 401", "401 200"]).toContain(`${left.status} ${changed.status}`);
});

test("of four concurrent account deletions one gets 202, the others 401 or 409, and none a password error", async () => {
  const maria = await family({ intake: true });
  const responses = await Promise.all(
    [1, 2, 3, 4].map(() => deleteWithBody(maria.clone(), "/api/me", { password: maria.password })),
  );
  const results = responses.map(({ status, json }) => `${status} ${json.message}`).toSorted();
  expect(results[0]).toMatch(/^202 /);
  for (const later of results.slice(1))
    expect(["401 Unauthorized", "409 This account is already scheduled to be deleted."]).toContain(later);
  expect(await db.auditEntry.count({ where: { action: "account-erasure-requested", familyId: maria.id } })).toBe(1);
});

test("two concurrent deletion forms for an account both redirect to the account-deleted page", async () => {
  const maria = await family();
  const page = "/dashboard/settings/delete-account";
  const responses = await whileLocked(maria, () =>
    Promise.all([1, 2].map(() => maria.clone().form(page, { password: maria.password }))),
  );
  expect(responses.map(({ status, headers }) => [status, headers.location])).toEqual([
    [302, "/account-deleted"],
    [302, "/account-deleted"],
  ]);
});
