import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { inTransaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { TERMS_VERSION } from "../../practice/site-content.ts";
import type { Person } from "../person.ts";

/**
 * Records that the person accepts the terms and the privacy policy that were shown, in addition to earlier acceptances.
 * Idempotent. Refusal: conflict, if `version` is no longer the current one.
 */
export async function acceptTerms(person: Person, version: string): Promise<Outcome<null>> {
  if (version !== TERMS_VERSION)
    return refused("conflict", "Our terms have changed again. Please read them once more, then agree.");
  const acceptance = { version, acceptedAt: now() };
  await inTransaction(async (transaction) => {
    const { count } = await transaction.user.updateMany({
      where: { id: person.id, isAdmin: false, OR: [{ termsVersion: null }, { termsVersion: { not: TERMS_VERSION } }] },
      data: { termsVersion: acceptance.version, termsAcceptedAt: acceptance.acceptedAt },
    });
    if (count === 0) return;
    await transaction.termsAcceptance.create({ data: { ...acceptance, userId: person.id }, select: { id: true } });
    recordAuditInTransaction(transaction, {
      action: "consent-given",
      actorId: person.id,
      familyId: person.id,
      objectId: person.id,
    });
  });
  return accepted(null);
}
