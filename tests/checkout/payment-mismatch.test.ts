// Proves that a payment that differs from the request is never booked, and is canceled or refunded.
import { createHmac } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { findPaymentsAt } from "../support/database/database-dump.ts";
import type { Family } from "../support/people.ts";
import {
  findCharges,
  cardPaymentBody,
  advanceTime,
  reconcileAfterLease,
  signatureKey,
  site,
  openSlots,
  square,
} from "../support/site-with-square.ts";
import type { SquarePayment } from "../support/servers/fake-square-ledger.ts";

const { consultant, db, testing, family, visitor } = site;
const MINUTE = 60_000;

let maria: Family;
let devon: Family;
let admin: TestClient;

beforeAll(async () => {
  maria = await family({ intake: true });
  devon = await family({ intake: true });
  admin = await consultant();
});

afterEach(async () => {
  square.fail();
  square.ledger.paymentOverrides = {};
  square.ledger.orderOverrides = {};
  // Every site starts the next test with nothing to report.
  await db.payment.updateMany({ data: { mismatch: null } });
});

async function rowAt(at: string) {
  const [row] = await findPaymentsAt(db, at);
  if (!row) throw new Error(`Nobody tried to pay for ${at}.`);
  return row;
}
const appointmentsAt = (at: string) =>
  db.appointment.findMany({
    where: { appointmentDate: at },
    select: { status: true, paymentStatus: true, paymentId: true },
  });

async function isFree(at: string) {
  const local = new Date(new Date(at).getTime() - 5 * 60 * MINUTE).toISOString();
  const query = `date=${local.slice(0, 10)}&time=${local.slice(11, 16)}&duration=60`;
  return (await devon.get(`/api/appointments/availability?${query}`)).json.available as boolean;
}

/** What the consultant reads about payments. */
async function warnings() {
  await testing.refreshWarnings();
  return (await admin.get("/dashboard")).visibleText;
}

/** Opens Square's page as a browser without scripts does; its path at the stand-in. */
async function hostedPage(at = openSlots.next().value, who: TestClient = maria) {
  const bookingFields = {
    title: "Hourly Consulting",
    slot: at,
    duration: "60",
    type: "consultation",
    paymentMethod: "online",
  };
  expect((await who.form("/appointments/new", bookingFields)).headers.location).toBe("/appointments/pay");
  expect((await who.form("/appointments/pay", { intent: "hosted" })).headers.location).toBe(
    "/appointments/pay/checkout",
  );
  const { id, checkoutUrl, orderId } = await rowAt(at);
  return { at, id, url: checkoutUrl ?? "", orderId: orderId ?? "" };
}

const payThere = (url: string) => fetch(url, { method: "POST", redirect: "manual" });
const chargesOf = (orderId: string) => [...square.ledger.payments.values()].filter((each) => each.order_id === orderId);
const moneyAt = (charges: SquarePayment[]) => charges.map(({ status, refunded }) => [status, refunded]);

function sendWebhook(payment: object) {
  const body = JSON.stringify({ type: "payment.updated", data: { object: { payment } } });
  const signature = createHmac("sha256", signatureKey)
    .update(`${site.origin}/api/payments/webhook${body}`)
    .digest("base64");
  const headers = { "Content-Type": "application/json", "x-square-hmacsha256-signature": signature };
  return visitor().request("POST", "/api/payments/webhook", { headers, body });
}

