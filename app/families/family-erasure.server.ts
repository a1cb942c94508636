import { findPendingErasure } from "../accounts/email/pending-erasure.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { countRequestsWithUnconfirmedEmail } from "../consultation-requests/request-account-matches.server.ts";
import { loadErasurePreviewForAdmin } from "../data-rights/erasure-preview.server.ts";
import {
  erasurePendingRefusal,
  cancelFamilyErasure,
  type RequestedErasure,
  requestErasureForFamily,
} from "../data-rights/request-own-erasure.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { mailMode } from "../mail/mail-transport.server.ts";
import { formatPracticeDateTime } from "../practice/format-practice-date-time.server.ts";
import { describeCanceledVisits, findFamilyAccountWithAudit } from "./family-account.server.ts";

/**
 * Returns what the administrator reads before deleting a family's account. Refusals: notFound; conflict (deletion is
 * already scheduled).
 */
export async function previewFamilyErasureWithAudit(person: Person, idParam: string | undefined) {
  const account = await findFamilyAccountWithAudit(person, idParam);
  if (!account.ok) return account;
  const family = account.value;
  if (family.eraseAfter) return erasurePendingRefusal;
  const [preview, unconfirmedRequests] = await Promise.all([
    loadErasurePreviewForAdmin(family.id),
    countRequestsWithUnconfirmedEmail(family),
  ]);
  return accepted({
    ...preview,
    id: family.id,
    name: fullName(family),
    email: family.email,
    isClosed: family.closedAt !== null,
    unconfirmedRequests,
    hasMail: mailMode !== "none",
  });
}

/**
 * Returns a family's name, whether its account is scheduled for deletion, and whether the practice requested that.
 * Refusal: notFound.
 */
export async function findErasureStatusWithAudit(person: Person, idParam: string | undefined) {
  const account = await findFamilyAccountWithAudit(person, idParam);
  if (!account.ok) return account;
  const { closedAt } = account.value;
  const pending = await findPendingErasure(account.value.id);
  return accepted({
    name: fullName(account.value),
    isClosed: closedAt !== null,
    eraseOn: pending && formatPracticeDateTime(pending.eraseAfter),
    isByPractice: pending?.isByPractice ?? false,
    hasMail: mailMode !== "none",
  });
}

/**
 * Schedules the deletion of a family's account, as when the family requests it. Refusals: forbidden, notFound, conflict
 * (deletion is already scheduled).
 */
export function requestErasureByIdParam(
  person: Person,
  idParam: string | undefined,
): Promise<Outcome<RequestedErasure>> {
  return requestErasureForFamily(person, parseId(idParam));
}

/**
 * Cancels the scheduled deletion of a family's account, whether the consultant or the family requested it. Refusals:
 * forbidden, notFound, conflict (no deletion is scheduled).
 */
export function cancelErasureByIdParam(person: Person, idParam: string | undefined): Promise<Outcome<null>> {
  return cancelFamilyErasure(person, parseId(idParam));
}

/** Returns text that describes the result of deleting the account. */
export function describeErasure(name: string, { eraseAfter, released }: RequestedErasure): string {
  return [
    `Everything about ${name} is deleted on ${formatPracticeDateTime(eraseAfter)}.`,
    ...describeCanceledVisits(released, "we cancel what is left as soon as that is settled."),
  ].join(" ");
}
