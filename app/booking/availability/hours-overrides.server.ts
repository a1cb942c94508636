import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { DAY_MS } from "../../time-units.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome } from "../../http/outcome.ts";
import { getCachedSchedulingRules } from "../../practice/practice-settings.server.ts";
import { type DayHours, lastBookableDay, TOO_FAR_AHEAD_MESSAGE } from "../booking-rules.ts";
import { nextDay, toWallTime, weekdayOf } from "../wall-time.ts";
import { practiceToday } from "../practice-today.server.ts";

/** Maximum length of a range in days. A longer one is treated as a typing mistake. */
const MAX_OVERRIDE_DAYS = 62;
/**
 * How long overrides are cached, because every availability query reads them. A change by another process is visible
 * after this time.
 */
const CACHE_LIFETIME_MS = 1000;

type HoursOverride = { day: string; opens: number | null; closes: number | null; note: string | null };

let cache: { loadedAt: number; overrides: Promise<Map<string, DayHours>> } | null = null;

/**
 * Returns the override of office hours on `day` ("2026-12-25", in the practice's time zone): null when closed,
 * undefined when there is none.
 */
export async function findHoursOverride(day: string): Promise<DayHours | undefined> {
  if (!cache || performance.now() - cache.loadedAt > CACHE_LIFETIME_MS)
    cache = { loadedAt: performance.now(), overrides: loadOverrides() };
  return (await cache.overrides).get(day);
}

/**
 * Returns the hours of `day` ("2026-12-25", in the practice's time zone): its override, otherwise those of its weekday;
 * null when closed.
 */
export async function findOfficeHours(day: string): Promise<DayHours> {
  const override = await findHoursOverride(day);
  return override === undefined ? ((await getCachedSchedulingRules()).week[weekdayOf(day)] ?? null) : override;
}

async function loadOverrides(): Promise<Map<string, DayHours>> {
  const rows = await listHoursOverrides().catch((error: unknown) => {
    cache = null;
    throw error;
  });
  return new Map(
    rows.map(({ day, opens, closes }) => [day, opens === null || closes === null ? null : { opens, closes }]),
  );
}

/** Lists the overrides from yesterday on, ascending. */
export function listHoursOverrides(): Promise<HoursOverride[]> {
  const yesterday = toWallTime(new Date(now().getTime() - DAY_MS), env.practice.timeZone).day;
  const select = { day: true, opens: true, closes: true, note: true } as const;
  return db.hoursOverride.findMany({ where: { day: { gte: yesterday } }, orderBy: { day: "asc" }, select });
}

type OverrideInput = { from: string; to?: string; hours: DayHours; note?: string };

/**
 * Closes the days from `from` to `to` or sets their hours, replacing earlier overrides. Existing appointments are not
 * changed. Returns the changed days. Refusal: invalid (past days, or too many). Source: docs/decisions/0008.
 */
export async function setHoursOverrides(person: Person, input: OverrideInput): Promise<Outcome<string[]>> {
  assertAdministrator(person);
  const { from, to = from, hours, note } = input;
  const today = practiceToday();
  if (from < today) return invalidField("from", "That day is over. Choose today or a later day.");
  if (from > lastBookableDay(today)) return invalidField("from", TOO_FAR_AHEAD_MESSAGE);
  if (to < from) return invalidField("to", "The last day is before the first.");
  const days: string[] = [];
  for (let day = from; day <= to && days.length <= MAX_OVERRIDE_DAYS; day = nextDay(day)) days.push(day);
  if (days.length > MAX_OVERRIDE_DAYS) return invalidField("to", `Choose at most ${MAX_OVERRIDE_DAYS} days at once.`);
  const row = { opens: hours?.opens ?? null, closes: hours?.closes ?? null, note: note ?? null, createdAt: now() };
  await inTransaction(async (transaction) => {
    // Writes in ascending order, so that concurrent changes wait for each other instead of deadlocking.
    for (const day of days)
      await transaction.hoursOverride.upsert({ where: { day }, create: { day, ...row }, update: row });
    recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  cache = null;
  return accepted(days);
}

/** Deletes the override of a day. */
export async function deleteHoursOverride(person: Person, day: string): Promise<void> {
  assertAdministrator(person);
  await inTransaction(async (transaction) => {
    const { count } = await transaction.hoursOverride.deleteMany({ where: { day } });
    if (count > 0) recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  cache = null;
}
