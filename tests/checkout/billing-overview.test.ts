// Proves the Money page: what each family owes, marking several visits as paid, and reports that match their CSV.
import { beforeAll, describe, expect, test } from "vitest";
import type { TestClient } from "../support/http-client.ts";
import { consultant, db, family, setTestClock, visitor } from "../support/site.ts";

const NOW = new Date("2026-11-20T15:00:30Z");
const HOUR_MS = 3_600_000;

let admin: TestClient;
let hours = 0;

beforeAll(async () => {
  setTestClock(() => NOW);
  admin = await consultant();
});

/** A visit that is to be paid in person, so many hours before (or, negative, after) now. */
async function visit(owner: { id: number } | null, { hoursAgo = 24, ...fields }: Record<string, unknown> = {}) {
  hours += 1;
  const offset = (Number(hoursAgo) < 0 ? 1 : -1) * (48 + 2 * hours) * HOUR_MS;
  return db.appointment.create({
    data: {
      title: "Hourly Consulting",
      type: "consultation",
      userId: owner?.id ?? null,
      appointmentDate: new Date(NOW.getTime() - 30_000 + offset),
      paymentMethod: "in-person",
      paymentAmountCents: 7500,
      ...fields,
    },
  });
}

const mark = (
  who: TestClient,
  ids: readonly (number | string)[],
  fields: Record<string, string> = { method: "cash" },
) => who.form("/money", { visit: ids.map(String), ...fields });
const paymentsOf = (ids: number[]) =>
  db.payment.findMany({ where: { appointmentId: { in: ids } }, include: { transitions: true } });

describe("the Money page", () => {
  test("shows what each family owes now and for upcoming visits, the largest amount due first", async () => {
    const [ana, ben] = [await family({ firstName: "Ana", lastName: "Owes" }), await family({ firstName: "Ben" })];
    await visit(ana);
    await visit(ana, { paymentAmountCents: 17_500 });
    await visit(ana, { hoursAgo: -24 });
    await visit(ben, { hoursAgo: -24, paymentAmountCents: 4000 });
    for (const status of ["cancelled", "scheduled"] as const)
      await visit(ben, { status, paymentAmountCents: status === "cancelled" ? 7500 : null });
    const { visibleText } = await admin.get("/money");
    expect(visibleText).toMatch(/Due now ?\$250 ?2 visits/);
    expect(visibleText).toMatch(/Upcoming visits, not paid ?\$115 ?2 visits/);
    expect(visibleText).toMatch(/Ana Owes ?\$250 due · \$75 to come/);
    expect(visibleText.indexOf("Ana Owes")).toBeLessThan(visibleText.indexOf(ben.name));
    for (const { id } of [ana, ben]) await db.appointment.deleteMany({ where: { userId: id } });
  });

  test("expands the visits to come after a refused form if one of them was checked", async () => {
    const maria = await family();
    const [due, coming] = [await visit(maria), await visit(maria, { hoursAgo: -24 })];
    for (const { id } of [due, coming]) {
      const { status, document } = await mark(admin, [id], { method: "" });
      const upcoming = document.querySelector("details.balance-upcoming");
      const checked = [...document.querySelectorAll("[name=visit][checked]")].map((box) => box.getAttribute("value"));
      expect([status, checked, upcoming?.hasAttribute("open")]).toEqual([422, [String(id)], id === coming.id]);
      expect(upcoming?.querySelectorAll("[name=visit]")).toHaveLength(1);
    }
    await db.appointment.deleteMany({ where: { userId: maria.id } });
  });

  test("names the client of a visit without an account, and records its payment without a user", async () => {
    const { id } = await visit(null, { notes: "Client: Shanice Robinson", title: "Call - Shanice Robinson" });
    const { visibleText, document } = await admin.get("/money");
    expect(visibleText).toContain("Without an account");
    expect(document.querySelector(`[name=visit][value="${id}"]`)?.closest("label")?.textContent).toContain("Shanice");
    expect((await mark(admin, [id])).status).toBe(302);
    expect(await paymentsOf([id])).toMatchObject([{ userId: null, amountCents: 7500 }]);
  });

  test("stays behind a visit's details dialog that was opened from it, and keeps its period", async () => {
    const maria = await family();
    const { id } = await visit(maria);
    const details = `/dashboard/appointments/${id}?from=%2Fmoney%3Fperiod%3D2026`;
    const { document: page } = await admin.get("/money?period=2026");
    expect(page.querySelector(`a[href="${details}"]`)).not.toBeNull();
    const { document: behind } = await admin.get(details);
    expect(behind.querySelector("main h1")?.textContent).toBe("Money");
    expect(behind.querySelector("nav.portal-nav [aria-current=page]")?.textContent).toBe("Money");
    expect(behind.querySelector("main form[action='/money?period=2026'] [name=visit]")).not.toBeNull();
    expect(behind.querySelector("dialog a[aria-label=Close]")?.getAttribute("href")).toBe("/money?period=2026");
    await db.appointment.delete({ where: { id } });
  });

  test("and its CSV are only for the consultant: 403 for a family, a redirect without a session", async () => {
    const maria = await family();
    const { id } = await visit(maria);
    for (const path of ["/money", "/money.csv?period=2026-11"]) {
      expect((await maria.get(path)).status).toBe(403);
      expect((await visitor().get(path)).status).toBe(302);
    }
    expect((await mark(maria, [id])).status).toBe(403);
    expect((await mark(visitor(), [id])).headers.location).toMatch(/^\/login/);
    expect(await paymentsOf([id])).toEqual([]);
  });
});