describe("a card payment that differs from the request", () => {
  test("is refunded in full, and the time is free, when its booking data can't be decrypted", async () => {
    const { at, id, url, orderId } = await hostedPage();
    await db.$executeRaw`UPDATE payments SET booking = ${"sealed:1:lost:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"} WHERE id = ${id}`;
    await payThere(url);
    await maria.get(`/appointments/pay/return?payment=${id}`);
    await expect.poll(() => moneyAt(chargesOf(orderId))).toEqual([["COMPLETED", 7500]]);
    expect([await appointmentsAt(at), await isFree(at)]).toEqual([[], true]);
  });

  test.each<[string, Partial<SquarePayment>]>([
    ["a cent less", { amount: 7499 }],
    ["a cent more", { amount: 7501 }],
    ["another currency", { currency: "CAD" }],
    ["a tip", { tip: 500 }],
    ["another location", { location_id: "L2" }],
  ])("%s: nothing is booked, the authorization is canceled, and the consultant sees a warning", async (_, taken) => {
    const at = openSlots.next().value;
    square.ledger.paymentOverrides = taken;
    const response = await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
    expect([response.status, response.json.message]).toEqual([502, expect.stringContaining("not charged")]);
    await expect.poll(async () => (await findCharges(at)).map(({ status }) => status)).toEqual(["CANCELED"]);
    await expect.poll(async () => (await rowAt(at)).state).toBe("voided");
    expect([await appointmentsAt(at), await isFree(at)]).toEqual([[], true]);
    expect(await warnings()).toContain("1 payment was not taken as we asked");
  });

  test("with another family's payment id: nothing is booked, and the other payment is unchanged", async () => {
    const theirs = openSlots.next().value;
    const paid = (await devon.post("/api/payments/process", cardPaymentBody({ appointmentDate: theirs }))).json;
    const otherFamilyPayment = square.ledger.payments.get(paid.paymentId);
    const at = openSlots.next().value;
    square.ledger.paymentOverrides = { id: paid.paymentId, reference_id: otherFamilyPayment?.reference_id ?? "" };
    const response = await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
    square.ledger.paymentOverrides = {};
    expect([response.status, await appointmentsAt(at)]).toEqual([502, []]);
    await reconcileAfterLease();
    expect(await rowAt(at)).toMatchObject({ state: "voided", providerPaymentId: null });
    expect(await rowAt(theirs)).toMatchObject({ state: "paid", providerPaymentId: paid.paymentId });
  });

  test("captured with another amount: the visit is canceled as unpaid, and the full amount is refunded", async () => {
    const at = openSlots.next().value;
    square.fail((call) => {
      const charged = [...square.ledger.payments.values()].find(
        ({ id }) => call.path === `/v2/payments/${id}/complete`,
      );
      if (charged) charged.amount = 9900;
      return null;
    });
    const response = await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
    expect([response.status, response.json.message]).toEqual([
      502,
      expect.stringContaining("will be refunded to your card"),
    ]);
    await expect.poll(async () => moneyAt(await findCharges(at))).toEqual([["COMPLETED", 9900]]);
    await expect.poll(async () => (await rowAt(at)).state).toBe("voided");
    expect(await appointmentsAt(at)).toEqual([{ status: "cancelled", paymentStatus: "failed", paymentId: null }]);
    expect([await isFree(at), await warnings()]).toEqual([true, expect.stringContaining("not taken as we asked")]);
  });

  test("captured with another amount: page and email tell the family that it goes back; the consultant is told too", async () => {
    const own = await family({ intake: true });
    const at = openSlots.next().value;
    const fields = { title: "Hourly Consulting", slot: at, duration: "60", type: "consultation" };
    await own.form("/appointments/new", { ...fields, paymentMethod: "online" });
    const { document } = await own.get("/appointments/pay");
    const field = (name: string) => document.querySelector(`[name=${name}]`)?.getAttribute("value") ?? "";
    square.fail((call) => {
      const charged = [...square.ledger.payments.values()].at(-1);
      if (charged && call.path === `/v2/payments/${charged.id}/complete`) charged.amount = 7501;
      return null;
    });
    const card = { intent: "card", cents: "7500", key: field("key"), version: field("version") };
    const page = await own.form("/appointments/pay", { ...card, sourceId: "cnon:card-nonce-ok" });
    expect([page.status, page.visibleText]).toEqual([502, expect.stringContaining("will be refunded to your card")]);
    expect(page.visibleText).not.toContain("Payment Successful");
    await expect.poll(async () => (await rowAt(at)).state).toBe("voided");
    const { id, paidAt } = await rowAt(at);
    expect(paidAt).toBeNull();
    expect([(await own.get(`/receipts/${id}`)).status, (await admin.get(`/receipts/${id}`)).status]).toEqual([
      404, 404,
    ]);
    const ofFamily = await db.message.findMany({ where: { userId: own.id }, orderBy: { id: "asc" } });
    expect(ofFamily.map(({ event }) => event)).toEqual(["visit-booked", "visit-cancelled"]);
    expect(ofFamily[1]?.content).toContain("Whatever was taken from your card goes back to it.");
    const ofConsultant = { event: "visits-changed", userId: { not: own.id } };
    const latest = await db.message.findFirstOrThrow({ where: ofConsultant, orderBy: { id: "desc" } });
    expect(latest.content).toContain("A visit is canceled: the payment failed");
    expect(await warnings()).toContain("1 payment was not taken as we asked");
  });

  test("with the provider's status FAILED: it is voided, nothing is booked, and the time is free", async () => {
    const at = openSlots.next().value;
    square.ledger.paymentOverrides = { status: "FAILED" };
    const response = await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
    expect(response.status).toBe(502);
    await reconcileAfterLease();
    expect([await rowAt(at), await isFree(at)]).toEqual([expect.objectContaining({ state: "voided" }), true]);
    expect(await appointmentsAt(at)).toEqual([]);
  });

  test("with the provider's status PENDING: it stays open until the provider decides, and is then refunded", async () => {
    const at = openSlots.next().value;
    square.ledger.paymentOverrides = { status: "PENDING" };
    const response = await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
    expect(response.status).toBe(502);
    await reconcileAfterLease();
    expect((await rowAt(at)).state).toBe("voiding");
    const [charge] = await findCharges(at);
    charge!.status = "COMPLETED";
    await reconcileAfterLease();
    await expect.poll(async () => (await findCharges(at))[0]?.refunded).toBe(7500);
    expect(await appointmentsAt(at)).toEqual([]);
  });

  test("with a lost response: it is found on the second page of the provider's list and canceled", async () => {
    const at = openSlots.next().value;
    // The answer is lost, and giving it up by our key does not work either: only the list tells what became of it.
    square.fail((call) =>
      /^POST \/v2\/payments(\/cancel)?$/.test(`${call.method} ${call.path}`)
        ? { kind: "status", status: call.path.endsWith("cancel") ? 400 : 500, when: "before" }
        : null,
    );
    const before = square.callsTo(/^GET \/v2\/payments$/).length;
    const posted = maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
    await expect.poll(() => findPaymentsAt(db, at)).toHaveLength(1);
    const { key, createdAt } = await rowAt(at);
    const created_at = createdAt.toISOString();
    const lost = { key: "lost", status: "APPROVED" as const, amount: 7500, refunded: 0, created_at };
    for (let number = 0; number < 100; number += 1)
      square.ledger.payments.set(`other-${number}`, { ...lost, id: `other-${number}`, reference_id: `o-${number}` });
    square.ledger.payments.set("sq-lost", { ...lost, id: "sq-lost", reference_id: key });
    expect((await posted).status).toBe(502);
    await reconcileAfterLease();
    await expect.poll(() => square.ledger.payments.get("sq-lost")?.status).toBe("CANCELED");
    await expect.poll(async () => (await rowAt(at)).state).toBe("voided");
    expect(square.callsTo(/^GET \/v2\/payments$/).length - before).toBeGreaterThan(1);
    expect(square.ledger.payments.get("other-7")?.status).toBe("APPROVED");
    for (let number = 0; number < 100; number += 1) square.ledger.payments.delete(`other-${number}`);
  });
});

