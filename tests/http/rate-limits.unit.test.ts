// Proves the maximum and time window of every rate limit, and how a limit refuses further attempts.
import { readdirSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_KEYS = 5_000;

/** Tries, and the seconds in which they are counted. */
const LIMITS: Record<string, [tries: number, seconds: number]> = {
  "sign-in": [60, 15 * MINUTE],
  "sign-in-wrong": [10, 15 * MINUTE],
  "sign-in-account": [20, HOUR],
  "sign-in-account-day": [60, DAY],
  "sign-in-device": [60, 15 * MINUTE],
  "sign-in-device-wrong": [10, 15 * MINUTE],
  "sign-in-device-day": [60, DAY],
  "sign-in-known-network": [60, 15 * MINUTE],
  "sign-in-known": [180, 15 * MINUTE],
  "sign-in-known-day": [200, DAY],
  "passkey-sign-in": [60, 15 * MINUTE],
  "passkey-sign-in-wrong": [10, 15 * MINUTE],
  "passkey-sign-in-device": [60, 15 * MINUTE],
  "passkey-sign-in-device-wrong": [10, 15 * MINUTE],
  "change-password": [30, 15 * MINUTE],
  "change-password-wrong": [10, 15 * MINUTE],
  "change-password-day": [60, DAY],
  "change-password-account-day": [200, DAY],
  "identity-confirmation": [20, 15 * MINUTE],
  "identity-confirmation-day": [120, DAY],
  "identity-confirmation-account-day": [400, DAY],
  "passkey-added": [20, HOUR],
  "later-sessions-ended": [2, 10 * MINUTE],
  "confirm-email": [20, 15 * MINUTE],
  "confirmation-mail": [3, HOUR],
  "undo-email-change": [20, 15 * MINUTE],
  "wrong-links-session": [20, 15 * MINUTE],
  "email-change": [3, HOUR],
  "email-change-day": [6, DAY],
  "forgot-password": [5, 15 * MINUTE],
  "forgot-password-account": [3, HOUR],
  "forgot-password-mailbox": [3, HOUR],
  "legal-request": [5, HOUR],
  "legal-request-family": [5, HOUR],
  "legal-request-own-day": [2, DAY],
  "reset-link": [20, 15 * MINUTE],
  register: [5, HOUR],
  "claim-link": [20, 15 * MINUTE],
  "invitation-link": [20, 15 * MINUTE],
  "consultation-request": [5, HOUR],
  "consultation-request-family": [5, HOUR],
  "consultation-request-own-day": [2, DAY],
  "calendar-links-session": [10, DAY],
  "calendar-links": [50, DAY],
  "payment-account": [20, HOUR],
  "payment-own-day": [3, DAY],
  "payment-address": [20, HOUR],
  "payment-return": [10, MINUTE],
  "unconfirmed-mail": [20, HOUR],
  "unconfirmed-mail-day": [60, DAY],
  "unconfirmed-confirmation": [20, HOUR],
  "unconfirmed-confirmation-day": [60, DAY],
  "unconfirmed-mailbox": [15, DAY],
  "unconfirmed-mailbox-all": [45, DAY],
  "unconfirmed-domain": [90, DAY],
  uploads: [200, HOUR],
  export: [10, HOUR],
  "audit-refusals": [60, 10 * MINUTE],
  moves: [20, DAY],
  "consent-signatures": [10, DAY],
  "waiting-list": [6, DAY],
  "erasure-request": [5, DAY],
  "forgot-password-account-day": [9, DAY],
  "forgot-password-mailbox-day": [9, DAY],
  "forgot-password-mailbox-all": [45, DAY],
  invitation: [30, DAY],
  "invitation-address": [3, DAY],
  "confirmation-mail-day": [6, DAY],
  "socket-handshakes": [300, MINUTE],
  "socket-handshakes-account": [300, MINUTE],
  "socket-handshakes-accounts": [6_000, MINUTE],
  "socket-handshakes-cookie": [30, MINUTE],
  "socket-handshakes-cookies": [3_000, MINUTE],
  "socket-handshakes-session": [120, MINUTE],
  "session-changes": [600, HOUR],
  "session-changes-day": [2_000, DAY],
  "account-changes": [3_000, HOUR],
  "account-changes-day": [10_000, DAY],
  "own-changes-day": [100, DAY],
  "network-changes": [1_200, HOUR],
  "network-changes-day": [4_000, DAY],
  "api-reads": [1_200, MINUTE],
  "api-reads-account": [1_200, MINUTE],
  "api-reads-accounts": [24_000, MINUTE],
  "api-reads-cookie": [120, MINUTE],
  "api-reads-cookies": [12_000, MINUTE],
  changes: [300, MINUTE],
  "changes-account": [300, MINUTE],
  "changes-accounts": [6_000, MINUTE],
  "changes-cookie": [30, MINUTE],
  "changes-cookies": [3_000, MINUTE],
  pages: [600, MINUTE],
  "pages-account": [600, MINUTE],
  "pages-accounts": [12_000, MINUTE],
  "pages-cookie": [60, MINUTE],
  "pages-cookies": [6_000, MINUTE],
};

// The build puts the text into the module.
registerHooks({
  load: (url, context, next) =>
    /\.txt(\?|$)/.test(url)
      ? { format: "module", source: 'export default "";', shortCircuit: true }
      : next(url, context),
});
const folder = temporaryFolder("limits");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), { RATE_LIMITS: "on" });
const { attemptCounters, createNetworkLimiter, createRateLimiter } =
  await import("../../app/http/rate-limit.server.ts");
