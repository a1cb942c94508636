import { createHmac, randomUUID } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { inTransaction, isOverlapViolation, isUniqueViolation } from "../db.server.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { isUnreadable } from "../sealed-text.server.ts";
import { taken } from "./book.server.ts";
import { clearWay, HOLD_MINUTES } from "./holds.server.ts";
import { exceedsNewAccountLimits } from "./new-account-limits.server.ts";
import { findPayment, leaseEnd, type Payment } from "./payments.server.ts";
import { priceInCents } from "./prices.ts";
import { refuse, Refused } from "./refused.ts";
import type { BookingFields } from "./shapes.ts";

const MINUTE = 60_000;
const KEY_IN_USE = "This idempotency key was used for another payment. Use a new key.";

export type Wanted = {
  method: "card" | "hosted";
  fields: BookingFields;
  /** The caller's own key and what it was used for, where it gave one. */
  callerKey?: string;
  asked?: string;
};

/** When a hold, and with it a page at the provider that nobody paid on, comes to its end. */
export function holdEnd(createdAt: Date): Date {
  return new Date(createdAt.getTime() + HOLD_MINUTES * MINUTE);
}

/**
 * Holds the time and writes the attempt down with our own key, before anybody asks the provider. Conflict when the
 * time is taken, or held by somebody else, or by the family's own attempt in flight; tooMany for a new account.
 */
export async function startAttempt(
  person: Person,
  provider: string,
  { method, fields, callerKey, asked }: Wanted,
): Promise<Outcome<Payment>> {
  const time = now();
  const { appointmentDate, duration } = fields;
  const state = "started";
  try {
    const id = await inTransaction(async (transaction) => {
      await clearWay(transaction, fields, { userId: person.id });
      const payment = await transaction.payment.create({
        data: {
          userId: person.id,
          method,
          provider,
          key: randomUUID(),
          callerKey: callerKey ?? null,
          asked: asked ?? null,
          booking: JSON.stringify(fields),
          amountCents: priceInCents(fields.title),
          state,
          leaseEndsAt: leaseEnd(),
          createdAt: time,
          steps: { create: { state, at: time } },
        },
        select: { id: true },
      });
      const hold = { userId: person.id, paymentId: payment.id, appointmentDate, duration, expiresAt: holdEnd(time) };
      await transaction.hold.create({ data: hold, select: { id: true } });
      refuse(await exceedsNewAccountLimits(transaction, person.id, fields));
      return payment.id;
    });
    const payment = await findPayment({ id });
    if (!payment) throw new Error(`Payment ${id} is gone.`);
    return accepted(payment);
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    if (isOverlapViolation(error)) return taken();
    // The same key sent twice at once: the other one is the attempt, this one waits for it.
    if (isUniqueViolation(error)) return refused("conflict", KEY_IN_USE);
    throw error;
  }
}

/** The attempt that a caller's key already stands for: null when there is none, invalid when it was for something else. */
export async function findRepeated(
  person: Person,
  callerKey: string | undefined,
  order: Order,
): Promise<Outcome<Payment | null>> {
  if (!callerKey) return accepted(null);
  const payment = await findPayment({ userId_callerKey: { userId: person.id, callerKey } });
  const isSame = env.sessionSecrets.some((secret) => fingerprint(order, secret) === payment?.asked);
  if (!payment || isSame) return accepted(payment);
  return refused("invalid", KEY_IN_USE, { idempotencyKey: [KEY_IN_USE] });
}

type Order = { sourceId: string; amount: number; fields: BookingFields };

/** What was asked, as a text that can be compared and tells nothing: a token of the card form is part of it. */
export function fingerprint({ sourceId, amount, fields }: Order, secret = env.sessionSecrets[0] ?? ""): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([sourceId, amount, fields]))
    .digest("base64url");
}

/** What an attempt was to book. Throws where that can't be opened: the attempt then stays unsettled rather than book something else. */
export function bookingOf({ booking }: Pick<Payment, "booking">): BookingFields {
  if (isUnreadable(booking)) throw new Error("What a payment was to book can't be opened.");
  const fields = JSON.parse(booking) as BookingFields & { appointmentDate: string };
  return { ...fields, appointmentDate: new Date(fields.appointmentDate) };
}
