// Proves paying by card through the API: once, for the right amount, never without a booking.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { findPaymentsAt } from "../support/database/database-dump.ts";
import { type Family, intakeForm } from "../support/people.ts";
import {
  findCharges,
  cardPaymentBody,
  advanceTime,
  expireTimeoutsWhenSilent,
  PROVIDER_TIMEOUT_MS,
  reconcileAfterLease,
  site,
  openSlots,
  square,
} from "../support/site-with-square.ts";

const { consultant, db, family, visitor } = site;

let maria: Family;
let devon: Family;
let admin: TestClient;

beforeAll(async () => {
  maria = await family({ intake: true });
  devon = await family({ intake: true });
  admin = await consultant();
});

const pay = (who: TestClient, sent: object, headers = {}) => who.post("/api/payments/process", sent, headers);
const statuses = (responses: { status: number }[]) => responses.map(({ status }) => status).sort((a, b) => a - b);
const isFree = async (who: TestClient, instant: string) => {
  const at = new Date(new Date(instant).getTime() - 5 * 3_600_000).toISOString();
  const query = `date=${at.slice(0, 10)}&time=${at.slice(11, 16)}&duration=60`;
  return (await who.get(`/api/appointments/availability?${query}`)).json.available as boolean;
};

describe("paying by card", () => {
  test("a family pays, is booked, and is charged the server's price once", async () => {
    const at = openSlots.next().value;
    const response = await pay(maria, cardPaymentBody({ appointmentDate: at }));
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    const [charge, ...more] = await findCharges(at);
    expect(more).toEqual([]);
    expect(charge).toMatchObject({ status: "COMPLETED", amount: 7500 });
    expect(Object.keys(response.json).sort()).toEqual(["amount", "appointment", "paymentId", "success"]);
    expect(response.json).toMatchObject({
      success: true,
      amount: 75,
      paymentId: charge?.id,
      appointment: {
        userId: maria.id,
        paymentStatus: "paid",
        paymentId: charge?.id,
        paymentAmount: 75,
        status: "scheduled",
      },
    });
    expect(response.json.appointment.paymentDate).not.toBeNull();
    expect((await maria.get(`/api/appointments/${response.json.appointment.id}`)).json).toEqual(
      response.json.appointment,
    );
    expect(await db.hold.count({ where: { userId: maria.id } })).toBe(0);
  });

  test("a description in the words of an unreadable text is a description like any other", async () => {
    const noor = await family({ intake: true });
    const description = "This text can’t be opened at the moment. Please call us.";
    const body = cardPaymentBody();
    const appointmentData = { ...(body.appointmentData as object), description };
    const response = await pay(noor, { ...body, appointmentData });
    expect([response.status, response.json.appointment?.description]).toEqual([200, description]);
    const intake = { ...intakeForm(noor), diagnosis: description };
    expect((await noor.post("/api/intake-forms", intake)).status).toBe(200);
    const replaced = await noor.post("/api/intake-forms", { ...intake, diagnosis: "autism" });
    expect([replaced.status, replaced.json.diagnosis]).toEqual([200, "autism"]);
  });

  test("each state it passed is written down, and Square is told nothing of the visit", async () => {
    const at = openSlots.next().value;
    const before = square.calls.length;
    await pay(maria, cardPaymentBody({ appointmentDate: at, title: "Zebra meeting about Leo" }));
    const [row] = await findPaymentsAt(db, at);
    expect(row?.transitions.map(({ state }) => state)).toEqual(["started", "authorized", "booked", "paid"]);
    const told = JSON.stringify(square.calls.slice(before).map(({ path, body }) => [path, body]));
    expect(told).toContain(row?.key);
    expect(told).not.toMatch(/Zebra|Leo|Maria|example\.com/);
  });

  test.each([0, 1, -75, 75.001, 74.99, 1e9, "75", null, [75], { gt: 0 }, true, undefined])(
    "an amount of %j is refused and Square is not asked",
    async (amount) => {
      const before = square.calls.length;
      const response = await pay(maria, { ...cardPaymentBody(), amount });
      expect([response.status, Object.keys(response.json.errors)]).toEqual([422, ["amount"]]);
      expect(square.calls.length).toBe(before);
    },
  );

  test("a title that only looks different has its own price, whatever was sent", async () => {
    for (const title of ["month\u200bly retainer", "MONTHLY  RETAINER", "Ｍonthly Retainer"]) {
      expect((await pay(maria, cardPaymentBody({ title, amount: 75 }))).status).toBe(422);
      expect((await pay(maria, cardPaymentBody({ title, amount: 400 }))).json.amount).toBe(400);
    }
    expect((await pay(maria, cardPaymentBody({ title: "Add-On Services" }))).json.errors).toHaveProperty("title");
  });

  test.each([
    ["no card token", { sourceId: "" }, "sourceId"],
    ["a token that is no text", { sourceId: { gt: "" } }, "sourceId"],
    ["no appointment", { appointmentData: undefined }, "appointmentData"],
    ["a list for an appointment", { appointmentData: [] }, "appointmentData"],
    ["a time in the past", { appointmentDate: "2026-11-19T15:00:00Z" }, "appointmentDate"],
    ["a closed hour", { appointmentDate: "2027-01-05T14:00:00Z" }, "appointmentDate"],
    ["a key that is no text", { idempotencyKey: 7 }, "idempotencyKey"],
  ])("%s is refused under its own name", async (_, changes, field) => {
    const before = square.calls.length;
    const response = await pay(maria, {
      ...cardPaymentBody(changes),
      ...("appointmentData" in changes ? changes : {}),
    });
    expect([response.status, Object.keys(response.json.errors)]).toEqual([422, [field]]);
    expect(square.calls.length).toBe(before);
  });

  test("nobody pays before telling their story, and only families pay", async () => {
    const newcomer = await family();
    const message = "Intake Form must be filled out to proceed with appointment";
    expect(await pay(newcomer, cardPaymentBody())).toMatchObject({ status: 422, json: { message } });
    expect((await pay(admin, cardPaymentBody())).status).toBe(403);
    expect((await pay(visitor(), cardPaymentBody())).status).toBe(401);
  });

  test("whoever is signed in may know how to reach the card form, and nothing more", async () => {
    expect((await visitor().get("/api/payments/config")).status).toBe(401);
    expect((await maria.get("/api/payments/config")).json).toEqual({
      environment: "sandbox",
      applicationId: "sandbox-application",
      locationId: "L1",
      scriptUrl: "https://sandbox.web.squarecdn.com/v1/square.js",
    });
  });
});

