// Proves the words that say of a visit what was paid, refunded or waived, and what is to be paid.
import { describe, expect, test } from "vitest";
import { balanceTextBesidePaidBadge, balanceText } from "../../app/booking/prices/appointment-balance.ts";

const START = new Date("2026-11-20T15:00:00Z");
const BEFORE = new Date(START.getTime() - 1);

const paid = (amountCents: number, refundedCents = 0) => ({ payments: [{ amountCents, refundedCents }] });
const visit = (changes: object = {}) => ({
  appointmentDate: START,
  status: "scheduled",
  paymentAmountCents: 7500,
  waivedAt: null,
  payments: [],
  paymentId: null,
  paymentStatus: "pending",
  ...changes,
});
const canceled = (changes: object = {}) => visit({ status: "cancelled", ...changes });

describe("what a visit costs", () => {
  test.each([
    ["is to be paid until the visit begins", visit(), BEFORE, "$75 to pay"],
    ["is due once the visit begins", visit(), START, "$75 due"],
    ["is paid", visit(paid(7500)), START, "$75 paid"],
    ["is paid and partly refunded", visit(paid(7500, 2050)), START, "$75 paid, $20.50 refunded"],
    ["is paid and refunded in full", visit(paid(7500, 7500)), START, "$75 paid, $75 refunded"],
    ["is waived", visit({ waivedAt: BEFORE }), START, "$75 waived"],
    ["is paid although it was waived", visit({ waivedAt: BEFORE, ...paid(7500) }), START, "$75 paid"],
    ["is nothing", visit({ paymentAmountCents: 0 }), START, null],
    ["is unknown", visit({ paymentAmountCents: null }), START, null],
  ])("%s", (_, appointment, now, text) => {
    expect(balanceText(appointment, now)).toBe(text);
  });
});

describe("a canceled visit", () => {
  test.each([
    ["that nobody paid for costs nothing", canceled(), null],
    ["of which nothing went back says so", canceled(paid(7500)), "$75 paid, nothing refunded"],
    ["of which half went back names both amounts", canceled(paid(7500, 3750)), "refunded $37.50 of $75"],
    ["of which all but a cent went back names both amounts", canceled(paid(7500, 7499)), "refunded $74.99 of $75"],
    ["of which everything went back names it once", canceled(paid(7500, 7500)), "refunded $75"],
  ])("%s", (_, appointment, text) => {
    expect(balanceText(appointment, START)).toBe(text);
  });

  test("that was paid for twice adds up both payments", () => {
    const payments = [...paid(7500, 7500).payments, ...paid(2500).payments];
    expect(balanceText(canceled({ payments }), START)).toBe("refunded $75 of $100");
  });
});

describe("beside the badge PAID", () => {
  test("stands only the amount; without the badge it is said that it was paid", () => {
    const byCard = { paymentId: "card-1", paymentStatus: "paid", ...paid(7500) };
    expect(balanceTextBesidePaidBadge(visit(byCard), START)).toBe("$75");
    expect(balanceTextBesidePaidBadge(canceled(byCard), START)).toBe("$75 paid, nothing refunded");
    const refunded = { ...byCard, paymentStatus: "partly-refunded", ...paid(7500, 3750) };
    expect(balanceTextBesidePaidBadge(visit(refunded), START)).toBe("$75 paid, $37.50 refunded");
    expect(balanceTextBesidePaidBadge(visit(), START)).toBe("$75 due");
  });
});
