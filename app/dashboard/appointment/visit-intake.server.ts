import type { Person } from "../../accounts/person.ts";
import { findIntakeFormWithAuditAndReview } from "../../intake/intake-form-review.server.ts";
import { formatIntakeFormOwner, toSubmittedIntakeFormData } from "../../intake/intake-forms.server.ts";
import { isIntakeRequested } from "./visit-intake-query.ts";

export type VisitIntake = NonNullable<Awaited<ReturnType<typeof findRequestedVisitIntakeWithAudit>>>;

/**
 * Returns the intake form of a visit's family, and whose it is, if the address asks for it with `?intake=open`. Records
 * that it was read.
 */
export async function findRequestedVisitIntakeWithAudit(
  person: Person,
  familyId: number | null,
  query: URLSearchParams,
) {
  if (familyId === null || !isIntakeRequested(query)) return null;
  const form = await findIntakeFormWithAuditAndReview(person, familyId);
  if (!form.ok) return null;
  return { owner: formatIntakeFormOwner(form.value), summary: toSubmittedIntakeFormData(form.value, familyId) };
}
