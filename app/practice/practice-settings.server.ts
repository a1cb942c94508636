import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { logError } from "../http/errors.server.ts";
import { refreshPageCache } from "../http/page-cache.server.ts";
import { refreshConsultantProfileCache } from "./consultant-profile.server.ts";
import { refreshPracticeDetailsCache } from "./practice-details.server.ts";
import { DEFAULT_OFFICE_HOURS, type WeeklyHours } from "./office-hours.ts";
import { SETTINGS_ROW_ID, writeSettingsRow } from "./practice-settings-row.server.ts";

/**
 * How long settings are cached, because every availability query reads them. A change by another process is visible
 * after this time.
 */
const SETTINGS_CACHE_TTL_MS = 1000;

/**
 * When families can book: the hours of each weekday, and the minutes of pause between visits and of notice before one.
 */
export type SchedulingRules = { week: WeeklyHours; pauseMinutes: number; noticeMinutes: number };

type Settings = SchedulingRules & { publicVersion: string };

let settingsCache: { loadedAt: number; settings: Promise<Settings> } | null = null;
/** Version of the settings that the cached public pages show; null before the first comparison. */
let publishedVersion: string | null = null;

/**
 * Returns the rules that the consultant has set, otherwise the specification's hours without pause and notice. At most
 * one second old.
 */
export function getCachedSchedulingRules(): Promise<SchedulingRules> {
  if (!settingsCache || performance.now() - settingsCache.loadedAt > SETTINGS_CACHE_TTL_MS)
    settingsCache = { loadedAt: performance.now(), settings: loadSettings(db).catch(clearSettingsCacheAndRethrow) };
  return settingsCache.settings;
}

/** Reads `getCachedSchedulingRules` within a transaction, which must not wait for the shared client. */
export function loadSchedulingRulesInTransaction(transaction: Transaction): Promise<SchedulingRules> {
  return loadSettings(transaction);
}

/** Replaces the scheduling rules. Call `refreshSettingsAndPageCaches` after the transaction has committed. */
export async function writeSchedulingRules(
  transaction: Transaction,
  { week, pauseMinutes, noticeMinutes }: SchedulingRules,
): Promise<void> {
  const data = { weeklyHours: JSON.stringify(week), pauseMinutes, noticeMinutes };
  await writeSettingsRow(transaction, data);
}

/** Clears the cached settings, so that the old public pages are no longer served. */
export async function refreshSettingsAndPageCaches(): Promise<void> {
  settingsCache = null;
  const { publicVersion } = await loadSettings(db);
  await Promise.all([refreshConsultantProfileCache(), refreshPracticeDetailsCache()]);
  publishedVersion = publicVersion;
  // Not awaited: rendering the pages takes longer than a request may.
  void refreshPageCache().catch((error: unknown) => {
    // No version of the settings, so that `refreshPublicPagesIfChanged` tries again.
    publishedVersion = "";
    logError(error, "rendering the public pages");
  });
}

/** Renders the cached public pages again if another process has changed the settings. Called every few seconds. */
export async function refreshPublicPagesIfChanged(): Promise<void> {
  const { publicVersion } = await loadSettings(db);
  if (publishedVersion !== null && publishedVersion !== publicVersion) {
    settingsCache = null;
    await Promise.all([refreshConsultantProfileCache(), refreshPracticeDetailsCache()]);
    await refreshPageCache();
  }
  // After a failed refresh the earlier version stays, so that the next call refreshes again.
  publishedVersion = publicVersion;
}

async function loadSettings(client: Prisma.TransactionClient): Promise<Settings> {
  const row = await client.practiceSettings.findUnique({
    where: { id: SETTINGS_ROW_ID },
    omit: { portraitBase64: true },
  });
  return {
    week: row?.weeklyHours ? (JSON.parse(row.weeklyHours) as WeeklyHours) : DEFAULT_OFFICE_HOURS,
    pauseMinutes: row?.pauseMinutes ?? 0,
    noticeMinutes: row?.noticeMinutes ?? 0,
    publicVersion: JSON.stringify([
      row?.weeklyHours,
      row?.consultantName,
      row?.consultantBio,
      row?.consultantLicense,
      row?.portraitName,
      row?.practiceAddress,
      row?.taxId,
      row?.meetingPlace,
    ]),
  };
}

function clearSettingsCacheAndRethrow(error: unknown): never {
  settingsCache = null;
  throw error;
}
