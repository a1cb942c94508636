// Proves refunds, refunds made at the provider, and the provider's webhook.
import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { TestClient, TestResponse } from "../support/http-client.ts";
import { findPaymentsAt } from "../support/database/database-dump.ts";
import type { Family } from "../support/people.ts";
import {
  findCharges,
  now,
  cardPaymentBody,
  advanceTime,
  expireTimeoutsWhenSilent,
  reconcileAfterLease,
  setTime,
  signatureKey,
  site,
  openSlots,
  square,
} from "../support/site-with-square.ts";

const { consultant, db, family, origin, visitor } = site;
const HOUR = 3_600_000;
const SECOND = 1000;

let maria: Family;
let admin: TestClient;

beforeAll(async () => {
  maria = await family({ intake: true });
  admin = await consultant();
});

async function paid(at = openSlots.next().value, who: TestClient = maria) {
  const response = await who.post("/api/payments/process", cardPaymentBody({ appointmentDate: at }));
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return { at, id: response.json.appointment.id as number, paymentId: response.json.paymentId as string };
}

/** Does something at another moment, and comes back. */
async function at<T>(instant: Date, work: () => Promise<T>): Promise<T> {
  const before = now();
  setTime(instant);
  try {
    return await work();
  } finally {
    setTime(before);
  }
}

const before = (start: string, milliseconds: number) => new Date(new Date(start).getTime() - milliseconds);

