// Proves the limits on sign-ins, registrations and password guesses, by account, device and network.
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { turnOnSecondFactor } from "../support/authenticator-app.ts";
import { accountsInDatabase } from "../support/accounts.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startServer } from "../support/servers/server-process.ts";
import { adminEmail, adminPassword } from "../support/test-environment.ts";

type Site = Awaited<ReturnType<typeof startServer>>;

const ACCOUNTS = 200;
/** With accounts to guess at: to compare the password of an unknown address takes 150 ms of CPU time. */
const template = await copyDatabase(inject("template"), temporaryFolder("rate-limits"));
for (let number = 1; number <= ACCOUNTS; number += 1) {
  const fields = { email: `family.${number}@example.com`, firstName: "Maria", lastName: "Alvarez" };
  await accountsInDatabase(template, "").createFamily(fields);
}
const sites: Site[] = [];
let site: Site;
let behindFly: Site;
let behindAnother: Site;

/** A site with its limits on. The proxy's header is believed only where Fly runs it. */
async function limited(changes: Record<string, string> = {}): Promise<Site> {
  const started = await startServer({ template, overrides: { RATE_LIMITS: "on", ...changes } });
  sites.push(started);
  return started;
}

beforeAll(async () => {
  site = await limited();
  const isPublic = { APP_ORIGIN: "https://practice.example", PAYMENTS: "off", FLY_APP_NAME: "practice" };
  behindFly = await limited(isPublic);
  const { FLY_APP_NAME: _, ...elsewhere } = isPublic;
  behindAnother = await limited({ ...elsewhere, VISITOR_ADDRESS_HEADER: "X-Forwarded-For" });
});

afterAll(async () => {
  for (const each of sites) each.kill("SIGTERM");
  await Promise.all(sites.map(({ ended }) => ended));
});

function browserFrom(address: string) {
  const client = site.visitor();
  client.ip = address;
  return client;
}

/** Makes the browser a known device of its account. */
async function signInAgain(family: Awaited<ReturnType<Site["family"]>>) {
  const response = await family.post("/api/auth/login", { email: family.email, password: family.password });
  expect(response.status).toBe(200);
}

let accounts = 100;
const anAccount = () => `family.${(accounts += 1)}@example.com`;
/** Of another account each time, as one account has a limit of its own. */
const wrong = (email = anAccount()) => ({ email, password: "not this one" });

describe("a client that guesses passwords", () => {
  test("of one account is blocked after ten tries; the owner can still sign in from another address", async () => {
    const attacker = browserFrom("127.0.1.1");
    for (let guess = 1; guess <= 10; guess += 1) {
      const response = await attacker.post("/api/auth/login", wrong(adminEmail));
      expect([guess, response.status]).toEqual([guess, guess === 10 ? response.status : 401]);
    }
    const stopped = await attacker.post("/api/auth/login", { email: adminEmail, password: adminPassword });
    expect(stopped.status).toBe(429);
    expect(Number(stopped.headers["retry-after"])).toBeGreaterThan(0);
    expect(stopped.json.message).toMatch(/wait/i);
    const owner = await browserFrom("127.0.1.2").post("/api/auth/login", {
      email: adminEmail,
      password: adminPassword,
    });
    expect(owner.status).toBe(200);
  });

  test("on the sign-in page gets a message to wait (429)", async () => {
    const attacker = browserFrom("127.0.1.3");
    for (let guess = 1; guess <= 10; guess += 1) await attacker.form("/login", wrong());
    const stopped = await attacker.form("/login", wrong());
    expect(stopped.status).toBe(429);
    expect(Number(stopped.headers["retry-after"])).toBeGreaterThan(0);
    expect(stopped.visibleText).toMatch(/Login Failed.*wait/);
  });

  test("of many accounts with one password is blocked after ten tries as well", async () => {
    const attacker = browserFrom("127.0.1.4");
    for (let guess = 1; guess <= 10; guess += 1)
      await attacker.post("/api/auth/login", wrong(`family.${guess}@example.com`));
    expect((await attacker.post("/api/auth/login", wrong("family.11@example.com"))).status).toBe(429);
  });

  test("in concurrent requests gets at most ten tries", async () => {
    const attacker = browserFrom("127.0.1.5");
    const responses = await Promise.all(Array.from({ length: 30 }, () => attacker.post("/api/auth/login", wrong())));
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    expect(responses.every(({ status }) => status === 401 || status === 429)).toBe(true);
  });

  test("with another forged address header at each try is still blocked after ten tries", async () => {
    const attacker = browserFrom("127.0.1.6");
    for (let guess = 1; guess <= 10; guess += 1) {
      const claims = {
        "X-Forwarded-For": `10.0.0.${guess}`,
        "Fly-Client-IP": `10.0.0.${guess}`,
        "X-Real-IP": `10.0.0.${guess}`,
      };
      await attacker.post("/api/auth/login", wrong(), claims);
    }
    const response = await attacker.post("/api/auth/login", wrong(), {
      "X-Forwarded-For": "10.0.0.99",
      "Fly-Client-IP": "10.0.0.99",
    });
    expect(response.status).toBe(429);
  });

  test("at the change-password endpoint is blocked after ten tries, even from another address", async () => {
    const owner = browserFrom("127.0.1.7");
    await owner.post("/api/auth/login", { email: adminEmail, password: adminPassword });
    const fields = {
      currentPassword: "not this one",
      newPassword: "another one of mine",
      confirmPassword: "another one of mine",
    };
    for (let guess = 1; guess <= 10; guess += 1) await owner.post("/api/auth/change-password", fields);
    const secondBrowser = owner.clone();
    secondBrowser.ip = "127.0.1.8";
    expect((await secondBrowser.post("/api/auth/change-password", fields)).status).toBe(429);
    const right = { ...fields, currentPassword: adminPassword };
    expect((await owner.post("/api/auth/change-password", right)).status).toBe(429);
  });
});

