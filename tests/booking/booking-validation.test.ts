// Proves which invalid bookings get which status code and message, and the availability endpoint.
import { beforeAll, describe, expect, test } from "vitest";
import type { Family } from "../support/people.ts";
import { db, family, origin, setTestClock } from "../support/site.ts";
import { bookOrFail, TEST_NOW, bookingBody } from "../support/bookings.ts";

setTestClock(() => TEST_NOW);

let maria: Family;
let devon: Family;

beforeAll(async () => {
  maria = await family({ intake: true, firstName: "Maria", lastName: "Alvarez" });
  devon = await family({ intake: true });
});

describe("booking validation", () => {
  test.each([
    ["the past", "2026-11-20T15:00:00Z", "Cannot book appointments in the past"],
    ["the past, with milliseconds", "2026-11-20T15:00:12.345Z", "Cannot book appointments in the past"],
    ["more than two years ahead", "2028-12-04T15:00:00Z", "at most 2 years ahead"],
    ["the year 9999", "9999-12-31T15:00:00Z", "at most 2 years ahead"],
    ["outside office hours", "2026-12-08T15:00:00Z", "On Tuesdays the office is open 6:30pm-9pm."],
    ["the last half hour of a day", "2026-12-07T23:30:00Z", "outside office hours"],
    ["a time with seconds", "2026-12-07T15:00:30Z", "whole minute"],
    ["February 30", "2026-02-30T15:00:00Z", "ISO 8601"],
    ["24:00", "2026-12-07T24:00:00Z", "ISO 8601"],
    ["a time without a zone", "2026-12-07T15:00", "ISO 8601"],
    ["the year 275760", "+275760-09-13T00:00:00Z", "ISO 8601"],
    ["text that is no date", "next Monday", "ISO 8601"],
    ["epoch milliseconds as text", "1796655600000", "ISO 8601"],
    ["epoch milliseconds", 1_796_655_600_000, "must be text"],
    ["an empty string", "", "Choose a date and time."],
    ["null", null, "Choose a date and time."],
    ["an array", ["2026-12-07T15:00:00Z"], "must be text"],
    ["an object", { $date: 1 }, "must be text"],
    ["true", true, "must be text"],
  ])("the appointment date “%s” gets 422 and the reason", async (_, appointmentDate, reason) => {
    for (const path of ["/api/appointments", "/api/appointments/in-person"]) {
      const response = await maria.post(path, bookingBody({ appointmentDate }));
      expect(response.status).toBe(422);
      expect(response.json.errors.appointmentDate.join(" ")).toContain(reason);
    }
  });

  test.each([
    ["duration", [14, 241, 15.5, "60", "sixty", null, 1e308, -60, 0, true, [60]]],
    ["type", ["haircut", 1, null, ["consultation"], "Consultation"]],
    ["isLiveVideoCall", ["true", "on", 1, 0, null, {}]],
    [
      "title",
      [
        "",
        "   ",
        "\u200b",
        null,
        7,
        ["x"],
        "x".repeat(256),
        "a\u0000b",
        "\ud800",
        "Add-On Services",
        "ADD-ON\u00a0services",
      ],
    ],
    ["description", ["x".repeat(5001), 5, "a\u0000b", "\udfff"]],
    ["notes", ["😀".repeat(5001), {}, "\u0000"]],
    ["place", ["x".repeat(201), 5, ["x"], "a\u0000b", "\ud800"]],
    [
      "meetingLink",
      [
        "javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example",
        "http://meet.example.com",
        "\tjavascript:alert(1)",
        "https:evil",
        "https://",
        "https://a\tb.example",
        "https://a b.example",
        `https://e.example/${"x".repeat(2000)}`,
        5,
      ],
    ],
  ])("invalid values of %s get 422 naming only that field, and nothing is booked", async (field, values) => {
    const before = await db.appointment.count();
    for (const value of values) {
      const response = await maria.post("/api/appointments", bookingBody({ [field]: value }));
      expect([field, value, response.status, Object.keys(response.json.errors ?? {})]).toEqual([
        field,
        value,
        422,
        [field],
      ]);
    }
    expect(await db.appointment.count()).toBe(before);
  });

  test("an empty body gets 422 naming every missing field", async () => {
    const response = await maria.post("/api/appointments", {});
    expect([response.status, Object.keys(response.json.errors).sort()]).toEqual([422, ["appointmentDate", "title"]]);
  });

  test("15 and 240 minutes are accepted; outside office hours only an emergency is, unless the time is taken", async () => {
    expect((await bookOrFail(maria, { duration: 15 })).duration).toBe(15);
    expect((await bookOrFail(maria, { duration: 240, appointmentDate: "2026-12-12T14:00:00Z" })).duration).toBe(240);
    const night = { appointmentDate: "2026-12-08T04:00:00Z" };
    expect((await maria.post("/api/appointments", bookingBody({ ...night, type: "follow-up" }))).status).toBe(422);
    expect((await bookOrFail(maria, { ...night, type: "emergency" })).type).toBe("emergency");
    expect((await devon.post("/api/appointments", bookingBody({ ...night, type: "emergency" }))).status).toBe(409);
  });

  test("refuses an overlapping time without revealing who booked it; adjacent visits are allowed", async () => {
    const start = Date.parse("2026-12-13T15:00Z");
    const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
    await bookOrFail(maria, { appointmentDate: at(0), description: "Secret of the Alvarez family" });
    for (const [minutes, duration] of [
      [0, 60],
      [59, 15],
      [-44, 45],
      [15, 15],
      [-60, 240],
    ] as const) {
      const response = await devon.post("/api/appointments", bookingBody({ appointmentDate: at(minutes), duration }));
      expect([minutes, response.status]).toEqual([minutes, 409]);
      expect(response.text).not.toMatch(/Maria|Alvarez|Secret/);
    }
    await bookOrFail(devon, { appointmentDate: at(60), duration: 30 });
    await bookOrFail(devon, { appointmentDate: at(-15), duration: 15 });
  });

  test("invalid bodies get 400 (no JSON object, or nested too deeply), 415 (wrong type) or 413 (too large)", async () => {
    const headers = { Origin: origin, "Content-Type": "application/json" };
    for (const body of ["{", "[]", "null", '"x"', "5", "\u0000", '{"title":"a",}']) {
      expect((await maria.request("POST", "/api/appointments", { headers, body })).status).toBe(400);
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      expect(
        (
          await maria.request("POST", "/api/appointments", {
            headers: { ...headers, "Content-Type": type },
            body: "{}",
          })
        ).status,
      ).toBe(415);
    }
    const large = JSON.stringify(bookingBody({ notes: "x".repeat(300_000) }));
    const last = { ...headers, Connection: "close" };
    expect((await maria.request("POST", "/api/appointments", { headers: last, body: large })).status).toBe(413);
    const deep = `{"title":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    expect((await maria.request("POST", "/api/appointments", { headers, body: deep })).status).toBe(400);
  });
});

describe("availability", () => {
  const ask = (query: string) => maria.get(`/api/appointments/availability?${query}`);

  test("is computed in the practice's time zone and doesn't reveal who booked a taken time", async () => {
    expect((await ask("date=2026-12-14&time=10:00&duration=60")).json).toEqual({ available: true, reason: null });
    await bookOrFail(devon, { appointmentDate: "2026-12-14T15:00:00Z", description: "Secret" });
    for (const time of ["10:00", "09:30", "10:59"]) {
      const response = await ask(`date=2026-12-14&time=${time}&duration=60`);
      expect(response.json).toEqual({
        available: false,
        reason: "This time slot is already taken. Please choose another time.",
      });
      expect(response.text).not.toContain(devon.firstName);
    }
    expect((await ask("date=2026-12-14&time=11:00&duration=60")).json.available).toBe(true);
    expect((await ask("date=2026-12-14&time=09:00&duration=60")).json.available).toBe(true);
  });

  test.each([
    ["date=2026-11-19&time=10:00&duration=60", "Cannot book appointments in the past"],
    ["date=2026-12-14&time=08:59&duration=60", "outside office hours"],
    ["date=2026-12-15&time=10:00&duration=60&type=consultation", "On Tuesdays"],
    ["date=2029-12-14&time=10:00&duration=60", "2 years"],
    ["date=2026-12-14&time=10:00&duration=14", "from 15 to 240"],
    ["date=2026-12-14&time=10:00&duration=241", "from 15 to 240"],
  ])("%s is not available", async (query, reason) => {
    const response = await ask(query);
    expect([response.status, response.json.available]).toEqual([200, false]);
    expect(response.json.reason).toContain(reason);
  });

  test("an emergency is available at night; in the repeated fall hour a time means its first occurrence", async () => {
    expect((await ask("date=2026-12-15&time=03:00&duration=60&type=emergency")).json.available).toBe(true);
    await bookOrFail(devon, { appointmentDate: "2027-11-07T05:30:00Z", type: "emergency" });
    expect((await ask("date=2027-11-07&time=01:30&duration=15&type=emergency")).json.available).toBe(false);
    expect((await ask("date=2027-11-07&time=00:30&duration=60&type=emergency")).json.available).toBe(true);
    expect((await ask("date=2027-11-07&time=02:00&duration=60&type=emergency")).json.available).toBe(true);
  });

  test.each([
    "",
    "date=2026-12-14&time=10:00",
    "date=2026-12-14&duration=60",
    "time=10:00&duration=60",
    "date=2026-12-14&date=2026-12-14&time=10:00&duration=60",
    "date=2026-12-14&time=10:00&duration=60&duration=30",
    "date=2026-12-14&time=10:00&duration=60&type=emergency&type=emergency",
    "date=2026-12-14&time=10:00&duration=60&type=haircut",
    "date=2026-02-30&time=10:00&duration=60",
    "date=2026-12-14&time=24:00&duration=60",
    "date=2026-12-14&time=10:0&duration=60",
    "date=2027-03-14&time=02:30&duration=60&type=emergency",
    "date=2026-12-14&time=10:00&duration=",
    "date=2026-12-14&time=10:00&duration=15.5",
    "date=2026-12-14&time=10:00&duration=60abc",
    "date=2026-12-14&time=10:00&duration=-60",
    "date=2026-12-14&time=10:00&duration=1e2",
    "date=2026-12-14&time=10:00&duration=NaN",
    "date[]=2026-12-14&time=10:00&duration=60",
    `date=${"9".repeat(5000)}&time=10:00&duration=60`,
  ])("the malformed query %s gets 400", async (query) => {
    expect((await ask(query)).status).toBe(400);
  });
});
