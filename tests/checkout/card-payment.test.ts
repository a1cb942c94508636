// Proves card payments through the API: one charge, for the right amount, never without a booking.
import { beforeAll, describe, expect, test, vi } from "vitest";
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

  test("a description or diagnosis equal to the undecryptable-text message is stored like any other text", async () => {
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

  test("each payment state is recorded, and Square gets no details of the visit or the family", async () => {
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
    "an amount of %j gets 422 and no request is sent to Square",
    async (amount) => {
      const before = square.calls.length;
      const response = await pay(maria, { ...cardPaymentBody(), amount });
      expect([response.status, Object.keys(response.json.errors)]).toEqual([422, ["amount"]]);
      expect(square.calls.length).toBe(before);
    },
  );

  test("a title that differs only in case, width or spacing has its service's price; other amounts get 422", async () => {
    for (const title of ["month\u200bly retainer", "MONTHLY  RETAINER", "Ｍonthly Retainer"]) {
      expect((await pay(maria, cardPaymentBody({ title, amount: 75 }))).status).toBe(422);
      expect((await pay(maria, cardPaymentBody({ title, amount: 400 }))).json.amount).toBe(400);
    }
    expect((await pay(maria, cardPaymentBody({ title: "Add-On Services" }))).json.errors).toHaveProperty("title");
  });

  test.each([
    ["no card token", { sourceId: "" }, "sourceId"],
    ["a card token that is not a string", { sourceId: { gt: "" } }, "sourceId"],
    ["no appointment", { appointmentData: undefined }, "appointmentData"],
    ["an array as the appointment", { appointmentData: [] }, "appointmentData"],
    ["a time in the past", { appointmentDate: "2026-11-19T15:00:00Z" }, "appointmentDate"],
    ["a closed hour", { appointmentDate: "2027-01-05T14:00:00Z" }, "appointmentDate"],
    ["an idempotency key that is not a string", { idempotencyKey: 7 }, "idempotencyKey"],
  ])("%s gets 422 with an error for its field, and no request is sent to Square", async (_, changes, field) => {
    const before = square.calls.length;
    const response = await pay(maria, {
      ...cardPaymentBody(changes),
      ...("appointmentData" in changes ? changes : {}),
    });
    expect([response.status, Object.keys(response.json.errors)]).toEqual([422, [field]]);
    expect(square.calls.length).toBe(before);
  });

  test("paying without an intake form gets 422, as the consultant 403, and without a session 401", async () => {
    const newcomer = await family();
    const message = "Intake Form must be filled out to proceed with appointment";
    expect(await pay(newcomer, cardPaymentBody())).toMatchObject({ status: 422, json: { message } });
    expect((await pay(admin, cardPaymentBody())).status).toBe(403);
    expect((await pay(visitor(), cardPaymentBody())).status).toBe(401);
  });

  test("the card form settings are for signed-in users, and contain only public values", async () => {
    expect((await visitor().get("/api/payments/config")).status).toBe(401);
    expect((await maria.get("/api/payments/config")).json).toEqual({
      environment: "sandbox",
      applicationId: "sandbox-application",
      locationId: "L1",
      scriptUrl: "https://sandbox.web.squarecdn.com/v1/square.js",
    });
  });
});

describe("repeated and concurrent card payments", () => {
  test("six requests with one idempotency key make one charge and get identical responses", async () => {
    const at = openSlots.next().value;
    const sent = cardPaymentBody({ appointmentDate: at, idempotencyKey: "six-clicks" });
    const responses = await Promise.all(Array.from({ length: 6 }, () => pay(maria, sent)));
    expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect((await findCharges(at)).length).toBe(1);
    const { idempotencyKey, ...plain } = sent;
    expect((await pay(maria, plain, { "Idempotency-Key": String(idempotencyKey) })).text).toBe(responses[0]?.text);
  });

  test("six requests without an idempotency key make one charge; five get 409", async () => {
    const at = openSlots.next().value;
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => pay(maria, cardPaymentBody({ appointmentDate: at }))),
    );
    expect(statuses(responses)).toEqual([200, 409, 409, 409, 409, 409]);
    expect((await findCharges(at)).length).toBe(1);
  });

  test("two families paying for the same time make one charge; one gets 409", async () => {
    const at = openSlots.next().value;
    const responses = await Promise.all(
      [maria, devon].map((who) => pay(who, cardPaymentBody({ appointmentDate: at }))),
    );
    expect(statuses(responses)).toEqual([200, 409]);
    expect((await findCharges(at)).map(({ status }) => status)).toEqual(["COMPLETED"]);
    expect(await db.appointment.count({ where: { appointmentDate: at } })).toBe(1);
  });

  test("an idempotency key reused for another request gets 422, but another family can use the same key", async () => {
    const sent = cardPaymentBody({ idempotencyKey: "shared-key" });
    expect((await pay(maria, sent)).status).toBe(200);
    const other = await pay(maria, { ...sent, sourceId: "cnon:card-nonce-declined" });
    expect([other.status, Object.keys(other.json.errors)]).toEqual([422, ["idempotencyKey"]]);
    expect((await pay(maria, cardPaymentBody({ idempotencyKey: "shared-key" }))).status).toBe(422);
    expect((await pay(devon, cardPaymentBody({ idempotencyKey: "shared-key" }))).status).toBe(200);
  });
});