describe("canceling a visit", () => {
  test.each([
    ["24 hours and a second before", 24 * HOUR + SECOND, 75, "refunded"],
    ["24 hours before to the second", 24 * HOUR, 75, "refunded"],
    ["a second less than 24 hours before", 24 * HOUR - SECOND, 37.5, "partly-refunded"],
    ["a second before the start", SECOND, 37.5, "partly-refunded"],
    ["at the start", 0, 0, "paid"],
    ["after the start", -SECOND, 0, "paid"],
  ])("%s refunds an online payment according to the terms", async (_, left, refund, paymentStatus) => {
    const { at: start, id } = await paid();
    const fresh = await family({ intake: true });
    await db.appointment.update({ where: { id }, data: { userId: fresh.id } });
    await at(before(start, left), async () => {
      await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
      const response = await fresh.delete(`/api/appointments/${id}`);
      expect([response.status, response.json.refund]).toEqual([200, refund]);
    });
    const [charge] = await findCharges(start);
    expect(charge).toMatchObject({ status: "COMPLETED", refunded: refund * 100 });
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ status: "cancelled", paymentStatus });
    expect(await db.payment.findFirst({ where: { appointmentId: id } })).toMatchObject({ refundedCents: refund * 100 });
  });

  test("shows in its dialog how much is refunded, and when that amount changes", async () => {
    const { at: start, id } = await paid("2027-03-22T14:00:00.000Z");
    const early = await maria.get(`/appointments/${id}/cancel`);
    expect(early.visibleText).toContain(
      "Full refund until Sun, Mar 21, 2027 at 10:00 AM ET, then 50%. If you cancel now, $75",
    );
    await at(before(start, HOUR), async () => {
      await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
      expect((await maria.get(`/appointments/${id}/cancel`)).visibleText).toContain(
        "If you cancel now, $37.50 goes back",
      );
    });
    await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
  });

  test("refunds the amount shown in the dialog, or gets 409 with the new amount when it has changed", async () => {
    const { at: start, id } = await paid("2027-03-29T14:00:00.000Z");
    const page = `/appointments/${id}/cancel`;
    const signedIn = () => db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
    const press = async (fields: Record<string, string>, path = page) => {
      await signedIn();
      return maria.form(path, fields);
    };
    const amountsOf = ({ document }: TestResponse) =>
      ["refundCents", "feeCents"].map((name) => document.querySelector(`[name=${name}]`)?.getAttribute("value"));
    expect(amountsOf(await maria.get(page))).toEqual(["7500", "0"]);
    const early = { refundCents: "7500", feeCents: "0" };
    await at(before(start, HOUR), async () => {
      for (const path of [page, `${page}.data`]) {
        const late = await press(early, path);
        expect([path, late.status]).toEqual([path, 409]);
        expect(late.text).toContain("The amount has changed since you opened this page. Nothing is canceled yet.");
        expect(late.text).toContain("If you cancel now, $37.50 goes back");
      }
      expect(amountsOf(await press(early))).toEqual(["3750", "0"]);
      expect((await press({ refundCents: "many" })).status).toBe(409);
      expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ status: "scheduled" });
      expect(await db.refund.count({ where: { payment: { appointmentId: id } } })).toBe(0);
      expect((await press({ refundCents: "3750", feeCents: "0" })).headers.location).toBe("/appointments");
    });
    await signedIn();
    const refunds = await db.refund.findMany({ where: { payment: { appointmentId: id } } });
    expect(refunds.map(({ amountCents }) => amountCents)).toEqual([3750]);
  });

  test.each(["completed", "no-show"])(
    "gets 409 once the visit is marked %s: nothing is canceled or refunded",
    async (status) => {
      const { at: start, id } = await paid();
      expect((await admin.form(`/dashboard/appointments/${id}`, { status })).status).toBe(302);
      const before = await db.appointment.findUniqueOrThrow({ where: { id } });
      expect((await maria.get("/appointments")).text).not.toContain(`/appointments/${id}/cancel`);
      expect((await maria.get(`/appointments/${id}/cancel`)).headers.location).toBe("/appointments");
      const response = await maria.delete(`/api/appointments/${id}`);
      expect([response.status, response.json.message]).toEqual([409, expect.stringContaining(status)]);
      const page = await maria.follow(await maria.form(`/appointments/${id}/cancel`, {}));
      expect(page.visibleText).toContain("Cancellation Failed");
      const data = await maria.form(`/appointments/${id}/cancel.data`, {});
      expect(data.text).not.toContain("Appointment Cancelled");
      expect(await db.appointment.findUnique({ where: { id } })).toEqual(before);
      expect((await findCharges(start))[0]).toMatchObject({ status: "COMPLETED", refunded: 0 });
    },
  );

  test("at the same time as a manual refund refunds, and reports, only the rest", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id } = await paid();
      const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
      const cancel = async () => (await maria.delete(`/api/appointments/${id}`)).json.refund as number;
      const fields = { intent: "refund", paymentId: String(payment.id), amount: "10", reason: "As agreed" };
      const refund = async () =>
        (await admin.form(`/dashboard/appointments/${id}/payment`, { ...fields, key: crypto.randomUUID() })).status;
      const [reportedRefund, status] =
        round % 2 ? await Promise.all([cancel(), refund()]) : (await Promise.all([refund(), cancel()])).toReversed();
      const { _sum } = await db.refund.aggregate({ where: { paymentId: payment.id }, _sum: { amountCents: true } });
      expect([round, status, reportedRefund, _sum.amountCents]).toEqual([
        round,
        status,
        status === 302 ? 65 : 75,
        7500,
      ]);
    }
  });

  test("three times at once makes one cancellation and one refund; the others get 409", async () => {
    const { at: start, id } = await paid();
    const responses = await Promise.all([1, 2, 3].map(() => maria.delete(`/api/appointments/${id}`)));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    expect((await findCharges(start))[0]?.refunded).toBe(7500);
    expect(await db.refund.count({ where: { payment: { appointmentId: id } } })).toBe(1);
  });

  test.each([
    ["does not respond", { kind: "silent", when: "after" }],
    ["returns 500", { kind: "status", status: 500, when: "before" }],
    ["closes the connection after refunding", { kind: "cut", when: "after" }],
  ] as const)("while Square %s tells the family that the refund follows, and it is made once", async (_, fault) => {
    expireTimeoutsWhenSilent();
    const { at: start, id } = await paid();
    square.fail((call) => (call.path.endsWith("/refunds") ? fault : null));
    const response = await maria.delete(`/api/appointments/${id}`);
    expect([response.status, response.json.refund, response.json.message]).toEqual([
      200,
      75,
      expect.stringContaining("as soon as the card provider answers"),
    ]);
    square.fail();
    await reconcileAfterLease();
    expect((await findCharges(start))[0]?.refunded).toBe(7500);
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ paymentStatus: "refunded" });
  });

  test("that was booked in person and is unpaid has no refund in its response", async () => {
    const booked = await maria.post("/api/appointments/in-person", {
      title: "Hourly Consulting",
      appointmentDate: openSlots.next().value,
    });
    const response = await maria.delete(`/api/appointments/${booked.json.id}`);
    expect(response.json).toEqual({ message: "Appointment Cancelled" });
  });
});

