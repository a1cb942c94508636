import { now } from "../clock.ts";

/** Longer than one request works on a payment. An older lease belongs to a request that died. */
const LEASE_MS = 30_000;

/** Payments, and refunds, that one round settles; those that are left have the next one. */
export const MAX_LEASED = 500;

/** The end (UTC) of a lease taken now. */
export function newLeaseExpiry(): Date {
  return new Date(now().getTime() + LEASE_MS);
}
