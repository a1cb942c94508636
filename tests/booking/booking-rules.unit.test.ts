// Proves the rules for time zones, office hours, prices, badges and video rooms, partly against independent models.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canCancel, familyBadge, timeStatus, statusBadge } from "../../app/booking/appointment-status.ts";
import { isRoomOpen, offeredRoomLink } from "../../app/booking/room-hours.ts";
import { createPriceList, normalizeTitle } from "../../app/booking/prices/price-list.ts";
import {
  BOOKABLE_SERVICES,
  isAddOnCategoryTitle,
  isCustomTitle,
  defaultServiceMinutes,
  priceInCents,
} from "../../app/booking/prices/service-catalog.ts";
import {
  IN_THE_PAST_MESSAGE,
  TOO_FAR_AHEAD_MESSAGE,
  officeHoursError,
  basicSlotError,
  slotError,
} from "../../app/booking/booking-rules.ts";
import {
  nextDay,
  wallTimeToInstant,
  parseDay,
  parseTime,
  startOfDay,
  formatTimeOfDay,
  toWallTime,
} from "../../app/booking/wall-time.ts";
import { DEFAULT_OFFICE_HOURS, formatOfficeHoursTable, officeHoursSentence } from "../../app/practice/office-hours.ts";

const ZONE = "America/New_York";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CHANGES = ["2026-11-01", "2027-03-14", "2027-11-07"];

