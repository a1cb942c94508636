// Proves which sign-ins the queue of password comparisons refuses when it is full, and with which messages.
import { hashSync } from "bcryptjs";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("passwords");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), { RATE_LIMITS: "on" });
const { verifyPassword } = await import("../../app/accounts/passwords/password-hashing.server.ts");

const PASSWORD = "rain on a tin roof";
/** Compared in a millisecond: what is tried is who waits, not the hash. */
const HASH = hashSync(PASSWORD, 4);
const COMPARED = { ok: true, value: true };
const NETWORK_OVERLOADED = {
  ok: false,
  reason: "tooMany",
  message: "Many people on your network are signing in right now. Please try again in a few seconds.",
  retryAfterSeconds: 5,
};

type Source = Parameters<typeof verifyPassword>[2];

/** Each one of another address and account, unless it is named. */
let people = 0;
function signIn(source: Partial<Source> = {}) {
  people += 1;
  const own = { ip: `192.0.2.${people}`, account: `family.${people}@example.com`, isRecognized: false };
  return verifyPassword(PASSWORD, HASH, { ...own, ...source });
}

const times = (count: number, source: Partial<Source> = {}) => Array.from({ length: count }, () => signIn(source));

beforeEach(async () => {
  people = 0;
  // The thread has begun, so that of those who come together the first is compared and the others wait.
  await signIn();
});

test("an address gets one running and ten waiting comparisons; the next is refused, another address is served", async () => {
  const taken = times(11, { ip: "203.0.113.1" });
  const [next, other] = await Promise.all([signIn({ ip: "203.0.113.1" }), signIn({ ip: "203.0.113.2" })]);
  expect([next, other]).toEqual([NETWORK_OVERLOADED, COMPARED]);
  for (const answer of await Promise.all(taken)) expect(answer).toEqual(COMPARED);
});

test.each([
  ["unrecognized", "/56", 20],
  ["unrecognized", "/48", 30],
  ["recognized", "/56", 30],
  ["recognized", "/48", 40],
] as const)(
  "%s users of an IPv6 %s get, for all its /64 networks, no more than %i waiting comparisons; another /48 is served",
  async (who, network, count) => {
    const isRecognized = who === "recognized";
    // The next /64, or the next /56 of the /48.
    const step = network === "/56" ? 1 : 0x100;
    const household = (number: number) => `2001:db8:1:${(step * number).toString(16)}::/64`;
    const from = (ip: string) => signIn({ ip, isRecognized });
    const taken = Array.from({ length: count + 1 }, (_, number) => from(household(number)));
    const [next, other] = await Promise.all([from(household(count + 1)), from("2001:db8:2:1::/64")]);
    expect([next, other]).toEqual([NETWORK_OVERLOADED, COMPARED]);
    for (const answer of await Promise.all(taken)) expect(answer).toEqual(COMPARED);
  },
);

test("recognized users get twenty places per address, in addition to those of unrecognized users", async () => {
  const strangers = times(11, { ip: "203.0.113.1" });
  const known = { ip: "203.0.113.1", isRecognized: true };
  const families = times(20, known);
  expect(await signIn(known)).toEqual(NETWORK_OVERLOADED);
  for (const answer of await Promise.all([...strangers, ...families])) expect(answer).toEqual(COMPARED);
});

test("an account gets three waiting comparisons from all addresses; the next is refused with a message", async () => {
  const account = "maria@example.com";
  const taken = times(4, { account });
  const busy = "Many devices are signing in to this account right now. Please try again in a few seconds.";
  expect(await signIn({ account })).toEqual({ ...NETWORK_OVERLOADED, message: busy });
  for (const answer of await Promise.all(taken)) expect(answer).toEqual(COMPARED);
});

test("with sixty waiting, one more unrecognized user is refused, and a recognized one takes the newest's place", async () => {
  const taken = times(59);
  const crowd = times(2, { ip: "203.0.113.1" });
  const [next, owner] = await Promise.all([signIn({ ip: "203.0.113.1" }), signIn({ isRecognized: true })]);
  expect(next).toEqual({
    ok: false,
    reason: "unavailable",
    message: "Many people are signing in right now. Please try again in a few seconds.",
    retryAfterSeconds: 5,
  });
  expect(owner).toEqual(COMPARED);
  expect(await Promise.all(crowd)).toEqual([COMPARED, NETWORK_OVERLOADED]);
  for (const answer of await Promise.all(taken)) expect(answer).toEqual(COMPARED);
});
