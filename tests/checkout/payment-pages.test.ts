// Proves payment through the site's pages, hosted checkout, the simulator, and that card data stays secret.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startServer } from "../support/servers/server-process.ts";
import { findPaymentsAt } from "../support/database/database-dump.ts";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { db, testing, family, setTestClock, template, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const MINUTE = 60_000;
let time = NOW;
setTestClock(() => time);

const hours = openHours();

function* openHours(): Generator<string, string> {
  for (let day = Date.parse("2027-01-02T15:00Z"); ; day += 24 * 60 * MINUTE) {
    if ([0, 1, 6].includes(new Date(day).getUTCDay())) yield new Date(day).toISOString();
  }
}

let maria: Family;

beforeAll(async () => {
  maria = await family({ intake: true });
});

const bookingFields = (at: string) => ({
  title: "Hourly Consulting",
  slot: at,
  duration: "60",
  type: "consultation",
  paymentMethod: "online",
});

async function startPayment(person: TestClient, at = hours.next().value) {
  const response = await person.form("/appointments/new", bookingFields(at));
  expect(response.headers.location).toBe("/appointments/pay");
  return at;
}

/** Follows a page that leads on by itself, as a browser without scripts does. */
async function toProvider(person: TestClient) {
  const response = await person.form("/appointments/pay", { intent: "hosted" });
  expect(response.headers.location).toBe("/appointments/pay/checkout");
  const { document: page } = await person.get("/appointments/pay/checkout");
  const refresh = page.querySelector('meta[http-equiv="refresh"]')?.getAttribute("content") ?? "";
  const [, address = ""] = /^0; url=(.*)$/.exec(refresh) ?? [];
  return address;
}

describe("the payment dialog", () => {
  test("shows the service, the amount, and that the site never sees the card", async () => {
    await startPayment(maria);
    const { status, visibleText: dialogText } = await maria.get("/appointments/pay");
    expect(status).toBe(200);
    for (const text of [
      "Complete Payment",
      "Payment Required",
      "Hourly Consulting",
      "Amount$75",
      "we never see it",
      "Pay $75",
      "Cancel",
    ]) {
      expect(dialogText).toContain(text);
    }
  });

  test("redirects a repeated payment to the booked visit without a second charge; another family can't reuse it", async () => {
    const isabel = await family({ intake: true });
    await startPayment(isabel);
    const { document } = await isabel.get("/appointments/pay");
    const field = (name: string) => document.querySelector(`[name=${name}]`)?.getAttribute("value") ?? "";
    const payment = { intent: "card", cents: "7500", key: field("key"), version: field("version") };
    const paid = await isabel.form("/appointments/pay", { ...payment, sourceId: "cnon:card-nonce-ok" });
    expect(paid.headers.location).toMatch(/^\/appointments\/\d+\/booked$/);
    const again = await isabel.form("/appointments/pay", { ...payment, sourceId: "cnon:card-nonce-ok again" });
    expect(again.headers.location).toBe(paid.headers.location);
    expect((await isabel.get("/api/appointments")).json).toHaveLength(1);
    expect(await db.payment.count({ where: { userId: isabel.id } })).toBe(1);
    const hostile = { key: ["a\0b", "k".repeat(16_000)], cents: ["7500.0", "0x10"], sourceId: ["a\0b"] };
    for (const [name, values] of Object.entries(hostile))
      for (const value of values) {
        const response = await isabel.form("/appointments/pay", { ...payment, [name]: value });
        expect([name, value.slice(0, 9), response.status < 500]).toEqual([name, value.slice(0, 9), true]);
      }
    const { id } = (await isabel.get("/api/appointments")).json[0];
    await isabel.delete(`/api/appointments/${id}`);
    const afterwards = await isabel.form("/appointments/pay", { ...payment, sourceId: "cnon:card-nonce-ok" });
    expect(afterwards.headers.location).toBe("/appointments/new?again=payment");
    const other = await family({ intake: true });
    const stolen = await other.form("/appointments/pay", { ...payment, sourceId: "cnon:card-nonce-ok" });
    expect(stolen.headers.location).toBe("/appointments/new?again=payment");
  });

  test("charges the amount that it shows, even when the terms list another price", async () => {
    expect((await visitor().get("/terms-of-service")).visibleText).toContain("Initial Consultation: $50");
    const isabel = await family({ intake: true });
    const booking = { ...bookingFields(hours.next().value), title: "Initial Consultation", duration: "90" };
    expect((await isabel.form("/appointments/new", booking)).headers.location).toBe("/appointments/pay");
    const { document, visibleText: dialogText } = await isabel.get("/appointments/pay");
    expect(dialogText).toContain("Amount$75");
    const field = (name: string) => document.querySelector(`[name=${name}]`)?.getAttribute("value") ?? "";
    const payment = { intent: "card", key: field("key"), version: field("version"), sourceId: "cnon:card-nonce-ok" };
    const listed = await isabel.form("/appointments/pay", { ...payment, cents: "5000" });
    expect([listed.status, await db.payment.count({ where: { userId: isabel.id } })]).toEqual([422, 0]);
    expect((await isabel.form("/appointments/pay", { ...payment, cents: "7500" })).headers.location).toMatch(/booked$/);
    const { amountCents, state } = await db.payment.findFirstOrThrow({ where: { userId: isabel.id } });
    expect([amountCents, state]).toEqual([7500, "paid"]);
  });

  test("is the only page whose Content-Security-Policy allows Square's scripts and frames", async () => {
    const policies = await Promise.all(
      ["/appointments/pay", "/appointments", "/dashboard"].map(async (page) => {
        const { headers } = await maria.get(page);
        return String(headers["content-security-policy"]);
      }),
    );
    for (const policy of policies) expect(policy).not.toContain("squarecdn");
    const changes = {
      PAYMENTS: "square",
      SQUARE_APPLICATION_ID: "a",
      SQUARE_LOCATION_ID: "l",
      SQUARE_ACCESS_TOKEN: "t",
    };
    const square = await startServer({ template, overrides: changes });
    const person = await square.family({ intake: true });
    await startPayment(person, new Date(nextOpenHour()).toISOString());
    const policyOf = async (page: string) => String((await person.get(page)).headers["content-security-policy"]);
    expect(await policyOf("/appointments/pay")).toMatch(/script-src [^;]*https:\/\/sandbox\.web\.squarecdn\.com/);
    expect(await policyOf("/appointments/pay")).toMatch(/frame-src [^;]*cardinalcommerce\.com/);
    for (const page of ["/appointments", "/appointments/new", "/dashboard"]) {
      expect(await policyOf(page)).not.toMatch(/square|cardinal/);
    }
    square.kill("SIGTERM");
    expect(await square.ended).toBe(0);
  });
});

describe("a draft that was changed in another tab while the payment dialog was open", () => {
  test("is not booked with any payment method until the dialog shows the change; changed notes don't matter", async () => {
    const shown = new Date(await startPayment(maria));
    const { document } = await maria.get("/appointments/pay");
    const versions = [...document.querySelectorAll("[name=version]")].map((field) => field.getAttribute("value"));
    const key = document.querySelector("[name=key]")?.getAttribute("value") ?? "";
    expect(new Set(versions)).toEqual(new Set([expect.any(String)]));
    const version = versions[0] ?? "";
    const other = hours.next().value;
    const before = await maria.get("/api/appointments");
    const changes = [{ slot: other }, { duration: "90" }, { type: "emergency" }, { title: "Monthly Retainer" }];
    for (const change of changes) {
      await maria.form("/appointments/new/draft", { ...bookingFields(shown.toISOString()), ...change });
      for (const intent of ["in-person", "hosted", "card"]) {
        const card = { sourceId: "cnon:card-nonce-ok", cents: "7500", key };
        const response = await maria.form("/appointments/pay", { intent, version, ...card });
        expect([change, intent, response.headers.location]).toEqual([change, intent, "/appointments/pay"]);
        const page = await maria.follow(response);
        expect(page.visibleText).toContain("Nothing is booked or paid yet: please check what it says now.");
      }
    }
    expect((await maria.get("/api/appointments")).json).toEqual(before.json);
    await maria.form("/appointments/new/draft", { ...bookingFields(shown.toISOString()), notes: "By bus." });
    const paid = await maria.form("/appointments/pay", { intent: "in-person", version });
    expect(paid.headers.location).toMatch(/^\/appointments\/\d+\/booked$/);
  });

  test("is reported on the next page, not in the answer to a renewal of the hold, which nobody sees", async () => {
    await startPayment(maria);
    const response = await maria.form("/appointments/pay", { intent: "in-person", version: "older" });
    expect(response.headers.location).toBe("/appointments/pay");
    expect((await maria.form("/appointments/pay", { intent: "hold" })).status).toBe(200);
    expect((await maria.follow(response)).visibleText).toContain("Your booking has changed");
  });
});

/** A Monday to come, by the real clock, at noon in New York. */
function nextOpenHour(): number {
  const day = new Date(Date.now() + 8 * 24 * 60 * MINUTE);
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7));
  return day.setUTCHours(17, 0, 0, 0);
}