/** An independent model of the wall: what Intl writes, minute by minute, with no arithmetic of ours. */
const INTL = new Intl.DateTimeFormat("en-CA", {
  timeZone: ZONE,
  weekday: "long",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

function wallByIntl(instant: Date) {
  const parts = INTL.formatToParts(instant);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? "";
  return {
    day: `${part("year")}-${part("month")}-${part("day")}`,
    weekday: part("weekday"),
    time: `${part("hour")}:${part("minute")}`,
  };
}

describe("wall time", () => {
  test("agrees with Intl at any minute of the three days on which New York's clocks change", () => {
    const minute = fc.integer({ min: -6 * 60, max: 36 * 60 });
    fc.assert(
      fc.property(fc.constantFrom(...CHANGES), minute, (day, offset) => {
        const instant = new Date(Date.parse(`${day}T00:00Z`) + offset * MINUTE);
        const wall = toWallTime(instant, ZONE);
        const model = wallByIntl(instant);
        expect([wall.day, formatTimeOfDay(wall.minutes)]).toEqual([model.day, model.time]);
      }),
    );
  });

  test("on clock-change days a repeated minute maps to its first occurrence, a skipped minute to null", () => {
    for (const day of CHANGES) {
      const first = new Map<string, number>();
      const from = Date.parse(`${day}T00:00Z`);
      for (let time = from; time < from + 32 * HOUR; time += MINUTE) {
        const model = wallByIntl(new Date(time));
        if (model.day === day && !first.has(model.time)) first.set(model.time, time);
      }
      expect(first.size).toBe(day === "2027-03-14" ? 23 * 60 : 24 * 60);
      for (let minutes = 0; minutes < 24 * 60; minutes++) {
        expect(wallTimeToInstant(day, minutes, ZONE)?.getTime()).toBe(first.get(formatTimeOfDay(minutes)));
      }
    }
  });

  test("2:30 on the spring clock change is null; 1:30 on the fall clock change is the first of its two instants", () => {
    expect(wallTimeToInstant("2027-03-14", 150, ZONE)).toBeNull();
    expect(wallTimeToInstant("2026-11-01", 90, ZONE)).toEqual(new Date("2026-11-01T05:30Z"));
    expect(wallTimeToInstant("2027-11-07", 90, ZONE)).toEqual(new Date("2027-11-07T05:30Z"));
  });

  test.each([
    ["2027-03-14", 23],
    ["2026-11-01", 25],
    ["2027-11-07", 25],
    ["2026-12-07", 24],
  ])("%s lasts %i hours", (day, hours) => {
    expect(startOfDay(nextDay(day), ZONE).getTime() - startOfDay(day, ZONE).getTime()).toBe(hours * HOUR);
  });

  test("a day whose midnight is skipped by a clock change starts at 1:00", () => {
    expect(wallTimeToInstant("2024-09-08", 0, "America/Santiago")).toBeNull();
    expect(toWallTime(startOfDay("2024-09-08", "America/Santiago"), "America/Santiago")).toMatchObject({
      day: "2024-09-08",
      minutes: 60,
    });
  });

  test("converting an instant to wall time and back keeps the wall time, in six time zones", () => {
    const zones = fc.constantFrom(
      ZONE,
      "UTC",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
      "Pacific/Kiritimati",
      "America/St_Johns",
    );
    const moment = fc.integer({ min: Date.parse("2024-01-01Z") / MINUTE, max: Date.parse("2030-01-01Z") / MINUTE });
    fc.assert(
      fc.property(zones, moment, (zone, minute) => {
        const instant = new Date(minute * MINUTE);
        const wall = toWallTime(instant, zone);
        const back = wallTimeToInstant(wall.day, wall.minutes, zone);
        expect(back).not.toBeNull();
        expect(toWallTime(back!, zone)).toEqual(wall);
        expect(back!.getTime()).toBeLessThanOrEqual(instant.getTime());
      }),
    );
  });

  test("invalid days and times are parsed as null", () => {
    for (const text of [
      "",
      "2026-02-30",
      "2026-13-01",
      "2026-1-1",
      "+275760-09-13",
      "2026-12-07T10:00",
      " 2026-12-07",
    ]) {
      expect(parseDay(text)).toBeNull();
    }
    for (const text of ["", "24:00", "9:00", "12:60", "10:00:00", "-1:00", "1e1:0", "１０:００"])
      expect(parseTime(text)).toBeNull();
    expect(parseDay("2028-02-29")).toBe("2028-02-29");
    expect(parseTime("18:30")).toBe(1110);
  });
});

describe("office hours", () => {
  test("are by default those that the specification lists", () => {
    expect(formatOfficeHoursTable().map(({ day, hours }) => `${day} ${hours}`)).toEqual([
      "Sun 9am-7pm",
      "Mon 9am-7pm",
      "Tue after 6:30pm by appointment",
      "Wed 9am-1:30pm",
      "Thu after 6:30pm by appointment",
      "Fri 3pm-7pm",
      "Sat 9am-7pm",
    ]);
    expect(officeHoursSentence(4)).toBe("On Thursdays the office is open 6:30pm-9pm.");
  });

  test("accept an appointment only if all its minutes are open on one day, as in a minute-by-minute model", () => {
    const open: Record<string, [string, string]> = {
      Sunday: ["09:00", "19:00"],
      Monday: ["09:00", "19:00"],
      Tuesday: ["18:30", "21:00"],
      Wednesday: ["09:00", "13:30"],
      Thursday: ["18:30", "21:00"],
      Friday: ["15:00", "19:00"],
      Saturday: ["09:00", "19:00"],
    };
    const minute = fc.integer({ min: Date.parse("2026-10-25Z") / MINUTE, max: Date.parse("2027-11-14Z") / MINUTE });
    fc.assert(
      fc.property(minute, fc.integer({ min: 15, max: 240 }), (start, duration) => {
        const days = new Set<string>();
        let inside = true;
        for (let passed = 0; passed < duration; passed++) {
          const wall = wallByIntl(new Date((start + passed) * MINUTE));
          const [opens, closes] = open[wall.weekday]!;
          inside &&= wall.time >= opens && wall.time < closes;
          days.add(wall.day);
        }
        const reason = officeHoursError({ start: new Date(start * MINUTE), duration }, { zone: ZONE });
        expect(reason === null).toBe(inside && days.size === 1);
      }),
      { numRuns: 300 },
    );
  });

  test("an appointment may start at opening and end at closing, but not a minute outside", () => {
    const at = (day: string, minutes: number, duration: number) =>
      officeHoursError({ start: wallTimeToInstant(day, minutes, ZONE)!, duration }, { zone: ZONE });
    expect(at("2026-12-01", 1110, 150)).toBeNull();
    expect(at("2026-12-01", 1110, 151)).toBe(
      "That is outside office hours. On Tuesdays the office is open 6:30pm-9pm.",
    );
    expect(at("2026-12-01", 1109, 60)).toContain("outside office hours");
    expect(at("2026-12-02", 750, 60)).toBeNull();
    expect(at("2026-12-02", 751, 60)).toContain("9am-1:30pm");
  });

  test("an appointment on a closed weekday is refused as closed, and the table lists the day as closed", () => {
    const weeklyHours = DEFAULT_OFFICE_HOURS.map((hours, weekday) => (weekday === 0 ? null : hours));
    const sunday = wallTimeToInstant("2026-12-06", 600, ZONE)!;
    expect(officeHoursError({ start: sunday, duration: 60 }, { zone: ZONE, weeklyHours })).toBe(
      "The office is closed on Sundays. Please choose another day.",
    );
    expect(formatOfficeHoursTable(weeklyHours)[0]).toEqual({ day: "Sun", hours: "closed" });
  });
});

describe("the rules for a bookable time", () => {
  const now = new Date("2026-11-20T15:00:30Z");
  const monday = new Date("2026-12-07T15:00Z");
  const slotRequest = { start: monday, duration: 60, type: "consultation" as const };
  const terms = { zone: ZONE, now };

  test("allow an hour on a Monday morning", () => {
    expect(slotError(slotRequest, terms)).toBeNull();
  });

  test.each([-HOUR, -1, 0])("refuse a start at now plus %i ms as in the past", (offset) => {
    expect(slotError({ ...slotRequest, start: new Date(now.getTime() + offset) }, terms)).toBe(IN_THE_PAST_MESSAGE);
  });

  test("refuse a start more than two years ahead", () => {
    expect(basicSlotError({ start: new Date("2028-11-20T15:00:30Z"), duration: 60 }, terms)).toBeNull();
    expect(basicSlotError({ start: new Date("2028-11-20T15:01Z"), duration: 60 }, terms)).toBe(TOO_FAR_AHEAD_MESSAGE);
    expect(basicSlotError({ start: new Date("+275760-09-13T00:00Z"), duration: 60 }, terms)).toBe(
      TOO_FAR_AHEAD_MESSAGE,
    );
  });

  test.each([14, 241, 15.5, 0, -60, Number.NaN, 1e308])("refuse a duration of %d minutes", (duration) => {
    expect(slotError({ ...slotRequest, duration }, terms)).toContain("whole number of minutes from 15 to 240");
  });

  test("allow only an emergency outside office hours, and no emergency in the past", () => {
    const night = new Date("2026-12-08T03:00Z");
    expect(slotError({ ...slotRequest, start: night }, terms)).toContain("outside office hours");
    expect(slotError({ ...slotRequest, start: night, type: "emergency" }, terms)).toBeNull();
    expect(slotError({ start: now, duration: 60, type: "emergency" }, terms)).toBe(IN_THE_PAST_MESSAGE);
  });
});

describe("prices", () => {
  test.each([
    ["Initial Consultation", 7500],
    ["Hourly Consulting", 7500],
    ["Starter Support Package", 17500],
    ["Advocacy Partner Package", 32500],
    ["Monthly Retainer", 40000],
    ["Document Preparation", 7500],
    ["School Meeting Attendance", 7500],
    ["Follow-up Consultation", 4000],
    ["Resource Research and Compilation", 4000],
    ["Help with a letter", 7500],
  ])("%s costs %i cents", (title, cents) => {
    expect(priceInCents(title)).toBe(cents);
  });

  test("a service title with invisible, full-width or extra space characters has the same price", () => {
    const disguises = [
      "  monthly   RETAINER ",
      "Monthly\u00a0Retainer",
      "Month\u200bly Retainer\ufeff",
      "Ｍｏｎｔｈｌｙ Retainer",
      "Monthly\u00ad\u2060 Re\u200dtainer\u{e0041}",
      "Monthly\tRetainer\u2800",
      "Mon\u0000thly Retainer",
    ];
    for (const title of disguises) {
      expect(priceInCents(title)).toBe(40000);
      expect(isCustomTitle(title)).toBe(false);
      expect(createPriceList(BOOKABLE_SERVICES).priceInCents(title)).toBe(40000);
    }
    expect(isCustomTitle("Monthly Retainer Lite")).toBe(true);
  });

  test("Add-On Services is recognized as a category and is not a title in the price list", () => {
    expect(isAddOnCategoryTitle("add-on\u200b services")).toBe(true);
    expect(isAddOnCategoryTitle("Document Preparation")).toBe(false);
    expect(isCustomTitle("Add-On Services")).toBe(true);
  });

  test("normalizing a title twice gives the same result as once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        expect(normalizeTitle(normalizeTitle(title))).toBe(normalizeTitle(title));
      }),
      { numRuns: 2000 },
    );
  });

  test("the default duration is 90 minutes for the initial consultation and 60 for another service", () => {
    expect(defaultServiceMinutes("initial consultation")).toBe(90);
    expect(defaultServiceMinutes("Monthly Retainer")).toBe(60);
  });
});

