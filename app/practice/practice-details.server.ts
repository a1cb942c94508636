import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db, type Transaction } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { SETTINGS_ROW_ID, writeSettingsRow } from "./practice-settings-row.server.ts";

/**
 * The address and tax number of invoices and receipts, and where families meet the consultant in person; null if not
 * set.
 */
export type PracticeDetails = { address: string | null; taxId: string | null; meetingPlace: string | null };

/** Key of the advisory lock around telling the place where families meet the consultant. */
const MEETING_PLACE_LOCK_KEY = 4_714_004;

type StoredDetails = { practiceAddress: string | null; taxId: string | null; meetingPlace: string | null };

const isPostgresql = !env.databaseUrl.startsWith("file:");

let cachedDetails: PracticeDetails = env.practice;

/** Returns the details that `refreshPracticeDetailsCache` loaded last. */
export function cachedPracticeDetails(): PracticeDetails {
  return cachedDetails;
}

/**
 * Loads the details that the consultant has set. They take precedence over the environment variables, even if she left
 * them empty.
 */
export async function refreshPracticeDetailsCache(): Promise<void> {
  cachedDetails = await readPracticeDetails(db);
}

/** Locks the details of the practice until the end of the transaction, and returns them. */
export async function lockAndReadPracticeDetails(transaction: Transaction): Promise<PracticeDetails> {
  await writeSettingsRow(transaction, {});
  return readPracticeDetails(transaction);
}

/**
 * Returns the place where families meet the consultant, which no other transaction changes until this one has ended.
 * Take this lock after those of accounts and appointments, so that two transactions can't wait for each other.
 */
export async function readMeetingPlaceWithSharedLock(transaction: Transaction): Promise<string | null> {
  if (isPostgresql)
    await transaction.$executeRaw`SELECT pg_advisory_xact_lock_shared(${MEETING_PLACE_LOCK_KEY}::int, 0)`;
  return (await readPracticeDetails(transaction)).meetingPlace;
}

/**
 * Waits for the transactions that have read `readMeetingPlaceWithSharedLock`; later ones wait until this transaction has ended. SQLite
 * runs transactions one after the other anyway.
 */
export async function lockMeetingPlaceExclusively(transaction: Transaction): Promise<void> {
  if (isPostgresql) await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${MEETING_PLACE_LOCK_KEY}::int, 0)`;
}

/** Replaces the details of the practice. Call `refreshSettingsAndPageCaches` after the transaction has committed. */
export async function writePracticeDetails(
  transaction: Transaction,
  { address, taxId, meetingPlace }: PracticeDetails,
): Promise<void> {
  const data = {
    practiceAddress: address ?? "",
    taxId: taxId ?? "",
    meetingPlace: meetingPlace ?? "",
  };
  await writeSettingsRow(transaction, data);
}

async function readPracticeDetails(client: Prisma.TransactionClient): Promise<PracticeDetails> {
  const row: StoredDetails | null = await client.practiceSettings.findUnique({
    where: { id: SETTINGS_ROW_ID },
    select: { practiceAddress: true, taxId: true, meetingPlace: true },
  });
  return {
    address: (row?.practiceAddress ?? env.practice.address) || null,
    taxId: (row?.taxId ?? env.practice.taxId) || null,
    meetingPlace: (row?.meetingPlace ?? env.practice.meetingPlace) || null,
  };
}
