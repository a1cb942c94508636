// Proves the per-minute request limits: per account and network, and per session for requests that end access.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("request-limits");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), { RATE_LIMITS: "on" });
const { cacheSessionOwner, findCachedRequestOwner, findCachedSessionAccount, createHttpRequestLimiter } =
  await import("../../app/accounts/sessions/http-request-limit.server.ts");
const { closeConnectionsOfEndedSessions } = await import("../../app/accounts/close-session-connections.server.ts");
const { isExemptFromMutationLimits } = await import("../../app/accounts/sessions/mutation-rate-limits.server.ts");
const { sessionCookie } = await import("../../app/accounts/sessions/session-cookie.server.ts");

const MAX = 5;
const HOME = "203.0.113.1";
let names = 0;
const newLimit = () => createHttpRequestLimiter(`test-${(names += 1)}`, MAX, 60);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The Cookie header of a new session of an account, which was looked up already. */
async function sessionOf(id: number, isAdmin = false): Promise<string> {
  const sid = `${id}-${(names += 1)}`.padEnd(43, "x");
  cacheSessionOwner(sid, { id, isAdmin });
  return (await sessionCookie.serialize(sid)).split(";")[0]!;
}

type Limit = ReturnType<typeof newLimit>;
type Sender = readonly [cookie: string | null, ip: string, isAccessRevoking?: boolean];

/** How many of so many requests are taken. */
async function taken(limit: Limit, [cookie, ip, isAccessRevoking]: Sender, times = MAX + 1): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time += 1)
    if ((await limit.consume(ip, cookie, isAccessRevoking)) === null) count += 1;
  return count;
}

test.each([false, true])(
  "an account's request limit is shared by its sessions, and separate per network (consultant: %s)",
  async (isAdmin) => {
    const [limit, session] = [newLimit(), await sessionOf(1, isAdmin)];
    expect(await taken(limit, [session, HOME])).toBe(MAX);
    expect(await taken(limit, [await sessionOf(1, isAdmin), HOME])).toBe(0);
    expect(await taken(limit, [session, "203.0.113.2"])).toBe(MAX);
    vi.advanceTimersByTime(60_000);
    expect(await taken(limit, [session, HOME])).toBe(MAX);
  },
);

test("requests that end access are counted per session: a copied session doesn't use up the limit of a new one", async () => {
  const limit = newLimit();
  const [copied, fresh] = [await sessionOf(2), await sessionOf(2)];
  expect(await taken(limit, [copied, HOME])).toBe(MAX);
  expect(await taken(limit, [copied, HOME, true])).toBe(MAX);
  expect([await taken(limit, [fresh, HOME], 1), await taken(limit, [fresh, HOME, true])]).toEqual([0, MAX]);
  expect(await taken(limit, [copied, "203.0.113.2", true])).toBe(MAX);
});

test("an account gets three times the limit in an IPv6 /56 and ten times in a /48; the next /48 is separate", async () => {
  const [limit, session] = [newLimit(), await sessionOf(3)];
  const part = (site: number, number: number): Sender => [session, `2001:db8:${site}:${number.toString(16)}::/64`];
  const takenOf = async (site: number, numbers: number[]) => {
    let count = 0;
    for (const number of numbers) count += await taken(limit, part(site, number), MAX);
    return count;
  };
  expect([await takenOf(1, [0, 1, 2]), await takenOf(1, [3])]).toEqual([3 * MAX, 0]);
  const ofEach56 = Array.from({ length: 10 }, (_, number) => number * 256);
  expect([await takenOf(2, ofEach56), await takenOf(2, [10 * 256])]).toEqual([10 * MAX, 0]);
  expect(await takenOf(3, [0])).toBe(MAX);
});

test("a network gets the limits of twenty accounts, access-ending requests included; the consultant is exempt", async () => {
  const limit = newLimit();
  let all = 0;
  for (let account = 10; account < 32; account += 1) all += await taken(limit, [await sessionOf(account), HOME]);
  expect(all).toBe(20 * MAX);
  expect(await taken(limit, [await sessionOf(40), HOME, true])).toBe(0);
  expect(await taken(limit, [await sessionOf(41, true), HOME])).toBe(MAX);
  expect(await taken(limit, [null, HOME])).toBe(MAX);
});

test("a session in 6,000 networks doesn't use up another account's limit or reset its own", async () => {
  const [limit, attacker, owner] = [newLimit(), await sessionOf(50), await sessionOf(51)];
  expect([await taken(limit, [attacker, HOME]), await taken(limit, [owner, HOME], MAX - 1)]).toEqual([MAX, MAX - 1]);
  for (let network = 0; network < 6_000; network += 1)
    expect(await limit.consume(`10.1.${network >> 8}.${network & 255}`, attacker)).toBeNull();
  expect(await taken(limit, [attacker, HOME])).toBe(0);
  expect(await taken(limit, [owner, HOME])).toBeGreaterThan(0);
});

test("page, data, and API requests that end access are recognized in any letter case; other requests are not", () => {
  const ends = [
    ["POST", "/api/auth/change-password"],
    ["POST", "/dashboard/settings"],
    ["POST", "/dashboard/settings.data"],
    ["GET", "/dashboard/settings/devices"],
    ["POST", "/LOGOUT"],
    ["POST", "/appointments/7/cancel"],
    ["POST", "/documents/7/delete.data"],
    ["DELETE", "/api/appointments/7"],
  ] as const;
  const others = [
    ["POST", "/dashboard/settings/calendar"],
    ["POST", "/dashboard/profile"],
    ["POST", "/appointments/7/cancellation"],
    ["POST", "/appointments/7/8/cancel"],
    ["GET", "/dashboard"],
    ["POST", "/api/login-as"],
    ["POST", "/x/login"],
  ] as const;
  for (const [method, path] of ends) expect([path, isExemptFromMutationLimits(path, method)]).toEqual([path, true]);
  for (const [method, path] of others) expect([path, isExemptFromMutationLimits(path, method)]).toEqual([path, false]);
});

test("a request is queued for its account and session, one that ends access in its network alone", async () => {
  const cookie = await sessionOf(31);
  const find = (method: string, path: string) => findCachedRequestOwner({ method, path, headers: { cookie } });
  expect(await find("GET", "/dashboard")).toEqual({
    key: "31",
    session: expect.stringMatching(/^31-/),
    isPerNetwork: false,
  });
  expect(await find("POST", "/logout")).toMatchObject({
    key: expect.stringMatching(/^ending 31-/),
    isPerNetwork: true,
  });
});

test("a request with the cookie of an ended session no longer counts for its account", async () => {
  const [ended, other] = [await sessionOf(32), await sessionOf(33)];
  const isKnown = async (cookie: string) => (await findCachedSessionAccount(cookie)) !== null;
  await closeConnectionsOfEndedSessions(32);
  expect([await isKnown(ended), await isKnown(other)]).toEqual([false, true]);
});