describe("once", () => {
  test("six clicks with one key are one charge and six equal answers", async () => {
    const at = openSlots.next().value;
    const sent = cardPaymentBody({ appointmentDate: at, idempotencyKey: "six-clicks" });
    const responses = await Promise.all(Array.from({ length: 6 }, () => pay(maria, sent)));
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await findCharges(at)).length).toBe(1);
    const { idempotencyKey, ...plain } = sent;
    expect((await pay(maria, plain, { "Idempotency-Key": String(idempotencyKey) })).text).toBe(responses[0]?.text);
  });

  test("six clicks without a key are one charge and five refusals", async () => {
    const at = openSlots.next().value;
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => pay(maria, cardPaymentBody({ appointmentDate: at }))),
    );
    expect(statuses(responses)).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await findCharges(at)).length).toBe(1);
  });

  test("two families who want one hour are one charge", async () => {
    const at = openSlots.next().value;
    const responses = await Promise.all(
      [maria, devon].map((who) => pay(who, cardPaymentBody({ appointmentDate: at }))),
    );
    expect(statuses(responses)).toEqual([200, 409]);
    expect((await findCharges(at)).map(({ status }) => status)).toEqual(["COMPLETED"]);
    expect(await db.appointment.count({ where: { appointmentDate: at } })).toBe(1);
  });

  test("a key used for something else is refused, and a family's keys are its own", async () => {
    const sent = cardPaymentBody({ idempotencyKey: "shared-key" });
    expect((await pay(maria, sent)).status).toBe(200);
    const other = await pay(maria, { ...sent, sourceId: "cnon:card-nonce-declined" });
    expect([other.status, Object.keys(other.json.errors)]).toEqual([422, ["idempotencyKey"]]);
    expect((await pay(maria, cardPaymentBody({ idempotencyKey: "shared-key" }))).status).toBe(422);
    expect((await pay(devon, cardPaymentBody({ idempotencyKey: "shared-key" }))).status).toBe(200);
  });
});

