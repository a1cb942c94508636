import { db, type Transaction } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { SETTINGS_ROW_ID, writeSettingsRow } from "./settings-row.server.ts";

/**
 * The address and tax number of invoices and receipts, and where families meet the consultant in person; null if not
 * set.
 */
export type PracticeDetails = { address: string | null; taxId: string | null; meetingPlace: string | null };

type StoredDetails = { practiceAddress: string | null; taxId: string | null; meetingPlace: string | null };

let details: PracticeDetails = env.practice;

/** Returns the details that `refreshPracticeDetailsCache` loaded last. */
export function cachedPracticeDetails(): PracticeDetails {
  return details;
}

/**
 * Loads the details that the consultant has set. They take precedence over the environment variables, even if she left
 * them empty.
 */
export async function refreshPracticeDetailsCache(): Promise<void> {
  const row: StoredDetails | null = await db.practiceSettings.findUnique({
    where: { id: SETTINGS_ROW_ID },
    select: { practiceAddress: true, taxId: true, meetingPlace: true },
  });
  details = {
    address: (row?.practiceAddress ?? env.practice.address) || null,
    taxId: (row?.taxId ?? env.practice.taxId) || null,
    meetingPlace: (row?.meetingPlace ?? env.practice.meetingPlace) || null,
  };
}

/** Replaces the details of the practice. Call `refreshSettingsCache` after the transaction has committed. */
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