describe("status badges and video rooms", () => {
  const start = new Date("2026-12-07T15:00Z");
  const appointment = {
    appointmentDate: start,
    duration: 60,
    status: "scheduled",
    isLiveVideoCall: true,
    callEndedAt: null,
  };
  const at = (minutes: number) => new Date(start.getTime() + minutes * MINUTE);

  test("each status has its own badge color", () => {
    expect(
      ["scheduled", "completed", "cancelled", "rescheduled", "no-show"].map((status) => statusBadge(status).color),
    ).toEqual(["blue", "green", "red", "yellow", "grey"]);
  });

  test("a visit is upcoming before its start, now until its end, and past from then on", () => {
    expect([-1, 0, 59, 60].map((minutes) => timeStatus(appointment, at(minutes)))).toEqual([
      "upcoming",
      "now",
      "now",
      "past",
    ]);
    expect([-1, 0, 60].map((minutes) => familyBadge(appointment, at(minutes)).label)).toEqual([
      "scheduled",
      "Now",
      "completed",
    ]);
    expect(familyBadge({ ...appointment, status: "cancelled" }, at(0)).label).toBe("cancelled");
  });

  test("the waiting room opens 10 minutes before the start; the call can be joined until 30 minutes after the end", () => {
    expect([-11, -10, -1, 0, 90, 91].map((minutes) => offeredRoomLink(appointment, at(minutes)))).toEqual([
      null,
      "waiting-room",
      "waiting-room",
      "join-now",
      "join-now",
      null,
    ]);
    expect(offeredRoomLink({ ...appointment, callEndedAt: at(20) }, at(30))).toBeNull();
  });

  test("an in-person or canceled appointment has no open room", () => {
    expect(isRoomOpen({ ...appointment, isLiveVideoCall: false }, at(0))).toBe(false);
    expect(isRoomOpen({ ...appointment, status: "cancelled" }, at(0))).toBe(false);
  });

  test("a visit that is over, canceled, completed or a no-show can't be canceled", () => {
    expect([-1, 59, 60].map((minutes) => canCancel(appointment, at(minutes)))).toEqual([true, true, false]);
    for (const status of ["cancelled", "completed", "no-show"])
      expect([status, canCancel({ ...appointment, status }, at(-60))]).toEqual([status, false]);
    expect(canCancel({ ...appointment, status: "rescheduled" }, at(-60))).toBe(true);
  });
});