describe("deleting a visit as the administrator", () => {
  test("before its start refunds it in full; its payment and refund records can't be deleted or altered", async () => {
    const { at: start, id } = await paid();
    const response = await at(before(start, HOUR), async () => {
      await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
      return admin.delete(`/api/appointments/${id}`);
    });
    await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
    expect([response.status, response.json.refund]).toEqual([200, 75]);
    expect(await db.appointment.findUnique({ where: { id } })).toBeNull();
    const rows = await findPaymentsAt(db, start);
    expect(rows).toMatchObject([
      { appointmentId: null, refundedCents: 7500, refunds: [{ state: "done", amountCents: 7500 }] },
    ]);
    await expect(db.payment.deleteMany({ where: { id: rows[0]?.id } })).rejects.toThrow(/constraint|_stay/);
    await expect(db.refund.deleteMany({ where: { paymentId: rows[0]?.id } })).rejects.toThrow(/constraint|_stay/);
    await expect(db.payment.updateMany({ where: { id: rows[0]?.id }, data: { amountCents: 1 } })).rejects.toThrow(
      /constraint|_stay/,
    );
  });

  test("from its start on refunds nothing", async () => {
    const { at: start, id } = await paid();
    const response = await at(before(start, 0), async () => {
      await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
      return admin.delete(`/api/appointments/${id}`);
    });
    await db.session.updateMany({ data: { expire: new Date(now().getTime() + HOUR) } });
    expect([response.status, response.json.refund]).toEqual([200, 0]);
    expect((await findCharges(start))[0]).toMatchObject({ status: "COMPLETED", refunded: 0 });
  });

  test.each(["completed", "no-show"])(
    "marked %s refunds nothing, and the confirmation page says so first",
    async (status) => {
      const { at: start, id } = await paid();
      await db.appointment.update({ where: { id }, data: { status } });
      const question = await admin.get(`/dashboard/appointments/${id}/delete`);
      expect(question.visibleText).toContain("Nothing goes back to the card.");
      const response = await admin.delete(`/api/appointments/${id}`);
      expect([response.status, response.json.refund]).toEqual([200, 0]);
      expect((await findCharges(start))[0]).toMatchObject({ status: "COMPLETED", refunded: 0 });
    },
  );
});

test("a refund is made even in a round in which a payment can't be advanced", async () => {
  const { id } = await paid();
  square.fail((call) => (call.path === "/v2/refunds" ? { kind: "status", status: 500, when: "before" } : null));
  expect((await maria.delete(`/api/appointments/${id}`)).status).toBe(200);
  square.fail();
  const leaseEndsAt = new Date(now().getTime() - SECOND);
  const stuck = {
    userId: maria.id,
    method: "card",
    provider: "square",
    key: "stuck",
    booking: "{}",
    amountCents: 7500,
  };
  await db.payment.create({ data: { ...stuck, state: "voiding", leaseEndsAt } });
  const update = vi.spyOn(db.payment, "updateMany").mockRejectedValueOnce(new Error("gone"));
  await reconcileAfterLease();
  expect(update).toHaveBeenCalled();
  update.mockRestore();
  expect(await db.refund.findMany({ where: { payment: { appointmentId: id } } })).toMatchObject([{ state: "done" }]);
});