describe("when the card is declined", () => {
  test("the family reads what to do, the time is free at once, and another card can be tried", async () => {
    const at = openSlots.next().value;
    const sent = cardPaymentBody({
      appointmentDate: at,
      sourceId: "cnon:card-nonce-declined",
      idempotencyKey: "declined-card",
    });
    const response = await pay(maria, sent);
    expect([response.status, response.json.message]).toEqual([
      402,
      "Your card was not charged. Your bank did not say why. Try another card, or call your bank.",
    ]);
    expect(await isFree(devon, at)).toBe(true);
    expect(await findCharges(at)).toEqual([]);
    expect(await pay(maria, sent)).toMatchObject({ status: 402, text: response.text });
    expect((await pay(maria, cardPaymentBody({ appointmentDate: at }))).status).toBe(200);
  });

  test("for its security code, the family is told to check that", async () => {
    const response = await pay(maria, cardPaymentBody({ sourceId: "cnon:card-nonce-rejected-cvv" }));
    expect([response.status, response.json.message]).toEqual([402, expect.stringContaining("security code")]);
  });

  test("a token that Square does not know is a card that is not charged, and Square's own words stand", async () => {
    const response = await pay(maria, cardPaymentBody({ sourceId: "made up" }));
    expect([response.status, response.json.message]).toEqual([
      402,
      "Your card was not charged. There is no such card nonce.",
    ]);
  });
});