describe("a payment on the provider's own page", () => {
  test("is booked and marked as paid when it matches the request", async () => {
    const { at, id, url } = await hostedPage();
    await payThere(url);
    const back = await maria.follow(await maria.get(`/appointments/pay/return?payment=${id}`));
    expect(back.visibleText).toContain("Payment Successful");
    expect(await appointmentsAt(at)).toMatchObject([{ status: "scheduled", paymentStatus: "paid" }]);
    expect(await rowAt(at)).toMatchObject({ state: "paid", mismatch: null });
  });

  test.each<[string, Partial<SquarePayment>]>([
    ["a cent less", { amount: 7499 }],
    ["a cent more", { amount: 7501 }],
    ["another currency", { currency: "CAD" }],
    ["a tip", { tip: 100 }],
    ["at another location", { location_id: "L2" }],
    ["a payment without an order", { order_id: undefined }],
  ])("%s: nothing is booked, and the full amount is refunded", async (_, taken) => {
    const { at, id, url } = await hostedPage();
    square.ledger.paymentOverrides = taken;
    await payThere(url);
    const back = await maria.follow(await maria.get(`/appointments/pay/return?payment=${id}`));
    expect(back.visibleText).toContain("nothing is booked. Anything you were charged will be refunded to your card.");
    const charged = [...square.ledger.payments.values()].at(-1);
    expect(charged?.refunded).toBe((taken.amount ?? 7500) + (taken.tip ?? 0));
    expect([await appointmentsAt(at), await isFree(at)]).toEqual([[], true]);
    expect(await rowAt(at)).toMatchObject({ state: "voided", appointmentId: null, paidAt: null });
    expect((await payThere(url)).status).toBe(404);
    expect(await warnings()).toContain("1 payment was not taken as we asked");
  });

  test.each([
    ["another reference", { reference_id: "another" }],
    ["another amount", { total_money: { amount: 100, currency: "USD" } }],
    ["another currency", { total_money: { amount: 7500, currency: "CAD" } }],
    ["another location", { location_id: "L2" }],
    ["another id", { id: "or-another" }],
  ])("for an order with %s is not booked, and is refunded", async (_, says) => {
    const { at, url, orderId } = await hostedPage();
    square.ledger.orderOverrides = says;
    await payThere(url);
    const [charge] = chargesOf(orderId);
    expect((await sendWebhook({ id: charge?.id, order_id: orderId, status: "COMPLETED" })).status).toBe(200);
    expect(moneyAt(chargesOf(orderId))).toEqual([["COMPLETED", 7500]]);
    expect([(await rowAt(at)).state, await appointmentsAt(at)]).toEqual(["voided", []]);
  });

  test("split into two payments for one order is refunded twice, also when the first attempt fails", async () => {
    const { at, url, orderId } = await hostedPage();
    square.ledger.paymentOverrides = { amount: 2500 };
    await payThere(url);
    const [first] = chargesOf(orderId);
    square.ledger.payments.set("sq-second", { ...first!, id: "sq-second", amount: 5000 });
    square.fail((call) => (call.path === "/v2/refunds" ? { kind: "status", status: 400, when: "before" } : null));
    advanceTime(15 * MINUTE);
    await testing.reconcilePayments();
    expect([(await rowAt(at)).state, await appointmentsAt(at)]).toEqual(["voiding", []]);
    square.fail();
    await reconcileAfterLease();
    expect(moneyAt(chargesOf(orderId))).toEqual([
      ["COMPLETED", 2500],
      ["COMPLETED", 5000],
    ]);
    expect((await rowAt(at)).state).toBe("voided");
    // Told of it again, nothing goes back twice.
    expect((await sendWebhook({ id: "sq-second", order_id: orderId, status: "COMPLETED" })).status).toBe(200);
    expect(chargesOf(orderId).map(({ refunded }) => refunded)).toEqual([2500, 5000]);
  });

  test("for a page that ended, taken late and after the family's erasure, is refunded", async () => {
    const noor = await family({ intake: true });
    const paid = await hostedPage(openSlots.next().value, devon);
    await payThere(paid.url);
    await devon.follow(await devon.get(`/appointments/pay/return?payment=${paid.id}`));
    const [taken] = chargesOf(paid.orderId);
    const { id, orderId } = await hostedPage(openSlots.next().value, noor);
    advanceTime(20 * MINUTE);
    await reconcileAfterLease();
    expect(await db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject({ state: "voided" });
    await db.user.update({ where: { id: noor.id }, data: { eraseAfter: new Date(0) } });
    await testing.eraseDueAccounts();
    expect(await db.user.count({ where: { id: noor.id } })).toBe(0);
    square.ledger.payments.set("sq-late", { ...taken!, id: "sq-late", order_id: orderId, refunded: 0 });
    expect((await sendWebhook({ id: "sq-late", order_id: orderId, status: "COMPLETED" })).status).toBe(200);
    await reconcileAfterLease();
    expect(moneyAt(chargesOf(orderId))).toEqual([["COMPLETED", 7500]]);
    const row = await db.payment.findUniqueOrThrow({ where: { id } });
    expect([row.userId, row.checkoutUrl, row.appointmentId]).toEqual([null, null, null]);
  });

  test("by another family, returned for this family's order, stays with the other family's visit", async () => {
    const theirs = await hostedPage(openSlots.next().value, devon);
    await payThere(theirs.url);
    await devon.follow(await devon.get(`/appointments/pay/return?payment=${theirs.id}`));
    const [charge] = chargesOf(theirs.orderId);
    const { at, orderId } = await hostedPage();
    square.ledger.orderOverrides = { tenders: [{ id: charge?.id, type: "CARD", payment_id: charge?.id }] };
    expect((await sendWebhook({ id: charge?.id, order_id: orderId, status: "COMPLETED" })).status).toBe(200);
    square.ledger.orderOverrides = {};
    advanceTime(15 * MINUTE);
    await reconcileAfterLease();
    expect([(await rowAt(at)).state, await appointmentsAt(at)]).toEqual(["voided", []]);
    expect(charge).toMatchObject({ status: "COMPLETED", refunded: 0 });
    expect(await appointmentsAt(theirs.at)).toMatchObject([{ paymentStatus: "paid", paymentId: charge?.id }]);
  });

  test("is not booked when the provider no longer knows the order", async () => {
    const { at, id, orderId } = await hostedPage();
    square.fail((call) =>
      call.path === `/v2/orders/${orderId}` ? { kind: "status", status: 404, when: "before" } : null,
    );
    const returnPageText = (await maria.get(`/appointments/pay/return?payment=${id}`)).visibleText;
    expect([returnPageText, await appointmentsAt(at)]).toEqual([
      expect.stringContaining("haven't heard about a payment"),
      [],
    ]);
  });
});

describe("receipts and checkout links", () => {
  test("a declined or voided payment has no receipt: 404 for the family and the consultant", async () => {
    const [declined, voided] = [openSlots.next().value, openSlots.next().value];
    const receipts = async (at: string) => {
      const { id } = await rowAt(at);
      const consultant = await site.consultant();
      return [(await maria.get(`/receipts/${id}`)).status, (await consultant.get(`/receipts/${id}`)).status];
    };
    await maria.post(
      "/api/payments/process",
      cardPaymentBody({ appointmentDate: declined, sourceId: "cnon:card-nonce-declined" }),
    );
    expect([(await rowAt(declined)).state, await receipts(declined)]).toEqual(["declined", [404, 404]]);
    square.ledger.paymentOverrides = { amount: 1 };
    await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: voided }));
    await expect.poll(async () => (await rowAt(voided)).state).toBe("voided");
    expect(await receipts(voided)).toEqual([404, 404]);
  });

  test("a family's checkout redirect does not contain another family's payment link", async () => {
    const { url } = await hostedPage();
    const priya = await family({ intake: true });
    const wish = { title: "Hourly Consulting", slot: openSlots.next().value, duration: "60", type: "consultation" };
    await priya.form("/appointments/new", { ...wish, paymentMethod: "online" });
    for (const path of ["/appointments/pay/checkout", "/appointments/pay/checkout.data"]) {
      const response = await priya.get(path);
      expect(response.text).not.toContain(url);
    }
    expect((await priya.get("/appointments/pay/checkout")).headers.location).toBe("/appointments/pay");
    expect((await maria.get("/appointments/pay/checkout")).text).toContain(url);
  });
});