describe("a client that keeps sending correct passwords", () => {
  const flood = (client: ReturnType<typeof browserFrom>, right: object, count: number) =>
    Promise.all(Array.from({ length: count }, () => client.clone().post("/api/auth/login", right)));

  test("gets sixty tries, and doesn't keep a client at another address from signing in", async () => {
    // The product's own hash: the queue fills while one is compared.
    const { email, password } = await site.family({ password: "seven blue herons", address: "127.0.3.3" });
    const attacker = browserFrom("127.0.3.1");
    const flooded = flood(attacker, { email, password }, 61);
    const other = await browserFrom("127.0.3.2").post("/api/auth/login", { email, password });
    expect(other.status).toBe(200);
    const responses = await flooded;
    const waits = responses.filter(({ status }) => status === 429).map(({ headers }) => Number(headers["retry-after"]));
    expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(20);
    expect(waits.filter((seconds) => seconds > 60)).toHaveLength(1);
    const busy = responses.filter(({ headers }) => headers["retry-after"] === "5").map(({ json }) => json.message);
    expect(new Set(busy)).toEqual(
      new Set(["Many devices are signing in to this account right now. Please try again in a few seconds."]),
    );
    expect((await flood(attacker, { email, password }, 1)).map(({ status }) => status)).toEqual([429]);
  });
});

test("of eighty concurrent sign-ins from as many addresses, those beyond the sixty that can wait get 503 and a reason", async () => {
  const responses = await Promise.all(
    Array.from({ length: 80 }, (_, number) =>
      browserFrom(`127.0.8.${number + 1}`).post("/api/auth/login", wrong(`stranger.${number}@example.com`)),
    ),
  );
  const refused = responses.filter(({ status }) => status !== 401);
  expect([refused.length > 0, refused.length < 20]).toEqual([true, true]);
  for (const { status, headers, json } of refused)
    expect([status, headers["retry-after"], json.message]).toEqual([
      503,
      "5",
      "Many people are signing in right now. Please try again in a few seconds.",
    ]);
});

