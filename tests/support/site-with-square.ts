import { onTestFinished, vi } from "vitest";
import { findPaymentsAt } from "./database/database-dump.ts";
import { environmentOverrides } from "./environment-overrides.ts";
import { startFakeSquare } from "./servers/fake-square.ts";

export const signatureKey = "a-webhook-signature-key-of-the-tests";
export const accessToken = "stand-in-token";

export const PROVIDER_TIMEOUT_MS = 2_000;

let time = new Date("2026-11-20T15:00:30Z");

/** A site whose cards are taken by the stand-in of Square. Both go by the clock of the tests. */
export const square = await startFakeSquare({ now: () => time });
Object.assign(environmentOverrides, {
  PAYMENTS: "square",
  SQUARE_ENVIRONMENT: "sandbox",
  SQUARE_APPLICATION_ID: "sandbox-application",
  SQUARE_LOCATION_ID: "L1",
  SQUARE_ACCESS_TOKEN: accessToken,
  SQUARE_WEBHOOK_SIGNATURE_KEY: signatureKey,
  SQUARE_BASE_URL: square.url,
  SQUARE_TIMEOUT_SECONDS: String(PROVIDER_TIMEOUT_MS / 1_000),
  // What the test file has set otherwise.
  ...environmentOverrides,
});
export const site = await import("./site.ts");
site.setTestClock(() => time);

/**
 * For the rest of this test, timeouts of the site expire when the fake Square leaves a call unanswered instead of after
 * their time. Returns the milliseconds of each timeout, in order.
 */
export function expireTimeoutsWhenSilent(): number[] {
  const timeouts: number[] = [];
  const controllers = new Set<AbortController>();
  const spy = vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController();
    timeouts.push(milliseconds);
    controllers.add(controller);
    return controller.signal;
  });
  square.onSilence(() => {
    for (const controller of controllers)
      controller.abort(new DOMException("The operation was aborted.", "TimeoutError"));
    controllers.clear();
  });
  onTestFinished(() => {
    square.onSilence();
    spy.mockRestore();
  });
  return timeouts;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const now = () => time;

/** Lets time pass, for the site and for Square. */
export function advanceTime(milliseconds: number) {
  time = new Date(time.getTime() + milliseconds);
}

export function setTime(instant: Date) {
  time = instant;
}

/** What the reconciler does once the lease of whoever was at work on a payment has ended. */
export async function reconcileAfterLease() {
  await site.testing.waitForBackgroundPayments();
  advanceTime(MINUTE_MS);
  await site.testing.reconcilePayments();
}

/** Hours on which the office is open all winter long (Eastern Standard Time), each handed out once. */
export const openSlots = openHours();

function* openHours(): Generator<string, string> {
  for (let day = Date.parse("2027-01-02T14:00Z"); ; day += 24 * HOUR_MS) {
    if (![0, 1, 6].includes(new Date(day).getUTCDay())) continue;
    for (let hour = 0; hour < 10; hour++) yield new Date(day + hour * HOUR_MS).toISOString();
  }
}

export function cardPaymentBody(given: Record<string, unknown> = {}): Record<string, unknown> {
  const { appointmentDate = openSlots.next().value, title = "Hourly Consulting", ...rest } = given;
  return {
    sourceId: "cnon:card-nonce-ok",
    amount: 75,
    appointmentData: { title, appointmentDate, duration: 60 },
    ...rest,
  };
}

/** What Square holds of a family's payments, by our own rows. */
export async function findCharges(appointmentDate: string) {
  const rows = await findPaymentsAt(site.db, appointmentDate);
  const keys = new Set(rows.map(({ key }) => key));
  return [...square.ledger.payments.values()].filter(({ reference_id: reference }) => keys.has(reference));
}