describe("marking several visits as paid", () => {
  test("records the chosen payment method for each, with one receipt and audit log entry each", async () => {
    const maria = await family({ intake: true });
    const ids = [await visit(maria), await visit(maria), await visit(maria, { hoursAgo: -24 })].map(({ id }) => id);
    const after = await admin.follow(await mark(admin, ids, { method: "check", note: "Check 1042" }));
    expect(after.visibleText).toContain("3 visits, $225.");
    const payments = await paymentsOf(ids);
    expect(payments.length).toBe(3);
    for (const payment of payments)
      expect(payment).toMatchObject({ method: "check", note: "Check 1042", state: "paid", amountCents: 7500 });
    expect(payments.every(({ transitions }) => transitions.length === 1)).toBe(true);
    expect((await maria.get("/receipts")).document.querySelectorAll('a[href^="/receipts/"]').length).toBe(3);
    const recorded = { action: "payment-recorded", familyId: maria.id };
    expect(await db.auditEntry.count({ where: recorded })).toBe(3);
  });

  test("creates one payment per visit when concurrent requests mark the same visits", async () => {
    const maria = await family();
    const ids = await Promise.all([1, 2, 3].map(async () => (await visit(maria)).id));
    const single = (id: number) =>
      admin.form(`/dashboard/appointments/${id}/payment`, { intent: "taken", method: "cash" });
    await Promise.all([mark(admin, ids), mark(admin, ids.toReversed()), ...ids.map(single)]);
    expect((await paymentsOf(ids)).length).toBe(3);
    expect((await mark(admin, ids)).status).toBe(409);
  });

  test("skips and reports visits that were canceled or have a card payment in progress", async () => {
    const maria = await family();
    const [gone, card, fine] = [await visit(maria), await visit(maria), await visit(maria)];
    await db.appointment.update({ where: { id: gone.id }, data: { status: "cancelled" } });
    await db.payment.create({
      data: {
        userId: maria.id,
        appointmentId: card.id,
        method: "card",
        key: "in flight",
        booking: "{}",
        amountCents: 7500,
        state: "booked",
        leaseEndsAt: new Date("2030-01-01"),
      },
    });
    const after = await admin.follow(await mark(admin, [gone.id, card.id, fine.id]));
    expect(after.visibleText).toContain("1 visit, $75. Not recorded");
    expect(after.visibleText).toContain(`(reference ${gone.id}, ${card.id})`);
    expect((await paymentsOf([gone.id, card.id])).filter(({ state }) => state === "paid")).toEqual([]);
    const refused = await mark(admin, [gone.id, card.id]);
    expect([refused.status, refused.visibleText.includes("There is a problem")]).toEqual([409, true]);
  });

  test.each<[string, (string | number)[], Record<string, string>, number]>([
    ["without a visit", [], { method: "cash" }, 422],
    ["without a payment method", [1], {}, 422],
    ["with an unknown payment method", [1], { method: "shells" }, 422],
    ["with malformed ids", ["1e3", "-1", "=1"], { method: "cash" }, 422],
    ["with an id that does not exist", [987_654], { method: "cash" }, 404],
    ["for more than 100 visits", Array.from({ length: 101 }, (_, index) => index + 1), { method: "cash" }, 422],
  ])("is rejected %s, and no payment is created", async (_, ids, fields, status) => {
    const before = await db.payment.count();
    expect((await mark(admin, ids, fields)).status).toBe(status);
    expect(await db.payment.count()).toBe(before);
  });
});