describe("many concurrent sign-ins of visitors from one address", () => {
  test("don't block a signed-in family, a known device, or a valid reset link at the same address", async () => {
    const address = "127.0.3.50";
    const [owner, neighbor, forgetful] = [
      await site.family({ address }),
      await site.family({ address }),
      await site.family({ address }),
    ];
    await signInAgain(owner);
    const link = await (await site.consultant()).form("/dashboard/reset-link", { email: forgetful.email });
    const [, token = ""] = /\/reset-password\/([\w-]{43})/.exec(link.text) ?? [];
    const full = Promise.withResolvers<void>();
    // To compare the password of an unknown address takes 150 ms: ten wait while the first refusals arrive.
    const strangers = Array.from({ length: 40 }, async (_, number) => {
      const response = await browserFrom(address).post("/api/auth/login", wrong(`nobody.${number}@example.com`));
      if (response.status === 429) full.resolve();
      return response.json.message as string;
    });
    await full.promise;
    const passwords = { newPassword: "rain on a tin roof", confirmPassword: "rain on a tin roof" };
    const responses = await Promise.all([
      owner.post("/api/auth/login", { email: owner.email, password: owner.password }),
      neighbor.post("/api/auth/change-password", { ...passwords, currentPassword: neighbor.password }),
      forgetful.post("/api/auth/reset-password", { ...passwords, token }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const busy = "Many people on your network are signing in right now. Please try again in a few seconds.";
    expect(await Promise.all(strangers)).toContain(busy);
  });
});

describe("a client that guesses one account's password from many addresses", () => {
  test("gets twenty tries in all; the owner can still sign in on a known device", async () => {
    const [owner, neighbor] = [await site.family(), await site.family()];
    const right = { email: owner.email, password: owner.password };
    for (const each of [owner, neighbor]) await signInAgain(each);
    for (let guess = 1; guess <= 20; guess += 1) {
      const response = await browserFrom(`127.0.4.${Math.ceil(guess / 2)}`).post("/api/auth/login", wrong(owner.email));
      expect([guess, response.status]).toEqual([guess, 401]);
    }
    const stranger = browserFrom("127.0.4.99");
    expect((await stranger.post("/api/auth/login", right)).status).toBe(429);
    const forged = browserFrom("127.0.4.98");
    const device = owner.cookies.get("known-device") ?? "";
    forged.cookies.set("known-device", `${device.slice(0, -3)}AAA`);
    expect((await forged.post("/api/auth/login", right)).status).toBe(429);
    expect((await neighbor.post("/api/auth/login", right)).status).toBe(429);
    expect((await neighbor.post("/api/auth/login", { ...right, email: neighbor.email })).status).toBe(200);
    owner.ip = "127.0.4.1";
    expect((await owner.form("/login", right)).headers.location).toBe("/");
    expect((await owner.post("/api/auth/login", right)).status).toBe(200);
  });

  test("gets at most ten tries on a known device", async () => {
    const owner = await site.family();
    owner.ip = "127.0.4.100";
    await signInAgain(owner);
    const responses: number[] = [];
    for (let guess = 1; guess <= 11; guess += 1)
      responses.push((await owner.post("/api/auth/login", wrong(owner.email))).status);
    expect(responses).toEqual([...Array<number>(10).fill(401), 429]);
  });
});

describe("a client that guesses the tokens of emailed links", () => {
  test("gets twenty tries at password links from one address; then a valid link gets 429 there, too", async () => {
    const [attacker, owner] = [browserFrom("127.0.5.1"), await site.family()];
    const link = await (await site.consultant()).form("/dashboard/reset-link", { email: owner.email });
    const [right = ""] = /\/reset-password\/[\w-]{43}/.exec(link.text) ?? [];
    expect(right).not.toBe("");
    for (let guess = 1; guess <= 20; guess += 1)
      expect([guess, (await attacker.get(`/reset-password/${"x".repeat(43)}`)).status]).toEqual([guess, 410]);
    const passwords = { newPassword: "rain on a tin roof", confirmPassword: "rain on a tin roof" };
    const stopped = [await attacker.get(right), await attacker.form(right, passwords)];
    expect(stopped.map(({ status }) => status)).toEqual([429, 429]);
    expect(Number(stopped[0]?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await browserFrom("127.0.5.2").get(right)).status).toBe(200);
  });

  test("doesn't block a signed-in family at the same address, which gets twenty tries of its own", async () => {
    const address = "127.0.5.30";
    const [own, neighbor] = [await site.family({ address }), await site.family({ address })];
    const open = async (client: ReturnType<typeof browserFrom>) =>
      (await client.post("/api/auth/confirm-email", { token: "x".repeat(43) })).status;
    for (const client of [browserFrom(address), own]) {
      for (let guess = 1; guess <= 20; guess += 1) expect([guess, await open(client)]).toEqual([guess, 410]);
      expect(await open(client)).toBe(429);
    }
    expect(await open(neighbor)).toBe(410);
  });

  test("doesn't block a valid password link at another address, even after guesses from 51 addresses", async () => {
    const owner = await site.family();
    const link = await (await site.consultant()).form("/dashboard/reset-link", { email: owner.email });
    const [, token = ""] = /\/reset-password\/([\w-]{43})/.exec(link.text) ?? [];
    const passwords = { newPassword: "rain on a tin roof", confirmPassword: "rain on a tin roof" };
    const guessFrom = async (network: number) => {
      const attacker = browserFrom(`127.0.6.${network}`);
      const wrongToken = { token: "x".repeat(43), ...passwords };
      for (let guess = 1; guess <= 20; guess += 1)
        expect((await attacker.post("/api/auth/reset-password", wrongToken)).status).toBe(410);
    };
    await Promise.all(Array.from({ length: 51 }, (_, index) => guessFrom(index + 1)));
    const response = await browserFrom("127.0.5.9").post("/api/auth/reset-password", { token, ...passwords });
    expect(response.status).toBe(200);
  });
});

describe("a client that registers repeatedly", () => {
  const registration = (number: number) => ({
    firstName: "Nobody",
    lastName: "Inparticular",
    email: `again.${number}@example.com`,
    password: "again and again",
  });

  test("is blocked after five registrations (429); another address is not affected", async () => {
    const client = browserFrom("127.0.2.1");
    for (let number = 1; number <= 5; number += 1) {
      expect((await client.post("/api/auth/register", registration(number))).status).toBe(201);
      client.cookies.clear();
    }
    const stopped = await client.post("/api/auth/register", registration(6));
    expect([stopped.status, Number(stopped.headers["retry-after"]) > 0]).toEqual([429, true]);
    expect((await browserFrom("127.0.2.2").post("/api/auth/register", registration(7))).status).toBe(201);
  });
});

describe("behind the host's proxy", () => {
  const from = (address: string) => ({ "Fly-Client-IP": address });

  test("two visitors have separate limits by their forwarded addresses", async () => {
    const client = behindFly.visitor();
    for (let guess = 1; guess <= 11; guess += 1) await client.post("/api/auth/login", wrong(), from("203.0.113.7"));
    expect((await client.post("/api/auth/login", wrong(), from("203.0.113.7"))).status).toBe(429);
    expect((await client.post("/api/auth/login", wrong(), from("203.0.113.8"))).status).toBe(401);
  });

  test("an IPv6 /64 network counts as one visitor", async () => {
    const client = behindFly.visitor();
    for (let guess = 1; guess <= 11; guess += 1) {
      await client.post("/api/auth/login", wrong(), from(`2001:db8:1:2::${guess.toString(16)}`));
    }
    expect((await client.post("/api/auth/login", wrong(), from("2001:db8:1:2:ffff::1"))).status).toBe(429);
    expect((await client.post("/api/auth/login", wrong(), from("2001:db8:1:3::1"))).status).toBe(401);
  });

  test("an IPv6 /56 gets sixty tries at password links for all its /64 networks", async () => {
    const client = behindFly.visitor();
    const guess = async (address: string) => (await client.get("/reset-password/guessed", from(address))).status;
    for (let household = 0; household < 3; household += 1) {
      for (let each = 0; each < 20; each += 1) expect(await guess(`2001:db8:9:1${household}::1`)).toBe(410);
    }
    expect(await guess("2001:db8:9:1ff::1")).toBe(410);
    expect(await guess("2001:db8:9:1f::1")).toBe(429);
  });

  test("an IPv6 /56 can send fifteen consultation requests from all its /64 networks", async () => {
    const client = behindFly.visitor();
    const story = { firstName: "Jane", lastName: "Doe", email: "jane@example.com", serviceNeeds: "IEP", consent: true };
    const submitRequest = async (address: string) =>
      (await client.post("/api/consultation-requests", story, from(address))).status;
    const consultant = behindFly.visitor();
    await consultant.post("/api/auth/login", { email: adminEmail, password: adminPassword }, from("203.0.113.50"));
    await turnOnSecondFactor(consultant, adminPassword, from("203.0.113.50"));
    for (let household = 0; household < 3; household += 1) {
      for (let each = 0; each < 5; each += 1) expect(await submitRequest(`2001:db8:8:1${household}::1`)).toBe(201);
      // Ten open requests of one network are the most, whatever the hour.
      const open = (await consultant.get("/api/consultation-requests", from("203.0.113.50"))).json as { id: number }[];
      expect(open).toHaveLength(5);
      for (const { id } of open) await consultant.delete(`/api/consultation-requests/${id}`, from("203.0.113.50"));
    }
    expect(await submitRequest("2001:db8:8:1f::1")).toBe(429);
    expect(await submitRequest("2001:db8:8:1ff::1")).toBe(201);
  });

  test("an X-Forwarded-For header written by the visitor is ignored", async () => {
    const client = behindFly.visitor();
    const claim = (guess: number) => ({ ...from("203.0.113.20"), "X-Forwarded-For": `198.51.100.${guess}` });
    for (let guess = 1; guess <= 11; guess += 1) await client.post("/api/auth/login", wrong(), claim(guess));
    expect((await client.post("/api/auth/login", wrong(), claim(200))).status).toBe(429);
  });

  test("another proxy's header can be configured; only its last address, added by that proxy, counts", async () => {
    const client = behindAnother.visitor();
    const claim = (guess: number, address = "203.0.113.30") => ({
      "X-Forwarded-For": `198.51.100.${guess}, ${address}`,
      "Fly-Client-IP": `198.51.100.${guess}`,
    });
    for (let guess = 1; guess <= 11; guess += 1) await client.post("/api/auth/login", wrong(), claim(guess));
    expect((await client.post("/api/auth/login", wrong(), claim(200))).status).toBe(429);
    expect((await client.post("/api/auth/login", wrong(), claim(200, "203.0.113.31"))).status).toBe(401);
    expect((await client.get("/login", { Host: "practice.example:443" })).status).toBe(200);
  });
});