const app = path.join(import.meta.dirname, "../../app");
const sources = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    file.endsWith(".server.ts") &&
    / = (createRateLimiter|createNetworkLimiter|createHttpRequestLimiter|createFormRateLimiter|createRateLimitedLinkLookup)\(/.test(
      readFileSync(path.join(app, file), "utf8"),
    ),
);
for (const file of sources) await import(path.join(app, file));
const ofProduct = [...attemptCounters.values()].map(
  ({ name, maxAttempts: max, windowSeconds }) => [name, max, windowSeconds] as const,
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("each rate limit of the site has its specified maximum and time window", () => {
  const ofNetworks = new Set(ofProduct.flatMap(([name]) => (name.endsWith("-0") ? [name.slice(0, -2)] : [])));
  const expected = Object.entries(LIMITS).flatMap(([name, [tries, seconds]]) =>
    ofNetworks.has(name)
      ? [1, 3, 10].map((factor, level) => [`${name}-${level}`, factor * tries, seconds] as const)
      : [[name, tries, seconds] as const],
  );
  expect(Object.fromEntries(ofProduct.map((each) => [each[0], each]))).toEqual(
    Object.fromEntries(expected.map((each) => [each[0], each])),
  );
  expect(sources.length).toBeGreaterThan(10);
});

test("the last allowed attempt passes, the next is refused until the window ends; peek does not count", async () => {
  const limit = createRateLimiter("edge", 3, 60);
  for (const _ of [1, 2, 3]) expect([await limit.peek("a"), await limit.consume("a")]).toEqual([null, null]);
  const message = "Too many tries. Please wait a minute and try again.";
  expect(await limit.peek("a")).toMatchObject({ reason: "tooMany", message, retryAfterSeconds: 60 });
  expect(await limit.consume("a")).toMatchObject({ reason: "tooMany", message, retryAfterSeconds: 60 });
  expect(await limit.consume("b")).toBeNull();
  vi.advanceTimersByTime(59_001);
  expect(await limit.consume("a")).toMatchObject({ retryAfterSeconds: 1 });
  vi.advanceTimersByTime(1_000);
  expect([await limit.peek("a"), await limit.consume("a")]).toEqual([null, null]);
});

test("the message states the waiting time in minutes, rounded up", async () => {
  const limit = createRateLimiter("wait", 1, 15 * MINUTE);
  await limit.consume("a");
  vi.advanceTimersByTime(13 * MINUTE * 1000 - 1);
  expect(await limit.consume("a")).toMatchObject({ message: expect.stringContaining("wait 3 minutes") as string });
  vi.advanceTimersByTime(1);
  expect(await limit.consume("a")).toMatchObject({ message: expect.stringContaining("wait 2 minutes") as string });
});

test("an attempt refused for its whole network adds no counter for its /64", async () => {
  const limit = createNetworkLimiter("parts", 1, MINUTE);
  const part = (number: number) => `2001:db8:1:${number.toString(16)}::/64`;
  for (let number = 0; number < 10; number += 1) expect(await limit.consume(part(number * 256))).toBeNull();
  vi.advanceTimersByTime(59_000);
  const before = attemptCounters.get("parts-0")?.size;
  for (let number = 0; number < 50; number += 1)
    expect(await limit.consume(part(number * 256 + 1))).toMatchObject({ retryAfterSeconds: 1 });
  expect([before, attemptCounters.get("parts-0")?.size]).toEqual([10, 10]);
  vi.advanceTimersByTime(1_000);
  expect(await limit.consume(part(1))).toBeNull();
  expect(await limit.consume(part(1))).toMatchObject({ reason: "tooMany" });
});

test("a limit holds 5,000 keys in memory; a new key evicts the oldest, never one that has reached the limit", async () => {
  const limit = createRateLimiter("bounded", 2, MINUTE);
  const size = () => attemptCounters.get("bounded")?.size;
  for (const _ of [1, 2]) expect(await limit.consume("guesser")).toBeNull();
  await limit.consume("first");
  for (let key = 1; key < MAX_KEYS; key += 1) await limit.consume(`key ${key}`);
  expect(size()).toBe(MAX_KEYS + 1);
  // A known key displaces none.
  expect(await limit.consume("key 1")).toBeNull();
  expect([size(), await limit.peek("key 1"), await limit.peek("first")]).toEqual([
    MAX_KEYS + 1,
    expect.anything(),
    null,
  ]);
  for (let key = 0; key < 3 * MAX_KEYS; key += 1) expect(await limit.consume(`later ${key}`)).toBeNull();
  expect(size()).toBe(MAX_KEYS + 2);
  expect(await limit.consume("guesser")).toMatchObject({ reason: "tooMany" });
  // Its first try is forgotten: it has both again.
  expect([await limit.consume("first"), await limit.consume("first")]).toEqual([null, null]);
  vi.advanceTimersByTime(MINUTE * 1_000);
  expect([await limit.consume("guesser"), await limit.consume("key 1")]).toEqual([null, null]);
  expect(size()).toBeLessThan(5);
});

test("at most 5,000 keys that reached the limit are held; beyond that, the oldest is evicted", async () => {
  const limit = createRateLimiter("used-up", 1, MINUTE);
  for (let key = 0; key <= MAX_KEYS; key += 1) expect(await limit.consume(`key ${key}`)).toBeNull();
  expect(attemptCounters.get("used-up")?.size).toBe(MAX_KEYS);
  expect([await limit.peek("key 0"), await limit.peek("key 1")]).toEqual([null, expect.anything()]);
});