describe("without JavaScript", () => {
  test("a family pays on the provider's page, returns, and its visit is booked and paid once", async () => {
    const at = await startPayment(maria);
    const page = await toProvider(maria);
    expect((await maria.get(page)).visibleText).toContain("No real card is charged");
    const declined = await maria.form(page, { number: "1111 1111 1111 0002" });
    expect([declined.status, declined.visibleText]).toEqual([402, expect.stringContaining("GENERIC_DECLINE")]);
    const paid = await maria.form(page, { number: "1111 1111 1111 1111" });
    const back = await maria.follow(paid);
    for (const text of ["Payment Successful", "Your appointment has been booked and payment processed", "PAID"]) {
      expect(back.visibleText).toContain(text);
    }
    expect((await maria.get("/dashboard")).visibleText).toContain("PAID");
    const row = await db.appointment.findFirstOrThrow({ where: { appointmentDate: at } });
    expect(row).toMatchObject({ paymentStatus: "paid", paymentMethod: "online", paymentAmountCents: 7500 });
    expect((await maria.follow(await maria.form(page, { number: "1111 1111 1111 1111" }))).status).toBe(200);
    expect(await db.payment.count({ where: { appointmentId: row.id } })).toBe(1);
  });

  test("opening the return link again does not change a newer draft or its hold", async () => {
    const isabel = await family({ intake: true });
    await startPayment(isabel);
    const paid = await isabel.form(await toProvider(isabel), { number: "1111 1111 1111 1111" });
    const returnPath = String(paid.headers.location);
    expect((await isabel.follow(await isabel.get(returnPath))).visibleText).toContain("Payment Successful");
    await startPayment(isabel);
    const response = await isabel.get(returnPath);
    expect(response.headers.location).toMatch(/^\/appointments\/\d+\/booked$/);
    const again = await isabel.follow(response);
    expect(again.visibleText).not.toContain("Payment Successful");
    expect((await isabel.get("/appointments/pay")).status).toBe(200);
    expect(await db.hold.count({ where: { userId: isabel.id, expiresAt: { gt: time } } })).toBe(1);
  });

  test("the time is held for 15 minutes while the provider's page is open, and then free for others", async () => {
    const at = await startPayment(maria);
    const page = await toProvider(maria);
    const devon = await family({ intake: true });
    const inPerson = { title: "Hourly Consulting", appointmentDate: at };
    expect((await devon.post("/api/appointments/in-person", inPerson)).status).toBe(409);
    expect((await devon.get("/api/appointments")).json).toEqual([]);
    expect(
      (await maria.get("/api/appointments")).json.some(
        (row: { appointmentDate: string }) => row.appointmentDate === at,
      ),
    ).toBe(false);
    time = new Date(time.getTime() + 15 * MINUTE);
    expect((await devon.post("/api/appointments/in-person", inPerson)).status).toBe(201);
    await testing.reconcilePayments();
    expect((await maria.get(page)).status).toBe(404);
    expect((await maria.form(page, { number: "1111 1111 1111 1111" })).status).toBe(402);
  });

  test("booking in person instead keeps that visit, and a later payment on the provider's page is refunded", async () => {
    const at = await startPayment(maria);
    const page = await toProvider(maria);
    expect(
      (await maria.post("/api/appointments/in-person", { title: "Hourly Consulting", appointmentDate: at })).status,
    ).toBe(201);
    const paid = await maria.form(page, { number: "1111 1111 1111 1111" });
    await maria.follow(paid);
    const [row] = await findPaymentsAt(db, at);
    expect(row).toMatchObject({
      state: "paid",
      appointmentId: null,
      refundedCents: 7500,
      refunds: [{ state: "done" }],
    });
    expect(await db.appointment.count({ where: { appointmentDate: at, paymentStatus: "pending" } })).toBe(1);
  });

  test("the return page of a payment opens only for its family, and shows how long the time is held", async () => {
    await startPayment(maria);
    await toProvider(maria);
    const { id } = await db.payment.findFirstOrThrow({ where: { userId: maria.id }, orderBy: { id: "desc" } });
    const devon = await family({ intake: true });
    expect((await devon.get(`/appointments/pay/return?payment=${id}`)).headers.location).toBe("/appointments");
    const back = await maria.get(`/appointments/pay/return?payment=${id}`);
    expect(back.visibleText).toContain("haven't heard about a payment from the card provider yet");
    expect(back.visibleText).toMatch(/We hold your time until \d+:\d\d [AP]M ET\. You can also pay another way\./);
    expect(back.document.querySelector("dialog a[href='/appointments/pay']")?.textContent).toBe("Other ways to pay");
    expect((await maria.get("/appointments/pay/return?payment=1%20OR%201")).headers.location).toBe("/appointments");
    expect((await visitor().get("/simulated-checkout/none")).status).toBe(404);
  });
});

