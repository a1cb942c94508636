import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { type Change, changesBetween } from "./changes.ts";
import { findIntakeForm, type IntakeForm, toAnswers } from "./intake.server.ts";
import type { Answers } from "./questions.ts";

/** What a family changed when it sent its form in again at `at` (UTC). */
export type FormRevision = {
  at: Date;
  changes: Change[];
  /** The answers of one side can't be decrypted. */
  isUnreadable: boolean;
};

/**
 * What the person's family changed in its form, the latest first; of the family `userId` for the administrator.
 * Refusals: those of `findIntakeForm`.
 */
export async function listRevisions(
  person: Person,
  userId?: number,
): Promise<Outcome<{ form: IntakeForm; revisions: FormRevision[] }>> {
  const form = await findIntakeForm(person, userId);
  if (!form.ok) return form;
  const versions = await db.intakeFormVersion.findMany({
    where: { userId: form.value.userId },
    orderBy: { id: "desc" },
    select: { answers: true, submittedAt: true },
  });
  let newer: { answers: Answers | null; submittedAt: Date } = {
    answers: toAnswers(form.value),
    submittedAt: form.value.updatedAt,
  };
  const revisions = versions.map(({ answers: json, submittedAt }): FormRevision => {
    const answers = isUnreadable(json) ? null : (JSON.parse(json) as Answers);
    const isReadable = answers !== null && newer.answers !== null;
    const changes = isReadable ? changesBetween(answers, newer.answers ?? {}) : [];
    const revision = { at: newer.submittedAt, changes, isUnreadable: !isReadable };
    newer = { answers, submittedAt };
    return revision;
  });
  return accepted({ form: form.value, revisions });
}
