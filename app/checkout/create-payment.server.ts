import { createHmac, randomUUID } from "node:crypto";
import { DAY_MS, HOUR_SECONDS, MINUTE_MS } from "../time-units.ts";
import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { type Transaction } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";
import { env } from "../env.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { closedAccountRefusal } from "../booking/book-appointment.server.ts";
import { checkCancellationLimit } from "../booking/limits/cancellation-limit.server.ts";
import { HOLD_MINUTES } from "../booking/holds/hold-duration.ts";
import { releaseObsoleteHolds } from "../booking/holds/release-holds.server.ts";
import { bookingNetworkHashes, checkNetworkHoldLimit } from "../booking/limits/network-limits.server.ts";
import { checkNewAccountBookingLimits, hasNewAccountLimits } from "../booking/limits/new-account-limits.server.ts";
import { checkHostedPageQuota } from "../booking/limits/new-account-quota.server.ts";
import { insertPayment } from "./payment-transitions.server.ts";
import { findPayment, type Payment } from "./find-payment.server.ts";
import { newLeaseExpiry } from "./payment-lease.server.ts";
import { priceInCents } from "../booking/prices/service-catalog.ts";
import { rollbackIf, tryTransaction } from "../booking/rollback.server.ts";
import type { BookingValues } from "../booking/booking-schemas.ts";

/**
 * Maximum number of hosted pages of a family in 24 hours. Each page holds its time for 15 minutes, paid or not. Source:
 * docs/product.md, Holding a time.
 */
const MAX_HOSTED_PAGES = 24;

const IDEMPOTENCY_KEY_REUSED_MESSAGE = "This idempotency key was used for another payment. Use a new key.";

export type NewPayment = {
  method: "card" | "hosted";
  fields: BookingValues;
  /** The client's IP address (see `clientIp`). */
  ip: string;
  /** The caller's idempotency key and the hash of its request, if it sent a key. */
  idempotencyKey?: string;
  requestHash?: string;
};

/** Returns the end (UTC) of a hold and of its hosted page. */
export function computePaymentHoldExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + HOLD_MINUTES * MINUTE_MS);
}

/**
 * Holds the slot and inserts the payment with our own key, in one transaction, before the provider is called. Refusals:
 * conflict (slot taken, held by another family, or by the family's own payment in flight; or the idempotency key was
 * used concurrently; the account is closed or its erasure scheduled), tooMany (24 hosted pages in 24 hours; 20
 * cancellations in seven days; limits for a new account or its network).
 */
export async function createPaymentWithHold(
  person: Person,
  provider: string,
  { method, fields, ip, idempotencyKey, requestHash }: NewPayment,
): Promise<Outcome<Payment>> {
  const createdAt = now();
  const { appointmentDate, duration } = fields;
  try {
    const created = await tryTransaction(async (transaction) => {
      if (!(await lockAccountRow(transaction, person.id, { isOpen: true, hasNoErasureRequest: true })))
        rollbackIf(closedAccountRefusal);
      const chosenSlotHold = await transaction.hold.findFirst({
        where: { chosenByUserId: person.id, appointmentDate, expiresAt: { gt: createdAt } },
        select: { heldSince: true },
      });
      rollbackIf(await checkCancellationLimit(transaction, person.id));
      if (method === "hosted") rollbackIf(await checkHostedPageLimit(transaction, person.id));
      await releaseObsoleteHolds(transaction, fields, { userId: person.id });
      const paymentId = await insertPayment(transaction, "started", {
        userId: person.id,
        method,
        provider,
        key: randomUUID(),
        idempotencyKey: idempotencyKey ?? null,
        requestHash: requestHash ?? null,
        booking: JSON.stringify(fields),
        amountCents: priceInCents(fields.title),
        leaseEndsAt: newLeaseExpiry(),
        createdAt,
      });
      const isLimited = await hasNewAccountLimits(transaction, person.id);
      const hold = {
        userId: person.id,
        paymentId,
        appointmentDate,
        duration,
        type: fields.type,
        heldSince: chosenSlotHold?.heldSince ?? createdAt,
        expiresAt: computePaymentHoldExpiry(createdAt),
        ...(isLimited ? bookingNetworkHashes(ip) : {}),
      };
      await transaction.hold.create({ data: hold, select: { id: true } });
      if (isLimited)
        rollbackIf(
          (await checkNewAccountBookingLimits(transaction, person.id, fields)) ??
            (await checkNetworkHoldLimit(transaction, ip)) ??
            (method === "hosted" ? await checkHostedPageQuota(transaction, fields) : null),
        );
      return paymentId;
    });
    if (!created.ok) return created;
    const payment = await findPayment({ id: created.value });
    if (!payment) throw new Error(`Payment ${created.value} is gone.`);
    return accepted(payment);
  } catch (error) {
    // A concurrent request with the same key was first. The caller waits for its result.
    if (isUniqueViolation(error)) return refused("conflict", IDEMPOTENCY_KEY_REUSED_MESSAGE);
    throw error;
  }
}

async function checkHostedPageLimit(transaction: Transaction, userId: number): Promise<Refusal | null> {
  if (!env.isRateLimitingEnabled) return null;
  const createdAt = { gt: new Date(now().getTime() - DAY_MS) };
  const openedCount = await transaction.payment.count({ where: { userId, method: "hosted", createdAt } });
  if (openedCount < MAX_HOSTED_PAGES) return null;
  const refusal = refused(
    "tooMany",
    `You opened the payment page ${MAX_HOSTED_PAGES} times in a day. Please pay in person, or call us at ${env.practice.phone}.`,
  );
  return { ...refusal, retryAfterSeconds: HOUR_SECONDS };
}

/**
 * Finds the payment that was created with a caller's idempotency key; null when there is none. Refusal: invalid when
 * the key was used for a different request.
 */
export async function findPaymentByIdempotencyKey(
  person: Person,
  idempotencyKey: string | undefined,
  request: FingerprintInput,
): Promise<Outcome<Payment | null>> {
  if (!idempotencyKey) return accepted(null);
  const payment = await findPayment({ userId_idempotencyKey: { userId: person.id, idempotencyKey } });
  const isSameRequest = env.sessionSecrets.some(
    (secret) => hashPaymentRequest(request, secret) === payment?.requestHash,
  );
  if (!payment || isSameRequest) return accepted(payment);
  return refused("invalid", IDEMPOTENCY_KEY_REUSED_MESSAGE, { idempotencyKey: [IDEMPOTENCY_KEY_REUSED_MESSAGE] });
}

type FingerprintInput = { sourceId: string; amount: number; fields: BookingValues };

/**
 * Returns a keyed hash of a request, to recognize a repeated request. It is hashed because the request contains a card
 * token.
 */
export function hashPaymentRequest(
  { sourceId, amount, fields }: FingerprintInput,
  secret = env.sessionSecrets[0] ?? "",
): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([sourceId, amount, fields]))
    .digest("base64url");
}
