// Proves the 15-minute and daily limits on an account's sign-ins and confirmations, at the last allowed try.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("limits");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), { RATE_LIMITS: "on" });
const { knownDeviceCookie, matchKnownDevice, parseKnownDeviceCookie } =
  await import("../../app/accounts/known-device.server.ts");
const { consumeIdentityConfirmationLimits, consumePasskeyLimits, consumeReauthenticationLimits, consumeSignInLimits } =
  await import("../../app/accounts/sign-in/credential-limits.server.ts");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function newDevice(email: string) {
  const account = { id: 7, email, password: "hash" };
  const cookie = (await knownDeviceCookie(null, account)).split(";")[0] ?? "";
  return (
    matchKnownDevice(await parseKnownDeviceCookie(cookie), account) ??
    Promise.reject(new Error("The cookie names no device."))
  );
}

test("an account gets 60 sign-ins from one network, regardless of the number of its known devices", async () => {
  const email = "maria@example.com";
  for (let tries = 1; tries <= 60; tries += 1)
    expect([tries, (await consumeSignInLimits(email, "192.0.2.1", await newDevice(email))).ok]).toEqual([tries, true]);
  expect((await consumeSignInLimits(email, "192.0.2.1", await newDevice(email))).ok).toBe(false);
  expect((await consumeSignInLimits(email, "192.0.2.2", await newDevice(email))).ok).toBe(true);
  const other = "noor@example.com";
  expect((await consumeSignInLimits(other, "192.0.2.1", await newDevice(other))).ok).toBe(true);
});

test("an account gets 180 sign-ins from known devices on all networks; new devices are still allowed", async () => {
  const email = "samuel@example.com";
  for (let tries = 0; tries < 180; tries += 1)
    expect((await consumeSignInLimits(email, `192.0.2.${10 + (tries % 6)}`, await newDevice(email))).ok).toBe(true);
  expect((await consumeSignInLimits(email, "192.0.2.99", await newDevice(email))).ok).toBe(false);
  expect((await consumeSignInLimits(email, "192.0.2.99", null)).ok).toBe(true);
});

test("all known devices together get 200 wrong passwords a day; new devices are still allowed", async () => {
  const email = "elena@example.com";
  for (let tries = 0; tries < 200; tries += 1) {
    // A quarter of an hour has room for 180 of them.
    if (tries === 150) vi.advanceTimersByTime(16 * 60_000);
    const allowed = await consumeSignInLimits(email, `192.0.2.${tries}`, await newDevice(email));
    expect([tries, allowed.ok && (await allowed.recordResult(false))]).toEqual([tries, null]);
  }
  expect(await consumeSignInLimits(email, "198.51.100.1", await newDevice(email))).toMatchObject({ reason: "tooMany" });
  expect((await consumeSignInLimits(email, "198.51.100.1", null)).ok).toBe(true);
  vi.advanceTimersByTime(25 * 3_600_000);
  expect((await consumeSignInLimits(email, "198.51.100.1", await newDevice(email))).ok).toBe(true);
});

/** A sign-in with a wrong password: null where it was compared and counted. */
async function guess(email: string, ip: string, device: Awaited<ReturnType<typeof newDevice>> | null) {
  const allowed = await consumeSignInLimits(email, ip, device);
  return allowed.ok ? allowed.recordResult(false) : allowed;
}

const REFUSED = { reason: "tooMany" };

test("new devices together get 60 wrong passwords a day for an account; its known device is still allowed", async () => {
  const email = "grace@example.com";
  const device = await newDevice(email);
  for (let tries = 1; tries <= 59; tries += 1) {
    expect([tries, await guess(email, `192.0.2.${tries}`, null)]).toEqual([tries, null]);
    // An hour has room for twenty of them.
    if (tries % 20 === 0) vi.advanceTimersByTime(61 * 60_000);
  }
  const [last, next] = [
    await consumeSignInLimits(email, "192.0.2.60", null),
    await consumeSignInLimits(email, "192.0.2.61", null),
  ];
  expect(last.ok && (await last.recordResult(false))).toBeNull();
  // It came at the same time, and is not told that its password is right.
  expect(next.ok && (await next.recordResult(true))).toMatchObject(REFUSED);
  vi.advanceTimersByTime(61 * 60_000);
  expect(await consumeSignInLimits(email, "192.0.2.62", null)).toMatchObject(REFUSED);
  expect((await consumeSignInLimits("devon@example.com", "192.0.2.62", null)).ok).toBe(true);
  expect(await guess(email, "192.0.2.62", device)).toBeNull();
  vi.advanceTimersByTime(24 * 3_600_000);
  expect(await guess(email, "192.0.2.62", null)).toBeNull();
});