describe("when Square fails", () => {
  const authorizing = /^POST \/v2\/payments$/;
  const capturing = /complete$/;
  const once = (path: RegExp, fault: Parameters<typeof failWith>[1]) => failWith(path, fault, 1);

  function failWith(
    path: RegExp,
    fault: NonNullable<ReturnType<NonNullable<Parameters<typeof square.fail>[0]>>>,
    times = Number.POSITIVE_INFINITY,
  ) {
    let left = times;
    square.fail((call) => (path.test(`${call.method} ${call.path}`) && left-- > 0 ? fault : null));
  }

  test.each([
    ["is cut off after the card was reserved", authorizing, { kind: "cut", when: "after" }],
    ["is cut off before", authorizing, { kind: "cut", when: "before" }],
    ["answers 500 once it has reserved", authorizing, { kind: "status", status: 500, when: "after" }],
    ["is asked too often", authorizing, { kind: "status", status: 429, when: "before" }],
    ["is slow", authorizing, { kind: "slow", milliseconds: 300 }],
    ["is cut off after the charge", capturing, { kind: "cut", when: "after" }],
    ["answers 503 to the charge", capturing, { kind: "status", status: 503, when: "before" }],
  ] as const)("once, because it %s, the same key is asked again and one charge is made", async (_, path, fault) => {
    const at = openSlots.next().value;
    once(path, fault);
    const response = await pay(maria, cardPaymentBody({ appointmentDate: at }));
    square.fail();
    expect(response.status).toBe(200);
    expect((await findCharges(at)).map(({ status, amount }) => [status, amount])).toEqual([["COMPLETED", 7500]]);
  });

  test.each([
    ["answers 500", 502, { kind: "status", status: 500, when: "after" }],
    ["never answers", 504, { kind: "silent", when: "after" }],
    ["never answers and never did anything", 504, { kind: "silent", when: "before" }],
    ["refuses our keys", 502, { kind: "status", status: 401, when: "before" }],
  ] as const)("and %s, the family is told so and nothing is charged", async (_, status, fault) => {
    const waits = expireTimeoutsWhenSilent();
    const at = openSlots.next().value;
    failWith(authorizing, fault);
    const response = await pay(maria, cardPaymentBody({ appointmentDate: at }));
    square.fail();
    expect([response.status, response.json.message]).toEqual([status, expect.stringContaining("not charged")]);
    expect(waits).toContain(PROVIDER_TIMEOUT_MS);
    expect(await isFree(devon, at)).toBe(true);
    await reconcileAfterLease();
    expect((await findCharges(at)).every((charge) => charge.status === "CANCELED")).toBe(true);
    const [row] = await findPaymentsAt(db, at);
    expect(row?.state).toMatch(/voided|declined/);
    expect((await pay(devon, cardPaymentBody({ appointmentDate: at }))).status).toBe(200);
  });

  test("to answer the charge, nothing says paid until it is known, and then it does", async () => {
    expireTimeoutsWhenSilent();
    const at = openSlots.next().value;
    failWith(/complete$|^GET/, { kind: "silent", when: "after" });
    const sent = cardPaymentBody({ appointmentDate: at, idempotencyKey: "silent-charge" });
    const response = await pay(maria, sent);
    expect([response.status, response.json.message]).toEqual([504, expect.stringContaining("don't know yet")]);
    const where = { appointmentDate: at };
    expect(await db.appointment.findFirst({ where })).toMatchObject({ paymentStatus: "pending", paymentId: null });
    square.fail();
    await reconcileAfterLease();
    expect(await db.appointment.findFirst({ where })).toMatchObject({ paymentStatus: "paid" });
    expect((await pay(maria, sent)).status).toBe(200);
    expect((await findCharges(at)).map(({ status }) => status)).toEqual(["COMPLETED"]);
  });

  test("and what was reserved is gone, the booking made for it ends unpaid", async () => {
    const at = openSlots.next().value;
    failWith(capturing, { kind: "status", status: 400, when: "before" });
    square.fail((call) => {
      if (capturing.test(call.path))
        for (const each of square.ledger.payments.values()) if (call.path.includes(each.id)) each.status = "CANCELED";
      return null;
    });
    const response = await pay(await family({ intake: true }), cardPaymentBody({ appointmentDate: at }));
    square.fail();
    expect(response.status).toBe(502);
    expect(await db.appointment.findFirst({ where: { appointmentDate: at } })).toMatchObject({
      status: "cancelled",
      paymentStatus: "failed",
      paymentId: null,
    });
    expect(await isFree(devon, at)).toBe(true);
    const told = await db.message.findMany({ where: { event: { in: ["visit-cancelled", "visits-changed"] } } });
    const texts = told.map(({ content }) => content).join("\n");
    for (const text of ["The card payment did not go through", "Canceled, the payment failed"])
      expect(texts).toContain(text);
  });

  test("while a payment is in flight its time is taken for others and for the family itself", async () => {
    const at = openSlots.next().value;
    failWith(authorizing, { kind: "slow", milliseconds: 1_000 });
    const underWay = pay(maria, cardPaymentBody({ appointmentDate: at }));
    await expect.poll(() => db.hold.count({ where: { appointmentDate: at } })).toBe(1);
    expect([await isFree(devon, at), await isFree(maria, at)]).toEqual([false, false]);
    const inPerson = { title: "Hourly Consulting", appointmentDate: at };
    expect((await devon.post("/api/appointments/in-person", inPerson)).status).toBe(409);
    expect((await admin.post("/api/appointments", { ...inPerson, userId: devon.id })).status).toBe(409);
    expect((await pay(maria, cardPaymentBody({ appointmentDate: at }))).status).toBe(409);
    expect(
      (await maria.get("/api/appointments")).json.some(
        (row: { appointmentDate: string }) => row.appointmentDate === at,
      ),
    ).toBe(false);
    square.fail();
    expect((await underWay).status).toBe(200);
    advanceTime(0);
  });
});
