// Proves recording payments in person, refunds by the administrator, and receipts.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import type { Family } from "../support/people.ts";
import { consultant, db, family, setTestClock, testing, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
setTestClock(() => NOW);

let maria: Family;
let admin: TestClient;
let days = 0;

beforeAll(async () => {
  // Mail is not delivered meanwhile.
  await testing.stopJobs();
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  admin = await consultant();
});

const nextStart = () => new Date(Date.parse("2027-01-02T15:00Z") + 7 * 86_400_000 * days++).toISOString();
const bookingFields = () => ({ title: "Hourly Consulting", appointmentDate: nextStart() });

async function paidOnline() {
  const order = { sourceId: "cnon:card-nonce-ok", amount: 75, appointmentData: bookingFields() };
  const { json } = await maria.post("/api/payments/process", order);
  const { id } = json.appointment as { id: number };
  const payment = await db.payment.findFirstOrThrow({ where: { appointmentId: id } });
  return { id, paymentId: payment.id, page: `/dashboard/appointments/${id}/payment` };
}

async function bookedInPerson() {
  const { json } = await maria.post("/api/appointments/in-person", bookingFields());
  return { id: json.id as number, page: `/dashboard/appointments/${json.id}/payment` };
}

const keyOf = async (page: string) =>
  (await admin.get(page)).document.querySelector('[name="key"]')?.getAttribute("value") ?? "";
const taken = { intent: "taken", method: "cash", note: "At the school" };

describe("a visit to be paid in person", () => {
  test("is listed as unpaid, as due once it has begun, and as paid once the consultant records the payment", async () => {
    const { id, page } = await bookedInPerson();
    const pages = async () => [
      (await maria.get("/appointments")).visibleText,
      (await admin.get("/dashboard")).visibleText,
      (await admin.get(page)).visibleText,
    ];
    for (const text of await pages()) expect(text).toContain("$75 to pay");
    const { appointmentDate } = await db.appointment.findUniqueOrThrow({ where: { id } });
    await db.appointment.update({ where: { id }, data: { appointmentDate: new Date("2026-11-20T15:00:00Z") } });
    for (const text of await pages()) expect(text).toContain("$75 due");
    await db.appointment.update({ where: { id }, data: { appointmentDate } });
    const after = await admin.follow(await admin.form(page, taken));
    for (const text of ["Payment recorded", "$75 in cash."]) expect(after.visibleText).toContain(text);
    expect((await admin.get(page)).visibleText).toContain("Note: At the school");
    expect((await maria.get("/appointments")).visibleText).toContain("PAID");
    expect((await maria.get(`/api/appointments/${id}`)).json).toMatchObject({
      paymentStatus: "paid",
      paymentId: expect.stringMatching(/^in-person-\d+$/),
      paymentAmount: 75,
    });
  });

  test("gets one payment when three requests record it at once; the others get 409", async () => {
    const { id, page } = await bookedInPerson();
    const responses = await Promise.all([1, 2, 3].map(() => admin.form(page, taken)));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([302, 409, 409]);
    expect(await db.payment.count({ where: { appointmentId: id } })).toBe(1);
  });

  test("rejects an unknown payment method (422), and any payment once canceled or paid online (409)", async () => {
    const { page } = await bookedInPerson();
    expect((await admin.form(page, { ...taken, method: "shells" })).status).toBe(422);
    const online = await paidOnline();
    expect((await admin.form(online.page, taken)).status).toBe(409);
    const gone = await bookedInPerson();
    await maria.delete(`/api/appointments/${gone.id}`);
    expect((await admin.form(gone.page, taken)).status).toBe(409);
  });

  test("is marked as paid only by the consultant: 403 for the family, a redirect to login without a session", async () => {
    const { id, page } = await bookedInPerson();
    expect((await maria.form(page, taken)).status).toBe(403);
    expect((await visitor().form(page, taken)).headers.location).toBe("/login");
    expect(await db.payment.count({ where: { appointmentId: id } })).toBe(0);
  });
});

describe("a refund by the consultant", () => {
  test("refunds the amount entered and shows it in both lists; the family doesn't see the reason", async () => {
    const { id, paymentId, page } = await paidOnline();
    const fields = { intent: "refund", paymentId: String(paymentId), amount: "20.50", reason: "Family emergency" };
    const after = await admin.follow(await admin.form(page, { ...fields, key: await keyOf(page) }));
    for (const text of ["$20.50 goes back.", "Refund of $20.50", "Family emergency", "at most $54.50"]) {
      expect(after.visibleText).toContain(text);
    }
    expect((await maria.get("/appointments")).visibleText).toContain("$75 paid, $20.50 refunded");
    expect((await maria.get("/appointments")).visibleText).not.toContain("Family emergency");
    const confirmation = (await maria.get(`/appointments/${id}/booked`)).visibleText;
    expect([confirmation.includes("$54.50 paid"), confirmation.includes("$75")]).toEqual([true, false]);
    const receipts = await maria.get("/receipts");
    const row = receipts.document.querySelector(`a[href="/receipts/${paymentId}"]`)?.closest("li");
    expect(row?.textContent).toMatch(/\$75Paid by card.*refunded \$20\.50/);
    expect(receipts.cardText("Your payments")).toMatch(/Total paid: \$\d+, refunded \$20\.50$/);
    expect((await admin.get("/dashboard")).visibleText).toContain("$75 paid, $20.50 refunded");
    expect(await db.appointment.findUnique({ where: { id } })).toMatchObject({ paymentStatus: "partly-refunded" });
    expect((await maria.delete(`/api/appointments/${id}`)).json.refund).toBe(54.5);
  });

  test("is made once when the form is submitted twice, and can't exceed the amount that is left", async () => {
    const { paymentId, page } = await paidOnline();
    const fields = { intent: "refund", paymentId: String(paymentId), amount: "40", reason: "As agreed" };
    const key = await keyOf(page);
    const twice = await Promise.all([1, 2].map(() => admin.form(page, { ...fields, key })));
    expect(twice.filter(({ status }) => status === 302).length).toBe(1);
    expect((await admin.form(page, { ...fields, key: await keyOf(page) })).visibleText).toContain(
      "At most $35 is left",
    );
    expect(await db.payment.findUnique({ where: { id: paymentId } })).toMatchObject({ refundedCents: 4000 });
  });

  test.each(["", "0", "-5", "1.234", "75.01", "1e2", "all of it"])(
    "of %j gets 422 and is not created",
    async (amount) => {
      const { paymentId, page } = await paidOnline();
      const fields = { intent: "refund", paymentId: String(paymentId), amount, reason: "r" };
      expect((await admin.form(page, { ...fields, key: await keyOf(page) })).status).toBe(422);
      expect(await db.refund.count({ where: { paymentId } })).toBe(0);
    },
  );

  test("that the provider refused is not covered by one that the family got before it", async () => {
    const { paymentId } = await paidOnline();
    const refund = { paymentId, reason: "By mistake", leaseEndsAt: NOW, createdAt: NOW };
    await db.refund.create({ data: { ...refund, amountCents: 1000, key: "before", state: "done" } });
    await db.refund.create({ data: { ...refund, amountCents: 2500, key: "refused", state: "failed" } });
    const { visibleText } = await admin.get("/dashboard");
    expect(visibleText).toContain("$25, Fri, Nov 20. Give the money back another way.Refund refused");
  });

  test("gets 422 without a reason, 404 for another appointment's payment, and 403 from the family", async () => {
    const [one, other] = [await paidOnline(), await paidOnline()];
    const fields = {
      intent: "refund",
      paymentId: String(one.paymentId),
      amount: "5",
      reason: "r",
      key: await keyOf(one.page),
    };
    expect((await admin.form(one.page, { ...fields, reason: " " })).status).toBe(422);
    expect((await admin.form(other.page, fields)).status).toBe(404);
    expect((await maria.form(one.page, fields)).status).toBe(403);
    expect(await db.refund.count({ where: { paymentId: one.paymentId } })).toBe(0);
  });
});

describe("a payment in person that was recorded by mistake", () => {
  async function recorded() {
    const visit = await bookedInPerson();
    const response = await admin.form(visit.page, taken);
    const { id: paymentId } = await db.payment.findFirstOrThrow({ where: { appointmentId: visit.id } });
    const undo = (by: TestClient = admin, payment: unknown = paymentId, page = visit.page) =>
      by.form(page, { intent: "undo", paymentId: String(payment) });
    return { ...visit, paymentId, response, undo };
  }
  const BUTTON = "Undo: it was not paid";

  test("is undone: the visit is to be paid again, the receipt is gone, and the family is told", async () => {
    const { id, page, paymentId, response, undo } = await recorded();
    const link = (await admin.follow(response)).document.querySelector(`[role=status] a[href="${page}"]`);
    expect(link?.textContent).toBe("Undo");
    expect((await admin.get(page)).visibleText).toContain(BUTTON);
    const after = await admin.follow(await undo());
    for (const text of ["Payment undone", "$75 to be paid.", "Mark as paid"]) expect(after.visibleText).toContain(text);
    expect((await maria.get("/appointments")).visibleText).toContain("$75 to pay");
    expect((await maria.get(`/receipts/${paymentId}`)).status).toBe(404);
    expect((await maria.get(`/api/appointments/${id}`)).json).toMatchObject({
      paymentStatus: "pending",
      paymentId: null,
      paymentDate: null,
    });
    const mails = await db.message.findMany({ where: { userId: maria.id, event: "receipt" }, orderBy: { id: "desc" } });
    expect(JSON.parse(mails[0]?.content ?? "")).toMatchObject({ subject: "Your receipt is not valid" });
    const states = await db.paymentTransition.findMany({ where: { paymentId }, orderBy: { id: "asc" } });
    expect(states.map(({ state }) => state)).toEqual(["paid", "voided"]);
    expect(await db.payment.findUnique({ where: { id: paymentId } })).toMatchObject({ state: "voided", paidAt: null });
    expect(mails.slice(0, 2).map(({ state }) => state)).toEqual(["pending", "dropped"]);
    expect((await admin.form(page, taken)).status).toBe(302);
    expect((await maria.get("/appointments")).visibleText).toContain("PAID");
  });

  test("is undone once by three requests at once; the others get 409, and one email is written", async () => {
    const { undo } = await recorded();
    const mails = () => db.message.count({ where: { userId: maria.id, event: "receipt" } });
    const before = await mails();
    const statuses = (await Promise.all([1, 2, 3].map(() => undo()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.every((status) => [302, 409].includes(status))).toBe(true);
    expect(await mails()).toBe(before + 1);
  });

  test("is undone by nobody else: 403 for the family, a redirect to login without a session", async () => {
    const { paymentId, undo } = await recorded();
    expect((await undo(maria)).status).toBe(403);
    expect((await undo(visitor())).headers.location).toBe("/login");
    expect(await db.payment.findUnique({ where: { id: paymentId } })).toMatchObject({ state: "paid" });
  });

  test("is undone only on its own visit's page (404); an id that is none gets 422", async () => {
    const [one, other] = [await recorded(), await recorded()];
    expect((await one.undo(admin, one.paymentId, other.page)).status).toBe(404);
    expect((await one.undo(admin, 999_999)).status).toBe(404);
    expect((await one.undo(admin, "x")).status).toBe(422);
    expect(await db.payment.count({ where: { id: { in: [one.paymentId, other.paymentId] }, state: "paid" } })).toBe(2);
  });

  test("can't be undone after 7 days, once refunded or canceled, or if it was paid by card (409)", async () => {
    const [old, refunded, canceled, online] = [
      await recorded(),
      await recorded(),
      await recorded(),
      await paidOnline(),
    ];
    const exact = new Date(Date.parse("2026-11-20T15:00:30Z") - 7 * 86_400_000);
    await db.payment.update({ where: { id: old.paymentId }, data: { paidAt: new Date(exact.getTime() - 1) } });
    const fields = { intent: "refund", paymentId: String(refunded.paymentId), amount: "1", reason: "r" };
    expect((await admin.form(refunded.page, { ...fields, key: await keyOf(refunded.page) })).status).toBe(302);
    await maria.delete(`/api/appointments/${canceled.id}`);
    for (const { undo, page } of [old, refunded, canceled]) {
      expect((await admin.get(page)).visibleText).not.toContain(BUTTON);
      expect((await undo()).status).toBe(409);
    }
    expect((await old.undo(admin, online.paymentId, online.page)).status).toBe(409);
    expect(
      await db.payment.count({
        where: { state: "paid", id: { in: [old, refunded, canceled, online].map((each) => each.paymentId) } },
      }),
    ).toBe(4);
    await db.payment.update({ where: { id: old.paymentId }, data: { paidAt: exact } });
    expect((await old.undo()).status).toBe(302);
  });
});

describe("a receipt", () => {
  test("shows the service, the payment method, the amount and date, and a refund", async () => {
    const { id, paymentId } = await paidOnline();
    const { visibleText: receiptText } = await maria.get(`/receipts/${paymentId}`);
    for (const text of [
      `Receipt ${paymentId}`,
      "Maria Alvarez, by card",
      "Hourly Consulting",
      "$75, Fri, Nov 20, 2026",
    ]) {
      expect(receiptText).toContain(text);
    }
    await maria.delete(`/api/appointments/${id}`);
    expect((await admin.get(`/receipts/${paymentId}`)).visibleText).toMatch(
      /Refunded ?\$75, Fri, Nov 20, 2026 ?Total ?\$0/,
    );
  });

  test("returns 404 for another family or an unknown id, and redirects a visitor without a session", async () => {
    const { paymentId } = await paidOnline();
    const devon = await family({ intake: true });
    expect((await devon.get(`/receipts/${paymentId}`)).status).toBe(404);
    expect((await visitor().get(`/receipts/${paymentId}`)).status).toBe(302);
    expect((await maria.get("/receipts/0")).status).toBe(404);
  });
});