test("a known device gets 60 wrong passwords a day for an account; other devices are still allowed", async () => {
  const email = "tomas@example.com";
  const [device, another] = [await newDevice(email), await newDevice(email)];
  for (let tries = 1; tries <= 60; tries += 1) {
    expect([tries, await guess(email, `192.0.2.${tries}`, device)]).toEqual([tries, null]);
    // A quarter of an hour has room for ten of them.
    if (tries % 10 === 0) vi.advanceTimersByTime(16 * 60_000);
  }
  expect(await consumeSignInLimits(email, "192.0.2.61", device)).toMatchObject(REFUSED);
  for (const other of [another, null]) expect(await guess(email, "192.0.2.61", other)).toBeNull();
  expect(await guess("devon@example.com", "192.0.2.61", device)).toBeNull();
  vi.advanceTimersByTime(24 * 3_600_000);
  expect(await guess(email, "192.0.2.61", device)).toBeNull();
});

test.each(["new", "known"])("a %s device is blocked for 15 minutes after ten wrong passwords", async (kind) => {
  const email = `priya.${kind}@example.com`;
  const device = kind === "known" ? await newDevice(email) : null;
  for (let tries = 1; tries <= 10; tries += 1)
    expect([tries, await guess(email, "198.51.100.7", device)]).toEqual([tries, null]);
  expect(await consumeSignInLimits(email, "198.51.100.7", device)).toMatchObject(REFUSED);
  vi.advanceTimersByTime(15 * 60_000 - 1);
  expect(await consumeSignInLimits(email, "198.51.100.7", device)).toMatchObject(REFUSED);
  vi.advanceTimersByTime(1);
  expect(await guess(email, "198.51.100.7", device)).toBeNull();
});

test("new devices together get twenty wrong passwords an hour for an account; its known device is still allowed", async () => {
  const email = "keisha@example.com";
  const device = await newDevice(email);
  for (let tries = 1; tries <= 20; tries += 1)
    expect([tries, await guess(email, `192.0.2.${tries}`, null)]).toEqual([tries, null]);
  expect(await consumeSignInLimits(email, "192.0.2.21", null)).toMatchObject(REFUSED);
  expect(await guess(email, "192.0.2.21", device)).toBeNull();
  expect(await guess("devon.brooks@example.com", "192.0.2.21", null)).toBeNull();
  vi.advanceTimersByTime(60 * 60_000 - 1);
  expect(await consumeSignInLimits(email, "192.0.2.22", null)).toMatchObject(REFUSED);
  vi.advanceTimersByTime(1);
  expect(await guess(email, "192.0.2.22", null)).toBeNull();
});

test.each([
  ["new", "wrong", 10],
  ["new", "right", 60],
  ["known", "wrong", 10],
  ["known", "right", 60],
] as const)("a %s device with %s passkeys is blocked for 15 minutes after %i of them", async (kind, result, count) => {
  const own = { known: kind === "known" ? await newDevice(`passkey.${result}@example.com`) : null };
  const ip = result === "wrong" ? "198.51.100.31" : "198.51.100.32";
  const present = async (from: string, device: typeof own.known) => {
    const allowed = await consumePasskeyLimits(from, device);
    return allowed.ok ? allowed.recordResult(result === "right") : allowed;
  };
  for (let tries = 1; tries <= count; tries += 1) expect([tries, await present(ip, own.known)]).toEqual([tries, null]);
  vi.advanceTimersByTime(15 * 60_000 - 1);
  expect(await present(ip, own.known)).toMatchObject(REFUSED);
  expect(await present("198.51.100.33", await newDevice("another@example.com"))).toBeNull();
  expect(await present("198.51.100.34", null)).toBeNull();
  vi.advanceTimersByTime(1);
  expect(await present(ip, own.known)).toBeNull();
});

