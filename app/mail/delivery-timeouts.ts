import { MINUTE_MS, SECOND_MS } from "../time-units.ts";

/**
 * How long a mail server may take for each step of an attempt. A server that checks a message before accepting it may
 * be slow (RFC 5321, 4.5.3.2.6: ten minutes). If we disconnect earlier, the server may still deliver the message, and
 * our retry would send it twice.
 */
export const MAIL_TIMEOUTS_MS = {
  dns: 10 * SECOND_MS,
  /** Includes the time for `dns`. */
  connection: 10 * SECOND_MS,
  greeting: 10 * SECOND_MS,
  /** For each reply after the greeting. */
  socket: 5 * MINUTE_MS,
  /** For the whole attempt, which a server that is slow with every reply would draw out beyond the lease. */
  attempt: 5 * MINUTE_MS + 40 * SECOND_MS,
} as const;

/**
 * Maximum messages sent at the same time. Each has its own connection: waiting for another message's connection could
 * take longer than the lease.
 */
export const MAX_MAIL_CONNECTIONS = 3;

/**
 * How long a process may work on an attempt. Longer than an attempt may take. After this time the process is assumed
 * to have died and the next attempt begins.
 */
export const DELIVERY_LEASE_MS = 6 * MINUTE_MS;
