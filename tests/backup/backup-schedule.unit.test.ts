// Proves when the nightly backup is due, also when daylight saving time begins and ends.
import { expect, test } from "vitest";
import { isBackupDue } from "../../app/backup/backup-schedule.ts";

const NIGHTLY = { minutes: 150, zone: "America/New_York" };
const run = (at: string) => ({ at });
const succeeded = (at: string) => ({ last: run(at), lastSuccess: run(at) });
const isDue = (runs: Parameters<typeof isBackupDue>[0], instant: string) =>
  isBackupDue(runs, new Date(instant), NIGHTLY);

test("the nightly backup is due from 2:30 AM in the practice's time zone until it is made", () => {
  const lastNight = succeeded("2026-11-22T07:30:00.000Z");
  expect(isDue(lastNight, "2026-11-22T07:30:01Z")).toBe(false);
  expect(isDue(lastNight, "2026-11-23T07:29:59.999Z")).toBe(false);
  expect(isDue(lastNight, "2026-11-23T07:30:00Z")).toBe(true);
  expect(isDue(succeeded("2026-11-22T07:29:59.999Z"), "2026-11-22T12:00:00Z")).toBe(true);
});

test("a backup is due at once if there is none or if the last night's was missed", () => {
  expect(isDue({ last: null, lastSuccess: null }, "2026-11-23T20:00:00Z")).toBe(true);
  expect(isDue(succeeded("2026-11-20T07:30:00Z"), "2026-11-23T20:00:00Z")).toBe(true);
});

test("a failed backup is retried after an hour, not before", () => {
  const runs = { last: run("2026-11-23T07:31:00Z"), lastSuccess: run("2026-11-22T07:31:00Z") };
  expect(isDue(runs, "2026-11-23T08:30:59.999Z")).toBe(false);
  expect(isDue(runs, "2026-11-23T08:31:00Z")).toBe(true);
});

test("one backup is due in the night when daylight saving time begins, and one when it ends", () => {
  const [spring, autumn] = [succeeded("2027-03-13T07:30:00Z"), succeeded("2027-11-06T06:30:00Z")];
  expect(isDue(spring, "2027-03-14T04:59:59Z")).toBe(false);
  expect(isDue(spring, "2027-03-14T05:00:00Z")).toBe(true);
  expect(isDue(succeeded("2027-03-14T05:01:00Z"), "2027-03-15T06:29:59Z")).toBe(false);
  expect(isDue(autumn, "2027-11-07T07:29:59Z")).toBe(false);
  expect(isDue(autumn, "2027-11-07T07:30:00Z")).toBe(true);
  expect(isDue(succeeded("2027-11-07T07:31:00Z"), "2027-11-07T08:00:00Z")).toBe(false);
});

test("a backup at 1:30 AM, an hour that comes twice when clocks go back, is due once that night", () => {
  const early = { ...NIGHTLY, minutes: 90 };
  const isDueAt = (runs: ReturnType<typeof succeeded>, instant: string) => isBackupDue(runs, new Date(instant), early);
  const before = succeeded("2027-11-06T05:30:00Z");
  expect(isDueAt(before, "2027-11-07T05:29:59Z")).toBe(false);
  expect(isDueAt(before, "2027-11-07T05:30:00Z")).toBe(true);
  const first = succeeded("2027-11-07T05:30:10Z");
  for (const instant of ["06:29:59", "06:30:00", "07:30:00", "23:59:59"])
    expect([instant, isDueAt(first, `2027-11-07T${instant}Z`)]).toEqual([instant, false]);
  expect(isDueAt(first, "2027-11-08T06:29:59Z")).toBe(false);
  expect(isDueAt(first, "2027-11-08T06:30:00Z")).toBe(true);
});

test("a backup at 2:30 AM, made on the day clocks go back, is due again the next night and not before", () => {
  const made = succeeded("2027-11-07T07:30:10Z");
  for (const instant of ["2027-11-07T07:31:00Z", "2027-11-07T08:30:00Z", "2027-11-08T07:29:59Z"])
    expect([instant, isDue(made, instant)]).toEqual([instant, false]);
  expect(isDue(made, "2027-11-08T07:30:00Z")).toBe(true);
});

test("a backup at 11:30 PM is due once on the day of 25 hours when clocks go back", () => {
  const late = { ...NIGHTLY, minutes: 23 * 60 + 30 };
  const isDueAt = (instant: string) => isBackupDue(succeeded("2027-11-07T03:30:10Z"), new Date(instant), late);
  expect(isDueAt("2027-11-08T04:29:59Z")).toBe(false);
  expect(isDueAt("2027-11-08T04:30:00Z")).toBe(true);
});

test("no backup is due when nightly backups are turned off", () => {
  expect(
    isBackupDue({ last: null, lastSuccess: null }, new Date("2026-11-23T20:00:00Z"), { ...NIGHTLY, minutes: null }),
  ).toBe(false);
});
