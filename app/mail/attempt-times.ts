import { MINUTE_MS, SECOND_MS } from "../duration.ts";

/**
 * How long a mail server may take for each step of an attempt. A server that checks a message before it takes it may be
 * slow (RFC 5321, 4.5.3.2.6: ten minutes). If we disconnect earlier, the server may still
 * deliver the message, and our retry would send it twice.
 */
export const MAIL_TIMEOUTS_MS = {
  dns: 10 * SECOND_MS,
  /** With `dns`. */
  connection: 10 * SECOND_MS,
  greeting: 10 * SECOND_MS,
  /** For each answer after the greeting. */
  socket: 5 * MINUTE_MS,
} as const;

/** Messages of one attempt; none of them waits for another one's connection, and with that beyond its lease. */
export const MAX_CONNECTIONS = 3;

/** After this time an attempt counts as lost with its process, and the next one begins: longer than a slow one takes. */
export const LEASE_MS = 6 * MINUTE_MS;