describe("the simulator", () => {
  const pay = (sourceId: string, at = hours.next().value) =>
    maria.post("/api/payments/process", {
      sourceId,
      amount: 75,
      appointmentData: { title: "Hourly Consulting", appointmentDate: at },
    });

  test.each([
    ["cnon:card-nonce-ok", 200],
    ["cnon:card-nonce-asks-first", 200],
    ["cnon:card-nonce-declined", 402],
    ["cnon:card-nonce-rejected-cvv", 402],
    ["cnon:card-nonce-outage", 502],
    ["no card of the simulator's", 402],
  ])("answers %s with %i", async (token, status) => {
    expect((await pay(token)).status).toBe(status);
  });

  test("keeps its ledger over a restart, so that an earlier payment can be refunded", async () => {
    const first = await startServer({ template });
    const person = await first.family({ intake: true });
    const at = new Date(nextOpenHour()).toISOString();
    const paid = await person.post("/api/payments/process", {
      sourceId: "cnon:card-nonce-ok",
      amount: 75,
      appointmentData: { title: "Hourly Consulting", appointmentDate: at },
    });
    expect(paid.status).toBe(200);
    first.kill("SIGKILL");
    await first.ended;
    const { DATABASE_URL, DATA_DIR, PORT, APP_ORIGIN } = first.environment;
    const second = await startServer({ template, overrides: { DATABASE_URL, DATA_DIR, PORT, APP_ORIGIN } });
    const response = await person.delete(`/api/appointments/${paid.json.appointment.id}`);
    expect([response.status, response.json.refund]).toEqual([200, 75]);
    second.kill("SIGTERM");
    await second.ended;
  });

  test("prevents the start of a public site; with PAYMENTS=off the payment API returns 503", async () => {
    const off = await startServer({ template, overrides: { PAYMENTS: "off" } });
    const person = await off.family({ intake: true });
    expect((await person.get("/api/payments/config")).status).toBe(503);
    const appointmentData = { title: "Hourly Consulting", appointmentDate: new Date(nextOpenHour()).toISOString() };
    const order = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData };
    expect((await person.post("/api/payments/process", order)).status).toBe(503);
    expect((await person.get("/appointments/new")).visibleText).not.toContain("Pay online");
    expect((await person.get("/simulated-checkout/none")).status).toBe(404);
    off.kill("SIGTERM");
    await off.ended;
    const isPublic = { APP_ORIGIN: "https://www.example.com", PAYMENTS: "simulator" };
    await expect(startServer({ template, overrides: isPublic })).rejects.toThrow(/PAYMENTS must not be simulator/);
    const keys = { SQUARE_APPLICATION_ID: "sandbox-sq0idb-x", SQUARE_LOCATION_ID: "l", SQUARE_ACCESS_TOKEN: "t" };
    const sandbox = {
      ...isPublic,
      ...keys,
      PAYMENTS: "square",
      SQUARE_ENVIRONMENT: "sandbox",
      SQUARE_BASE_URL: "http://localhost:1",
    };
    await expect(startServer({ template, overrides: sandbox })).rejects.toThrow(
      /SQUARE_ENVIRONMENT must be production[^]*SQUARE_APPLICATION_ID must not[^]*SQUARE_BASE_URL is for tests/,
    );
  });
});

