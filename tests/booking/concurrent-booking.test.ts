// Proves that exactly one of many concurrent bookings of overlapping times succeeds.
import { describe, expect, test } from "vitest";
import { db, family, setTestClock } from "../support/site.ts";
import { bookOrFail, TEST_NOW, bookingBody } from "../support/bookings.ts";

const HOUR = 3_600_000;

setTestClock(() => TEST_NOW);

describe("concurrent bookings", () => {
  test("of 1,000 bookings of overlapping times one gets 201 and 999 get 409; a later booking works", async () => {
    const day = Date.parse("2027-02-06T14:00Z");
    const families = await Promise.all(Array.from({ length: 10 }, () => family({ intake: true })));
    const responses = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => {
        const appointmentDate = new Date(day + (index % 60) * 60_000).toISOString();
        return families[index % families.length]!.post(
          "/api/appointments",
          bookingBody({ appointmentDate, duration: 60 }),
        );
      }),
    );
    const counts = Object.groupBy(responses, ({ status }) => String(status));
    expect(Object.fromEntries(Object.entries(counts).map(([status, list]) => [status, list?.length]))).toEqual({
      201: 1,
      409: 999,
    });
    const where = {
      appointmentDate: { gte: new Date(day), lt: new Date(day + 2 * HOUR) },
      status: { not: "cancelled" },
    };
    expect(await db.appointment.count({ where })).toBe(1);
    await bookOrFail(families[0]!);
  });
});
