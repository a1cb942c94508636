import type { z } from "zod";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { changePracticePlaceAndNotify, type PlaceAudience } from "../../booking/place/practice-place.server.ts";
import { writePracticeDetails } from "../../practice/practice-details.server.ts";
import { refreshSettingsAndPageCaches } from "../../practice/practice-settings.server.ts";
import type { practiceDetailsSchema } from "./practice-details-schema.ts";

/**
 * Sets the address and tax number of invoices and receipts, and the place of in-person visits. Values that are left out
 * become empty. A changed place is told to the families of the visits to come; returns who is told. Only for the
 * administrator; throws for anyone else.
 */
export async function setPracticeDetailsAndNotify(
  person: Person,
  { address, taxId, meetingPlace }: z.output<typeof practiceDetailsSchema>,
): Promise<PlaceAudience> {
  assertAdministrator(person);
  const audience = await changePracticePlaceAndNotify(person, meetingPlace ?? null, async (transaction) => {
    await writePracticeDetails(transaction, {
      address: address ?? null,
      taxId: taxId ?? null,
      meetingPlace: meetingPlace ?? null,
    });
    recordAuditInTransaction(transaction, { action: "practice-settings-changed" });
  });
  await refreshSettingsAndPageCaches();
  return audience;
}
