import { now } from "../clock.ts";

/** Longer than one request works on a payment. An expired lease belongs to a request that was aborted. */
const LEASE_DURATION_MS = 30_000;

/** Maximum number of payments, and of refunds, that one round handles. The next round continues with the rest. */
export const LEASE_BATCH_SIZE = 500;

/** Returns the end (UTC) of a lease that starts now. */
export function newLeaseExpiry(): Date {
  return new Date(now().getTime() + LEASE_DURATION_MS);
}
