import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import type { Transaction } from "../db/database-client.server.ts";

/** The id of the only row of `practice_settings`. */
export const SETTINGS_ROW_ID = 1;

/** Replaces these columns of the practice's settings. Call `refreshSettingsAndPageCaches` after the transaction has committed. */
export async function writeSettingsRow(
  transaction: Transaction,
  columns: Omit<Prisma.PracticeSettingsUncheckedCreateInput, "id" | "updatedAt">,
): Promise<void> {
  const data = { ...columns, updatedAt: now() };
  await transaction.practiceSettings.upsert({
    where: { id: SETTINGS_ROW_ID },
    create: { id: SETTINGS_ROW_ID, ...data },
    update: data,
    select: { id: true },
  });
}