test("a restore that erases a family again closes its payments without any booking, charge, release or refund", async () => {
  const noor = await family({ intake: true });
  // As the backup has it: a visit paid by card, a refund that was asked for, a page still open, and every other step.
  const visitAt = openSlots.next().value;
  expect((await noor.post("/api/payments/process", cardPaymentBody({ appointmentDate: visitAt }))).status).toBe(200);
  const { id: paidId } = await rowAt(visitAt);
  const lease = { leaseEndsAt: new Date(0), createdAt: new Date(0) };
  const asked = { paymentId: paidId, key: "asked", amountCents: 500, reason: "x", state: "asked", ...lease };
  await db.refund.create({ data: asked });
  const { url, orderId } = await hostedPage(openSlots.next().value, noor);
  const row = { userId: noor.id, method: "card", provider: "square", amountCents: 7500, ...lease };
  const booking = JSON.stringify({ title: "Hourly Consulting", appointmentDate: visitAt, duration: 60 });
  const steps = ["started", "authorized", "booked", "voiding", "closing", "declined"];
  for (const state of steps)
    await db.payment.create({
      data: { ...row, booking, state, key: `step-${state}`, providerPaymentId: `${state}-id` },
    });
  // As it went on after the backup: paid there, and half of it given back.
  await payThere(url);
  const [charge] = chargesOf(orderId);
  charge!.refunded = 3750;
  const money = () => moneyAt([...square.ledger.payments.values()]);
  const movingCalls = () => square.callsTo(/refunds|cancel|complete|^DELETE/).length;
  const [calls, before] = [movingCalls(), money()];

  const { createdAt } = await db.user.findUniqueOrThrow({ where: { id: noor.id } });
  const erasedAt = new Date(createdAt.getTime() + 1);
  const own = { accountId: noor.id, accountCreatedAt: createdAt, erasedAt };
  // Somebody else, who had the number of a new account.
  const other = { accountId: devon.id, accountCreatedAt: new Date(0), erasedAt };
  const marked = await testing.markErasedAccountsAfterRestore([own, other], createdAt);
  expect(marked.accountIds).toEqual([noor.id]);
  expect(marked.closedPaymentIds).toHaveLength(1 + steps.length);
  expect(await testing.markErasedAccountsAfterRestore([own], createdAt)).toEqual({
    accountIds: [noor.id],
    closedPaymentIds: [],
    erasedInOtherCopyIds: [],
  });
  await db.message.updateMany({ where: { state: "pending" }, data: { state: "not-mailed" } }); // as any restore does
  // The restore was ended here: an ordinary job finishes it.
  await testing.eraseDueAccounts();
  expect(await db.user.count({ where: { id: { in: [noor.id, devon.id] } } })).toBe(1);
  await reconcileAfterLease();
  expect((await sendWebhook({ id: charge?.id, order_id: orderId, status: "COMPLETED" })).status).toBe(200);
  await reconcileAfterLease();
  const rows = await db.payment.findMany({ where: { id: { gte: paidId } }, orderBy: { id: "asc" } });
  expect(rows.map(({ state }) => state)).toEqual([
    "paid",
    "voided",
    ...steps.map((step) => (step === "declined" ? step : "voided")),
  ]);
  expect(await db.refund.findMany({ where: { paymentId: paidId } })).toMatchObject([
    { state: "done", amountCents: 500 },
  ]);
  expect([movingCalls(), money()]).toEqual([calls, before]);
});
