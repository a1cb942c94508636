// Proves that the mail timeouts allow for a slow server, and that a message's lease outlasts a slow attempt.
import { expect, test } from "vitest";
import { DELIVERY_LEASE_MS, MAIL_TIMEOUTS_MS } from "../../app/mail/delivery-timeouts.ts";

test("the lease is longer than an attempt, which is long enough to wait for one slow reply", () => {
  const { connection, greeting, socket, attempt } = MAIL_TIMEOUTS_MS;
  expect(attempt).toBeGreaterThan(connection + greeting + socket);
  expect(DELIVERY_LEASE_MS - attempt).toBeGreaterThanOrEqual(15_000);
});

test("the socket timeout is at least 5 minutes, connecting at most 15 s, and the lease is longer than all timeouts", () => {
  const { connection, greeting, socket } = MAIL_TIMEOUTS_MS;
  expect(socket).toBeGreaterThanOrEqual(5 * 60_000);
  expect(Math.max(connection, greeting)).toBeLessThanOrEqual(15_000);
  expect(DELIVERY_LEASE_MS).toBeGreaterThan(connection + greeting + socket);
});