describe("the payment report", () => {
  const pay = (owner: { id: number }, paidAt: string, amountCents: number, title = "Hourly Consulting") =>
    db.payment.create({
      data: {
        userId: owner.id,
        method: "cash",
        key: `${owner.id} ${paidAt} ${amountCents}`,
        amountCents,
        state: "paid",
        leaseEndsAt: NOW,
        paidAt: new Date(paidAt),
        createdAt: new Date(paidAt),
        booking: JSON.stringify({ title, appointmentDate: "2026-09-01T15:00:00.000Z" }),
      },
    });
  const refund = async (paymentId: number, createdAt: string, amountCents: number, state = "done") => {
    const data = { paymentId, key: `${paymentId} ${createdAt}`, amountCents, reason: "Private reason", state };
    await db.refund.create({ data: { ...data, leaseEndsAt: NOW, createdAt: new Date(createdAt) } });
    const counted = { refundedCents: { increment: amountCents } };
    if (state !== "failed") await db.payment.update({ where: { id: paymentId }, data: counted });
  };
  const rows = (csv: string) => csv.slice(1).split("\r\n").slice(1, -1);
  const cents = (csv: string) =>
    rows(csv).reduce((sum, row) => sum + Math.round(Number(/,(-?\d+\.\d\d),/.exec(row)?.[1]) * 100), 0);

  test("of a month totals all 101 families, of which 100 are listed", async () => {
    const people = Array.from({ length: 101 }, (_, index) => ({ firstName: "Of", lastName: `July${index}` }));
    const users = await db.user.createManyAndReturn({
      data: people.map((name) => ({ ...name, email: `${name.lastName.toLowerCase()}@example.com`, password: "-" })),
    });
    for (const user of users) {
      const { id } = await pay(user, "2026-07-10T12:00:00Z", 100);
      await refund(id, "2026-07-11T12:00:00Z", 1);
    }
    const { visibleText } = await admin.get("/money?period=2026-07");
    expect(visibleText).toContain("$101 paid · $1.01 refunded · $99.99 received");
  });

  test("of a month counts all 250 refunds of a payment, in its totals and in the CSV", async () => {
    const { id: paymentId } = await pay(await family(), "2026-08-10T12:00:00Z", 7500);
    const row = { paymentId, amountCents: 1, reason: "-", state: "done", leaseEndsAt: NOW };
    const createdAt = new Date("2026-08-11T12:00:00Z");
    const data = Array.from({ length: 250 }, (_, number) => ({ ...row, key: `many ${number}`, createdAt }));
    await db.refund.createMany({ data });
    await db.payment.update({ where: { id: paymentId }, data: { refundedCents: data.length } });
    const page = await admin.get("/money?period=2026-08");
    expect(page.visibleText).toContain("$75 paid · $2.50 refunded · $72.50 received");
    const { text } = await admin.get("/money.csv?period=2026-08");
    expect([rows(text).length, cents(text)]).toEqual([251, 7250]);
  });

  test("of a month ends at midnight practice time, dates refunds by when they were made, and omits failed ones", async () => {
    const [ana, ben] = [await family({ firstName: "=cmd|'/c calc'!A1" }), await family({ firstName: "Ben" })];
    const early = await pay(ana, "2026-09-01T03:59:59Z", 7500);
    await pay(ana, "2026-09-01T04:00:00Z", 17_550, '+Made up, "quoted"');
    const late = await pay(ben, "2026-10-01T03:59:59Z", 4000);
    await refund(early.id, "2026-09-15T12:00:00Z", 3750);
    await refund(late.id, "2026-10-02T12:00:00Z", 100);
    await refund(late.id, "2026-09-30T12:00:00Z", 50, "failed");
    const page = await admin.get("/money?period=2026-09");
    expect(page.visibleText).toContain("$215.50 paid · $37.50 refunded · $178 received");
    const { text, headers } = await admin.get("/money.csv?period=2026-09");
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["cache-control"]).toContain("no-store");
    expect(rows(text)).toEqual([
      expect.stringMatching(
        /^"2026-09-01","Payment","\d+","'=cmd.*","'\+Made up, ""quoted""","2026-09-01",.*,175\.50,/,
      ),
      expect.stringMatching(/^"2026-09-15","Refund","\d+","'=cmd.*,-37\.50,/),
      expect.stringMatching(/^"2026-09-30","Payment","\d+","Ben .*,40\.00,/),
    ]);
    expect(cents(text)).toBe(17_800);
    expect(text).not.toContain("Private reason");
    for (const { id } of [ana, ben])
      expect(await db.auditEntry.count({ where: { action: "payments-exported", familyId: id } })).toBe(1);
  });

  test("of a year adds up to the payments minus the refunds in the database", async () => {
    const { _sum } = await db.payment.aggregate({
      where: { state: "paid" },
      _sum: { amountCents: true, refundedCents: true },
    });
    const { text } = await admin.get("/money.csv?period=2026");
    expect(cents(text)).toBe((_sum.amountCents ?? 0) - (_sum.refundedCents ?? 0));
  });

  test.each(["", "?period=2026-13", "?period=November", "?period=2026-11&period="])(
    "with the query %j opens as a page; its CSV returns 400 unless the first period is valid",
    async (query) => {
      const expected = query.includes("2026-11") ? 200 : 400;
      expect((await admin.get(`/money.csv${query}`)).status).toBe(expected);
      expect((await admin.get(`/money${query}`)).status).toBe(200);
    },
  );
});