describe("when the card is declined", () => {
  test("the family gets instructions, the time is free at once, and another card can pay for it", async () => {
    const at = openSlots.next().value;
    const sent = cardPaymentBody({
      appointmentDate: at,
      sourceId: "cnon:card-nonce-declined",
      idempotencyKey: "declined-card",
    });
    const response = await pay(maria, sent);
    expect([response.status, response.json.message]).toEqual([
      402,
      "Your card was not charged. Your bank didn't say why. Try another card, or call your bank.",
    ]);
    expect(await isFree(devon, at)).toBe(true);
    expect(await findCharges(at)).toEqual([]);
    expect(await pay(maria, sent)).toMatchObject({ status: 402, text: response.text });
    expect((await pay(maria, cardPaymentBody({ appointmentDate: at }))).status).toBe(200);
  });

  test("because of its security code, the message names the security code", async () => {
    const response = await pay(maria, cardPaymentBody({ sourceId: "cnon:card-nonce-rejected-cvv" }));
    expect([response.status, response.json.message]).toEqual([402, expect.stringContaining("security code")]);
  });

  test("because Square does not know its token, the response is 402 with Square's error text", async () => {
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
    ["connection cut after the authorization", authorizing, { kind: "cut", when: "after" }],
    ["connection cut before the authorization", authorizing, { kind: "cut", when: "before" }],
    ["500 after the authorization", authorizing, { kind: "status", status: 500, when: "after" }],
    ["429 to the authorization", authorizing, { kind: "status", status: 429, when: "before" }],
    ["slow authorization", authorizing, { kind: "slow", milliseconds: 300 }],
    ["connection cut after the capture", capturing, { kind: "cut", when: "after" }],
    ["503 to the capture", capturing, { kind: "status", status: 503, when: "before" }],
  ] as const)("once (%s), the payment still succeeds with exactly one charge", async (_, path, fault) => {
    const at = openSlots.next().value;
    once(path, fault);
    const response = await pay(maria, cardPaymentBody({ appointmentDate: at }));
    square.fail();
    expect(response.status).toBe(200);
    expect((await findCharges(at)).map(({ status, amount }) => [status, amount])).toEqual([["COMPLETED", 7500]]);
  });

  test.each([
    ["500 after each authorization", 502, { kind: "status", status: 500, when: "after" }],
    ["no response, but an authorization", 504, { kind: "silent", when: "after" }],
    ["no response and no authorization", 504, { kind: "silent", when: "before" }],
    ["401 for our access token", 502, { kind: "status", status: 401, when: "before" }],
  ] as const)(
    "every time (%s), the family gets an error, nothing is charged, and the time is free again",
    async (_, status, fault) => {
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
    },
  );

  test("to answer the capture, the visit stays pending until reconciliation finds that it is paid", async () => {
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

  test("to capture a canceled authorization, the visit is canceled, the time is free, and both sides are notified", async () => {
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

  test("to respond quickly, nobody, including the paying family, can book the time during the payment", async () => {
    const at = openSlots.next().value;
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    failWith(authorizing, { kind: "held", until });
    const noTimeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => new AbortController().signal);
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
    answer();
    expect((await underWay).status).toBe(200);
    noTimeout.mockRestore();
    square.fail();
    advanceTime(0);
  });
});