describe("a Square webhook event", () => {
  const tell = (event: object, changes: { key?: string; url?: string; body?: string } = {}) => {
    const body = JSON.stringify(event);
    const url = changes.url ?? `${origin}/api/payments/webhook`;
    const signature = createHmac("sha256", changes.key ?? signatureKey)
      .update(url + body)
      .digest("base64");
    const headers = { "Content-Type": "application/json", "x-square-hmacsha256-signature": signature };
    return visitor().request("POST", "/api/payments/webhook", { headers, body: changes.body ?? body });
  };
  const paymentEvent = (payment: object) => ({ type: "payment.updated", event_id: "e", data: { object: { payment } } });

  test("gets 401 unless its signature matches the exact body, URL and key", async () => {
    const event = paymentEvent({ id: "none" });
    expect((await tell(event)).status).toBe(200);
    expect((await tell(event, { key: "another key" })).status).toBe(401);
    expect((await tell(event, { url: "https://elsewhere.example/api/payments/webhook" })).status).toBe(401);
    expect((await tell(event, { body: `${JSON.stringify(event)} ` })).status).toBe(401);
    const bare = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(event) };
    expect((await visitor().request("POST", "/api/payments/webhook", bare)).status).toBe(401);
  });

  test.each([
    { id: ["x"], order_id: { not: "" } },
    { id: 7 },
    { reference_id: { a: 1 } },
    [],
    "x",
    { id: "a\u0000b" },
    { id: "a".repeat(256) },
    { reference_id: "\u0000" },
  ])("with malformed ids gets 200: %j", async (payment) => {
    expect((await tell(paymentEvent(payment as object))).status).toBe(200);
  });

  test("changes nothing when it is repeated, out of order, or about an unknown payment or event type", async () => {
    const { at: start, id, paymentId } = await paid();
    const [row] = await findPaymentsAt(db, start);
    const events = [
      paymentEvent({ id: paymentId, status: "APPROVED", reference_id: row?.key }),
      paymentEvent({ id: paymentId, status: "CANCELED", reference_id: row?.key }),
      paymentEvent({ id: "of another shop", reference_id: "theirs" }),
      { type: "refund.updated", data: { object: { refund: { id: "none", payment_id: paymentId } } } },
      { type: "nothing we know" },
    ];
    for (const event of [...events, ...events.toReversed()]) expect((await tell(event)).status).toBe(200);
    expect(row).toMatchObject(await db.payment.findUniqueOrThrow({ where: { id: row?.id ?? 0 } }));
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({
      paymentStatus: "paid",
      status: "scheduled",
    });
  });

  test("for an authorization made after its payment was voided cancels the authorization", async () => {
    expireTimeoutsWhenSilent();
    const start = openSlots.next().value;
    square.fail((call) =>
      call.path === "/v2/payments" && call.method === "POST" ? { kind: "silent", when: "before" } : null,
    );
    const [lost] = [await maria.post("/api/payments/process", cardPaymentBody({ appointmentDate: start }))];
    expect(lost.status).toBe(504);
    square.fail();
    await reconcileAfterLease();
    const [row] = await findPaymentsAt(db, start);
    expect(row?.state).toBe("voided");
    const late = {
      id: "sq-late",
      key: "late",
      reference_id: row?.key ?? "",
      status: "APPROVED" as const,
      amount: 7500,
      refunded: 0,
      created_at: row?.createdAt.toISOString() ?? "",
    };
    square.ledger.payments.set(late.id, late);
    expect((await tell(paymentEvent({ id: late.id, reference_id: row?.key }))).status).toBe(200);
    expect(square.ledger.payments.get(late.id)?.status).toBe("CANCELED");
  });

  describe("about a refund", () => {
    const refundEvent = (id: string) => ({ type: "refund.created", data: { object: { refund: { id } } } });
    /** As the consultant makes one there. */
    function refundThere(paymentId: string, amount: number) {
      const payment = square.ledger.payments.get(paymentId);
      if (payment) payment.refunded += amount;
      const id = `rf-there-${square.ledger.refunds.size}`;
      square.ledger.refunds.set(id, { id, key: id, payment_id: paymentId, amount, status: "PENDING" });
      return id;
    }
    const ledger = (appointmentId: number) =>
      db.payment.findFirstOrThrow({
        where: { appointmentId },
        select: {
          refundedCents: true,
          refunds: { orderBy: { id: "asc" }, select: { amountCents: true, state: true } },
        },
      });

    test("made in Square's dashboard records it once when repeated, and canceling refunds only the rest", async () => {
      const { id, paymentId } = await paid();
      const event = refundEvent(refundThere(paymentId, 2000));
      const responses = await Promise.all([tell(event), tell(event), tell(event)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await tell(event)).status).toBe(200);
      expect(await ledger(id)).toEqual({ refundedCents: 2000, refunds: [{ amountCents: 2000, state: "done" }] });
      expect((await maria.get(`/api/appointments/${id}`)).json.paymentStatus).toBe("partly-refunded");
      expect((await admin.get(`/dashboard/appointments/${id}/payment`)).visibleText).toContain("own dashboard");
      expect((await maria.delete(`/api/appointments/${id}`)).json.refund).toBe(55);
      expect(square.ledger.payments.get(paymentId)?.refunded).toBe(7500);
    });

    test("made in Square's dashboard records it, and closing the account refunds only the rest", async () => {
      const noor = await family({ intake: true });
      const { id, paymentId } = await paid(undefined, noor);
      expect((await tell(refundEvent(refundThere(paymentId, 2000)))).status).toBe(200);
      expect((await admin.form(`/families/${noor.id}/close`, {})).status).toBe(302);
      expect(await ledger(id)).toEqual({
        refundedCents: 7500,
        refunds: [
          { amountCents: 2000, state: "done" },
          { amountCents: 5500, state: "done" },
        ],
      });
      expect(square.ledger.payments.get(paymentId)?.refunded).toBe(7500);
    });

    test("that the site made itself gets 503 while its id is unknown, and is not recorded twice", async () => {
      expireTimeoutsWhenSilent();
      const { id, paymentId } = await paid();
      square.fail((call) => (call.path === "/v2/refunds" ? { kind: "silent", when: "after" } : null));
      expect((await maria.delete(`/api/appointments/${id}`)).json.refund).toBe(75);
      const [own] = [...square.ledger.refunds.values()].filter((refund) => refund.payment_id === paymentId);
      expect((await ledger(id)).refunds).toEqual([{ amountCents: 7500, state: "asked" }]);
      expect((await tell(refundEvent(own?.id ?? ""))).status).toBe(503);
      square.fail();
      expect((await tell(refundEvent(own?.id ?? ""))).status).toBe(200);
      expect(await ledger(id)).toEqual({ refundedCents: 7500, refunds: [{ amountCents: 7500, state: "done" }] });
    });

    test("gets 503 with Retry-After while Square fails, and records no failed or unknown refund", async () => {
      const { id, paymentId } = await paid();
      const event = refundEvent(refundThere(paymentId, 7500));
      square.fail((call) =>
        call.path.startsWith("/v2/refunds/") ? { kind: "status", status: 500, when: "before" } : null,
      );
      const late = await tell(event);
      expect([late.status, late.headers["retry-after"]]).toEqual([503, "60"]);
      square.fail();
      square.ledger.refundStatus = "FAILED";
      expect((await tell(event)).status).toBe(200);
      square.ledger.refundStatus = "COMPLETED";
      const elsewhere = refundEvent(refundThere("of another shop", 7500));
      for (const other of [elsewhere, refundEvent("of nobody")]) expect((await tell(other)).status).toBe(200);
      expect(await ledger(id)).toEqual({ refundedCents: 0, refunds: [] });
      expect((await tell(event)).status).toBe(200);
      expect((await ledger(id)).refundedCents).toBe(7500);
      expect((await maria.get(`/api/appointments/${id}`)).json).toMatchObject({
        paymentStatus: "refunded",
        status: "scheduled",
      });
    });
  });

  test("about an accepted refund that failed marks the refund as failed and the visit as paid", async () => {
    const { at: start, id } = await paid();
    square.ledger.refundStatus = "PENDING";
    expect((await maria.delete(`/api/appointments/${id}`)).json.refund).toBe(75);
    const [refund] = await db.refund.findMany({ where: { payment: { appointmentId: id } } });
    expect(refund?.state).toBe("accepted");
    square.ledger.refundStatus = "FAILED";
    await tell({
      type: "refund.updated",
      data: { object: { refund: { id: refund?.providerRefundId, payment_id: "x" } } },
    });
    expect(await db.refund.findUnique({ where: { id: refund?.id ?? 0 } })).toMatchObject({ state: "failed" });
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({
      paymentStatus: "paid",
      status: "cancelled",
    });
    square.ledger.refundStatus = "COMPLETED";
    expect((await findCharges(start)).length).toBe(1);
    advanceTime(0);
  });
});

test("an accepted refund to a family that fails without a webhook event is marked as failed within the hour", async () => {
  const { id } = await paid();
  square.ledger.refundStatus = "PENDING";
  expect((await maria.delete(`/api/appointments/${id}`)).json.refund).toBe(75);
  const where = { payment: { appointmentId: id } };
  expect(await db.refund.findFirst({ where })).toMatchObject({ state: "accepted" });
  // Seven days after this, the cancellation no longer counts against the family.
  const canceledAt = async () => (await db.appointment.findUniqueOrThrow({ where: { id } })).updatedAt;
  const before = await canceledAt();
  square.ledger.refundStatus = "FAILED";
  advanceTime(HOUR);
  await reconcileAfterLease();
  expect(await db.refund.findFirst({ where })).toMatchObject({ state: "failed" });
  expect(await canceledAt()).toEqual(before);
  square.ledger.refundStatus = "COMPLETED";
});
