import type { z } from "zod";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record.server.ts";
import { inTransaction } from "../../db/client.server.ts";
import { writePracticeDetails } from "../../practice/practice-details.server.ts";
import { refreshSettingsCache } from "../../practice/settings.server.ts";
import type { practiceDetailsSchema } from "./practice-details-schema.ts";

/**
 * Sets the address and tax number of invoices and receipts, and the place of in-person visits. Values that are left out
 * become empty. Only for the administrator; throws for anyone else.
 */
export async function setPracticeDetails(
  person: Person,
  { address, taxId, meetingPlace }: z.output<typeof practiceDetailsSchema>,
): Promise<void> {
  if (!person.isAdmin) throw new Error("Only the administrator sets what the site says of the practice.");
  await inTransaction(async (transaction) => {
    await writePracticeDetails(transaction, {
      address: address ?? null,
      taxId: taxId ?? null,
      meetingPlace: meetingPlace ?? null,
    });
    recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  await refreshSettingsCache();
}
