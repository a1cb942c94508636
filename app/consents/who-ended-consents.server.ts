import { findLatestActorsByRecordId } from "../audit/latest-audit-entries.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import type { SignedConsent } from "./consents.server.ts";

type EndedConsent = Pick<SignedConsent, "id" | "withdrawnAt" | "endsAt">;

/**
 * Returns who ended each of these signatures of a family, and when, as a sentence for that family, keyed by the
 * signature's id.
 */
export async function describeWhoEndedConsents(
  familyId: number,
  consents: readonly EndedConsent[],
): Promise<Map<number, string>> {
  const objectIds = consents.map(({ id }) => id);
  const actors = await findLatestActorsByRecordId("consent-withdrawn", { familyId, objectIds });
  return new Map(
    consents.map((consent) => [consent.id, describeEnd(consent, actors.get(consent.id) ?? null, familyId)]),
  );
}

function describeEnd({ withdrawnAt, endsAt }: EndedConsent, actorId: number | null, familyId: number): string {
  if (!withdrawnAt) return endsAt ? `Ended by itself on ${formatPracticeDateTime(endsAt)}.` : "";
  const at = formatPracticeDateTime(withdrawnAt);
  // The actor is unknown if the access log entry was deleted after its retention period, or is missing from a restored
  // backup.
  if (actorId === null) return `Ended on ${at}.`;
  return actorId === familyId ? `You took it back on ${at}.` : `Ended by your consultant, as you asked, on ${at}.`;
}
