// Proves that a slow mail server gets its time, and that nobody else sends its message meanwhile.
import { expect, test } from "vitest";
import { LEASE_MS, MAIL_TIMEOUTS_MS } from "../../app/mail/delivery-timeouts.ts";

test("a mail server that checks a message for minutes is waited for, and its message is sent by nobody else until then", () => {
  const { connection, greeting, socket } = MAIL_TIMEOUTS_MS;
  expect(socket).toBeGreaterThanOrEqual(5 * 60_000);
  expect(Math.max(connection, greeting)).toBeLessThanOrEqual(15_000);
  expect(LEASE_MS).toBeGreaterThan(connection + greeting + socket);
});
