import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import type { AuditAction } from "../audit/audit-actions.ts";
import { findLatestAuditEntry } from "../audit/latest-audit-entries.server.ts";
import { type AuditEvent, recordAuditNow } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { DAY_MS, SECOND_MS } from "../time-units.ts";
import { refreshWarnings } from "../http/admin-warnings.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";

/** Recorded by a restore that could not know what had been revoked after the backup. */
export const REVOCATIONS_LOST = "revocations-lost" satisfies AuditAction;
/** Recorded when the consultant marks the loss as seen. */
export const LOST_REVOCATIONS_CHECKED = "lost-revocations-checked" satisfies AuditAction;

const WARNING_DAYS = 30;

/**
 * Returns the audit event of a restore for which the revocations since `since` (UTC; stored in seconds) are unknown.
 */
export function unknownRevocationsEvent(since: Date): AuditEvent {
  return {
    action: REVOCATIONS_LOST,
    actorId: null,
    objectType: "time",
    objectId: Math.floor(since.getTime() / SECOND_MS),
  };
}

/** Returns the time stored by `unknownRevocationsEvent`; null for an entry of an earlier program. */
export function revocationsUnknownSince({ objectId }: { objectId: number | null }): Date | null {
  return objectId === null ? null : new Date(objectId * SECOND_MS);
}

/**
 * Returns the entry of a restore in the last 30 days that may have restored revoked data, if nobody has marked it as
 * seen; otherwise null.
 */
export async function findUnacknowledgedRevocationLoss(): Promise<{
  sequence: number;
  at: Date;
  objectId: number | null;
} | null> {
  const latest = await findLatestAuditEntry({ actions: [REVOCATIONS_LOST, LOST_REVOCATIONS_CHECKED] });
  const isRecent = latest !== null && now().getTime() - latest.at.getTime() < WARNING_DAYS * DAY_MS;
  return isRecent && latest.action === REVOCATIONS_LOST ? latest : null;
}

/**
 * Returns a warning for the administrator about what a restored backup may have brought back, for 30 days or until it
 * is marked as seen.
 */
export async function unknownRevocationsWarnings(): Promise<string[]> {
  const restoreEntry = await findUnacknowledgedRevocationLoss();
  if (!restoreEntry) return [];
  const lostSince = revocationsUnknownSince(restoreEntry);
  const since = lostSince ? formatPracticeDateTime(lostSince) : "the backup";
  return [
    `A backup was restored on ${formatPracticeDateTime(restoreEntry.at)}. What was withdrawn, removed or changed after ${since} is as it was before: agreements, passkeys, passwords, email addresses, shared documents, accounts that you closed, and requests to delete an account. Until you mark it as seen, no closed account is deleted for its age. Ask your families, give a password link to whoever changed the password, and look at your own passkeys. Then mark it as seen in System status.`,
  ];
}

/**
 * Marks as seen what was brought back by the restore whose audit entry has the sequence number `restoreSequence`. A later restore
 * stays unmarked. Refusals: forbidden; notFound (it is already marked).
 */
export async function markUnknownRevocationsChecked(person: Person, restoreSequence: number): Promise<Outcome<null>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const restoreEntry = await findUnacknowledgedRevocationLoss();
  if (!restoreEntry || restoreEntry.sequence > restoreSequence)
    return refused("notFound", "It is already marked as seen.");
  await recordAuditNow({ action: LOST_REVOCATIONS_CHECKED });
  await refreshWarnings();
  return accepted(null);
}
