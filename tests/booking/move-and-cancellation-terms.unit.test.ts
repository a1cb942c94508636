// Proves the text on the cost of moving or canceling a visit, by payment method and time before the start.
import { expect, test } from "vitest";
import {
  cancellationTermsAfterDeadline,
  LATE_FEE_TEXT,
  moveAndCancellationTerms,
} from "../../app/booking/prices/cancellation-policy.ts";
import { SELF_SERVICE_DEADLINE_HOURS } from "../../app/booking/self-service-deadline.ts";
import { read } from "../support/source-files.ts";

const START = new Date("2026-12-07T15:00:00Z");
const hoursBefore = (hours: number) => new Date(START.getTime() - hours * 3_600_000);
const visit = (paymentMethod: string | null, paymentAmountCents: number | null, payments: [number, number][] = []) => ({
  appointmentDate: START,
  paymentMethod,
  paymentAmountCents,
  payments: payments.map(([amountCents, refundedCents]) => ({ amountCents, refundedCents })),
});

const UNTIL = "until Sun, Dec 6, 2026 at 10:00 AM ET";
const SOON = "It starts in less than 24 hours. To move it, please call us. If you cancel it,";
const OWES = "Nothing is charged online: your consultant will talk with you about it.";
const EMERGENCY = "Is it an emergency? Please call us before you cancel.";

const CASES: [who: string, hours: number, of: ReturnType<typeof visit>, sentence: string][] = [
  [
    "paid by card, 24 hours ahead",
    24,
    visit("online", 7500, [[7500, 0]]),
    `Move or cancel it at no cost ${UNTIL}. If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.`,
  ],
  [
    "paid by card, 48 hours ahead, payment not recorded yet",
    48,
    visit("online", 7500),
    `Move or cancel it at no cost ${UNTIL}. If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.`,
  ],
  [
    "paid by card, less than 24 hours ahead",
    23.99,
    visit("online", 7500, [[7500, 0]]),
    `${SOON} there is a 50% fee, and $37.50 goes back to your card. ${EMERGENCY}`,
  ],
  [
    "paid by card, less than 24 hours ahead, half already refunded",
    2,
    visit("online", 7500, [[7500, 3750]]),
    `${SOON} there is a 50% fee, and nothing more goes back to your card. ${EMERGENCY}`,
  ],
  ["paid by card, fully refunded already", 2, visit("online", 7500, [[7500, 7500]]), `${SOON} it costs nothing.`],
  [
    "paid by card, already started",
    0,
    visit("online", 7500, [[7500, 0]]),
    "It has started. If you cancel it now, nothing more goes back to your card.",
  ],
  [
    "to be paid in person, 25 hours ahead",
    25,
    visit("in-person", 7500),
    `Move or cancel it at no cost ${UNTIL}. If you cancel it after that, our terms ask for a 50% fee ($37.50). ${OWES}`,
  ],
  [
    "to be paid in person, less than 24 hours ahead",
    1,
    visit("in-person", 7500),
    `${SOON} our terms ask for a 50% fee ($37.50). ${OWES} ${EMERGENCY}`,
  ],
  [
    "to be paid in person, already started",
    -0.2,
    visit(null, 7500),
    `It has started. If you cancel it now, our terms ask for the full price ($75). ${OWES}`,
  ],
  [
    "free, 30 hours ahead",
    30,
    visit("in-person", 0),
    `Move it ${UNTIL}, or cancel it until it starts. Both cost nothing.`,
  ],
  ["without a price, 3 hours ahead", 3, visit(null, null), `${SOON} it costs nothing.`],
];

test.each(CASES)("the terms are correct for a visit %s", (_, hours, of, sentence) => {
  expect(moveAndCancellationTerms(of, hoursBefore(hours), "America/New_York")).toBe(sentence);
});

const MS = 1 / 3_600_000;
const ENDED =
  "Moving or canceling it was free until Sun, Dec 6, 2026 at 10:00 AM ET. To move it after that, please call us.";
const REMINDED: [who: string, of: ReturnType<typeof visit>, sentence: string][] = [
  [
    "paid by card",
    visit("online", 7500, [[7500, 0]]),
    `${ENDED} If you cancel it after that, there is a 50% fee, and $37.50 goes back to your card.`,
  ],
  [
    "to be paid in person",
    visit("in-person", 7500),
    `${ENDED} If you cancel it after that, our terms ask for a 50% fee ($37.50). ${OWES}`,
  ],
  [
    "free",
    visit("in-person", 0),
    `You could move it ${UNTIL}; to move it after that, please call us. If you cancel it, it costs nothing.`,
  ],
  [
    "refunded in full",
    visit("online", 7500, [[7500, 7500]]),
    `You could move it ${UNTIL}; to move it after that, please call us. If you cancel it, it costs nothing.`,
  ],
];

test.each(REMINDED)(
  "the reminder text for a visit %s is the same from before the 24-hour deadline until the start",
  (_, of, sentence) => {
    for (const hours of [24 + MS, 24, 24 - MS, 1, MS])
      expect([hours, cancellationTermsAfterDeadline(of, hoursBefore(hours), "America/New_York")]).toEqual([
        hours,
        sentence,
      ]);
  },
);

test.each([0, -MS])("%d hours before the start, the reminder text says that the visit has started", (hours) => {
  const paid = visit("online", 7500, [[7500, 0]]);
  expect(cancellationTermsAfterDeadline(paid, hoursBefore(hours), "America/New_York")).toBe(
    "It has started. If you cancel it now, nothing more goes back to your card.",
  );
});

test("the last free moment is exactly 24 hours before the start", () => {
  const paid = visit("online", 7500, [[7500, 0]]);
  const terms = (hours: number) => moveAndCancellationTerms(paid, hoursBefore(hours), "America/New_York");
  expect([terms(24 + MS), terms(24)].map((text) => text.startsWith("Move or cancel it at no cost"))).toEqual([
    true,
    true,
  ]);
  expect(terms(24 - MS)).toMatch(/^It starts in less than 24 hours\./);
});

test("the terms of service state the late fee and the deadline that refunds are computed with", () => {
  expect(read("app/practice/legal/terms-of-service.tsx")).toContain(
    `With less than ${SELF_SERVICE_DEADLINE_HOURS} hours notice: a ${LATE_FEE_TEXT} fee.`,
  );
});
