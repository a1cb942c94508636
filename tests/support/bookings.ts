import { expect } from "vitest";
import type { TestClient } from "./http-client.ts";

const HOUR_MS = 3_600_000;

/** The moment at which the tests of booking stand: a Friday morning in the practice. */
export const TEST_NOW = new Date("2026-11-20T15:00:30Z");

/** Hours on which the office is open all winter long (Eastern Standard Time), each handed out once. */
export function* openHours(): Generator<string, string> {
  for (let day = Date.parse("2027-01-02T14:00Z"); ; day += 24 * HOUR_MS) {
    if (![0, 1, 6].includes(new Date(day).getUTCDay())) continue;
    for (let hour = 0; hour < 10; hour++) yield new Date(day + hour * HOUR_MS).toISOString();
  }
}

const hours = openHours();

/** An hour that nobody else was given. */
export function nextFreeHour(): string {
  return hours.next().value;
}

/** What is sent to book an hour of its own. */
export function bookingBody(changes: Record<string, unknown> = {}) {
  const start = "appointmentDate" in changes ? {} : { appointmentDate: nextFreeHour() };
  return { title: "Initial Consultation", duration: 60, type: "consultation", ...start, ...changes };
}

/** Books, and fails the test when that is refused. */
export async function bookOrFail(client: TestClient, changes: Record<string, unknown> = {}) {
  const response = await client.post("/api/appointments", bookingBody(changes));
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return response.json;
}

/** Books an hour that starts at `start` (ISO 8601) and pays for it by card. */
export function payByCard(client: TestClient, start: string) {
  return client.post("/api/payments/process", {
    sourceId: "cnon:card-nonce-ok",
    amount: 75,
    appointmentData: { title: "Hourly Consulting", appointmentDate: start, duration: 60, type: "consultation" },
  });
}

/** The statuses of answers whose order is nobody's promise. */
export function sortedStatuses(responses: { status: number }[]): number[] {
  return responses.map(({ status }) => status).sort((a, b) => a - b);
}
