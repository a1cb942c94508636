// Proves until when a freed time is held for a family: two hours by day, none of them at night, across clock changes too.
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeOfferExpiry } from "../../app/booking/waiting-list/offer-expiry.ts";

const ZONE = "America/New_York";
const MINUTE_MS = 60_000;
const FAR = new Date("2030-01-01T15:00Z");
const expiry = (offeredAt: Date, bookableUntil = FAR) => computeOfferExpiry({ offeredAt, bookableUntil, zone: ZONE });

test.each([
  ["in the morning, ends two hours later", "2026-12-07T10:00-05:00", "2026-12-07T12:00-05:00"],
  ["at 8 AM, ends at 10 AM", "2026-12-07T08:00-05:00", "2026-12-07T10:00-05:00"],
  ["at 7 PM, ends at 9 PM", "2026-12-07T19:00-05:00", "2026-12-07T21:00-05:00"],
  ["at 8 PM, ends at 9 AM the next day", "2026-12-07T20:00-05:00", "2026-12-08T09:00-05:00"],
  ["at 9 PM, ends at 10 AM the next day", "2026-12-07T21:00-05:00", "2026-12-08T10:00-05:00"],
  ["at 3:57 AM, ends at 10 AM the same day", "2026-12-07T03:57-05:00", "2026-12-07T10:00-05:00"],
  ["at 8 PM before clocks go back, ends at 9 AM", "2026-10-31T20:00-04:00", "2026-11-01T09:00-05:00"],
  ["at 1 AM before clocks go forward, ends at 10 AM", "2027-03-14T01:00-05:00", "2027-03-14T10:00-04:00"],
])("an offer made %s", (_, offeredAt, end) => {
  expect(expiry(new Date(offeredAt))).toEqual(new Date(end));
});

test("an offer never lasts longer than the visit can be booked", () => {
  const night = new Date("2026-12-07T03:57-05:00");
  const nine = new Date("2026-12-07T09:00-05:00");
  expect(expiry(night, nine)).toEqual(nine);
  expect(expiry(night, new Date("2026-12-07T10:00-05:00"))).toEqual(new Date("2026-12-07T10:00-05:00"));
});

test("a family has exactly 120 minutes between 8 AM and 9 PM, whenever the offer is made", () => {
  const clock = new Intl.DateTimeFormat("en-US", { timeZone: ZONE, hour: "numeric", hourCycle: "h23" });
  const isDay = (instant: number) => {
    const hour = Number(clock.format(instant));
    return hour >= 8 && hour < 21;
  };
  const firstMinute = Date.parse("2026-10-25T00:00Z") / MINUTE_MS;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 * 24 * 60 }), (offset) => {
      const start = (firstMinute + offset) * MINUTE_MS;
      const end = expiry(new Date(start)).getTime();
      let dayMinutes = 0;
      for (let instant = start; instant < end; instant += MINUTE_MS) dayMinutes += isDay(instant) ? 1 : 0;
      expect([dayMinutes, isDay(end - MINUTE_MS)]).toEqual([120, true]);
    }),
  );
});