describe("no card number, token or secret", () => {
  /** A number that passes every check of a card number, made here so that it stands nowhere. */
  const canary = `4${"0".repeat(11)}1000`.replace(
    /.$/,
    (last, at: number, all: string) => checkDigit(all.slice(0, at)) || last,
  );

  test("appears in a response, the log or stored files, whichever field it was sent in", async () => {
    expect(canary).toMatch(/^4\d{15}$/);
    const site = await startServer({ template, overrides: { SQUARE_ACCESS_TOKEN: "a-token-that-must-not-show" } });
    const person = await site.family({ intake: true });
    const at = new Date(nextOpenHour()).toISOString();
    const order = {
      sourceId: "cnon:card-nonce-ok",
      amount: 75,
      appointmentData: { title: "Hourly Consulting", appointmentDate: at },
    };
    const responses = [
      await person.post("/api/payments/process", { ...order, sourceId: canary }),
      await person.post("/api/payments/process", { ...order, amount: canary }),
      await person.post("/api/payments/process", { ...order, idempotencyKey: { number: canary } }),
      await person.post("/api/payments/process", { ...order, cardNumber: canary }),
      await person.form("/appointments/pay", { intent: "card", sourceId: canary, cents: "7500", key: "k" }),
      await person.form("/appointments/pay", { intent: "hosted", number: canary }),
      await person.get("/api/payments/config"),
      await person.get("/appointments/pay"),
    ];
    for (const response of responses)
      expect(response.text).not.toMatch(new RegExp(`${canary}|a-token-that-must-not-show`));
    expect(responses.some(({ status }) => status === 402)).toBe(true);
    site.kill("SIGTERM");
    await site.ended;
    expect(site.output()).not.toMatch(new RegExp(`${canary}|a-token-that-must-not-show|card-nonce`));
    const storedFiles = filesBelow(site.folder).map((file) => readFileSync(file, "latin1"));
    expect(storedFiles.length).toBeGreaterThan(0);
    for (const text of storedFiles) expect(text).not.toContain(canary);
  });

  test("appears in the repository", () => {
    const root = path.resolve(import.meta.dirname, "../..");
    const sources = ["app", "bin", "tests", "prisma", "docs", "public"].flatMap((name) =>
      filesBelow(path.join(root, name)),
    );
    expect(sources.length).toBeGreaterThan(100);
    const found = sources
      .filter((file) => !file.includes("/client/"))
      .flatMap((file) => {
        const text = readFileSync(file, "latin1");
        const numbers = text.match(/(?<![\w.-])[3-6]\d{3}[ -]?\d{4}[ -]?\d{4}[ -]?\d{3,4}(?![\w.-])/g) ?? [];
        const cards = numbers
          .map((each) => each.replace(/\D/g, ""))
          .filter((each) => checkDigit(each.slice(0, -1)) === each.at(-1));
        const secrets = text.match(/sq0(atp|csp|idp)-[\w-]{20,}|(?<![\w+/])EAAA[El][\w-]{55,}/g) ?? [];
        return [...cards, ...secrets].map((each) => `${path.relative(root, file)}: ${each}`);
      });
    expect(found).toEqual([]);
  });

  function checkDigit(digits: string): string {
    const sum = [...digits].toReversed().reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    return String((10 - (sum % 10)) % 10);
  }
});

function filesBelow(start: string): string[] {
  return readdirSync(start).flatMap((name) => {
    const file = path.join(start, name);
    return statSync(file).isDirectory() ? filesBelow(file) : statSync(file).size < 5_000_000 ? [file] : [];
  });
}