test("60 correct passwords are allowed per known device on any networks, and per network for new devices", async () => {
  const email = "elias@example.com";
  const device = await newDevice(email);
  const tryOnce = async (ip: string, known: typeof device | null) => {
    const allowed = await consumeSignInLimits(email, ip, known);
    return allowed.ok ? allowed.recordResult(true) : allowed;
  };
  for (let tries = 1; tries <= 60; tries += 1) {
    expect([tries, await tryOnce(`192.0.2.${tries}`, device)]).toEqual([tries, null]);
    expect([tries, await tryOnce("198.51.100.9", null)]).toEqual([tries, null]);
  }
  expect(await consumeSignInLimits(email, "192.0.2.61", device)).toMatchObject(REFUSED);
  expect(await consumeSignInLimits(email, "198.51.100.9", null)).toMatchObject(REFUSED);
  for (const other of [await newDevice(email), null]) expect(await tryOnce("192.0.2.61", other)).toBeNull();
});

test("wrong passwords for an address with the same SHA-256 prefix don't count for a family's address", async () => {
  const email = "amara@example.com";
  const hashPrefix = (address: string) => createHash("sha256").update(address).digest().subarray(0, 2).toString("hex");
  let number = 0;
  while (hashPrefix(`nobody${number}@example.net`) !== hashPrefix(email)) number += 1;
  for (let tries = 0; tries < 20; tries += 1) {
    const allowed = await consumeSignInLimits(`nobody${number}@example.net`, `203.0.113.${tries}`, null);
    expect([tries, allowed.ok && (await allowed.recordResult(false))]).toEqual([tries, null]);
  }
  expect((await consumeSignInLimits(email, "203.0.113.99", null)).ok).toBe(true);
});

test("ten wrong passwords block password changes in the stolen session, but not in the owner's session", async () => {
  const attempt = async (sid: string, isRight: boolean) => {
    const allowed = await consumeReauthenticationLimits(7, sid);
    return allowed.ok ? allowed.recordResult(isRight) : allowed;
  };
  for (let quarter = 0; quarter < 6; quarter += 1) {
    for (let tries = 0; tries < 10; tries += 1) expect(await attempt("stolen", false)).toBeNull();
    expect(await attempt("stolen", false)).toMatchObject({ reason: "tooMany" });
    expect(await attempt("own", true)).toBeNull();
    vi.advanceTimersByTime(16 * 60_000);
  }
  expect(await attempt("stolen", true)).toMatchObject({ reason: "tooMany" });
  expect(await attempt("own", true)).toBeNull();
});

test("a session can enter its password again thirty times in 15 minutes, even rightly; another session has its own limit", async () => {
  const enter = async (sid: string) => {
    const allowed = await consumeReauthenticationLimits(12, sid);
    return allowed.ok ? allowed.recordResult(true) : allowed;
  };
  for (let tries = 1; tries <= 30; tries += 1) expect([tries, await enter("copied")]).toEqual([tries, null]);
  vi.advanceTimersByTime(15 * 60_000 - 1);
  expect([await enter("copied"), await enter("own")]).toEqual([expect.objectContaining(REFUSED), null]);
  vi.advanceTimersByTime(1);
  expect(await enter("copied")).toBeNull();
});

test("all sessions of an account together get at most 200 wrong passwords a day", async () => {
  let allowedCount = 0;
  for (let tries = 0; tries < 250; tries += 1) {
    const allowed = await consumeReauthenticationLimits(8, `session ${tries % 25}`);
    if (allowed.ok && (await allowed.recordResult(false)) === null) allowedCount += 1;
  }
  expect(allowedCount).toBe(200);
  expect((await consumeReauthenticationLimits(9, "of another account")).ok).toBe(true);
});

test("a session gets 20 identity confirmations in 15 minutes and 120 a day; its account gets 400 a day", async () => {
  /** How many of so many confirmations pass, of a session that comes back each quarter of an hour. */
  const confirm = async (sid: string, quarters: number, times: number) => {
    let passed = 0;
    for (let quarter = 0; quarter < quarters; quarter += 1) {
      for (let count = 0; count < times; count += 1)
        if ((await consumeIdentityConfirmationLimits(10, sid)) === null) passed += 1;
      vi.advanceTimersByTime(16 * 60_000);
    }
    return passed;
  };
  expect(await confirm("first", 1, 21)).toBe(20);
  expect(await confirm("first", 6, 21)).toBe(100);
  expect([await confirm("second", 7, 20), await confirm("third", 7, 20)]).toEqual([120, 120]);
  expect(await confirm("fourth", 7, 20)).toBe(40);
  expect(await consumeIdentityConfirmationLimits(10, "fifth")).toMatchObject({ reason: "tooMany" });
  expect(await consumeIdentityConfirmationLimits(11, "of another account")).toBeNull();
});
