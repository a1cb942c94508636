import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import type { Outcome } from "../http/outcome.ts";
import { findIntakeForm, type IntakeForm } from "./intake-forms.server.ts";

/** Condition of a form whose current version the administrator has not opened. */
export const UNREVIEWED_INTAKE_FORM = { reviewedAt: null } as const;

/**
 * Returns the new and changed intake forms that the administrator has not opened: their total count and the newest
 * `take`.
 */
export async function findUnreviewedIntakeForms(person: Person, take: number) {
  if (refusalUnlessAdmin(person)) return { count: 0, rows: [] };
  const [count, rows] = await Promise.all([
    db.intakeForm.count({ where: UNREVIEWED_INTAKE_FORM }),
    db.intakeForm.findMany({
      where: UNREVIEWED_INTAKE_FORM,
      orderBy: [{ updatedAt: "desc" }, { id: "desc" }],
      take,
      select: { userId: true, createdAt: true, updatedAt: true, user: { select: { firstName: true, lastName: true } } },
    }),
  ]);
  return {
    count,
    rows: rows.map(({ userId, user, createdAt, updatedAt }) => ({
      userId,
      name: `${user.firstName} ${user.lastName}`,
      isFirst: createdAt.getTime() === updatedAt.getTime(),
      updatedAt: updatedAt.toISOString(),
    })),
  };
}

/**
 * Returns a submitted form for reading, like `findIntakeForm`. Records who read it, and that the administrator opened
 * this version.
 */
export async function findIntakeFormWithAuditAndReview(person: Person, userId?: number): Promise<Outcome<IntakeForm>> {
  const form = await findIntakeForm(person, userId);
  if (!form.ok) return form;
  await recordAuditRead({ action: "intake-opened", familyId: form.value.userId, objectId: form.value.id });
  await markIntakeFormReviewed(person, form.value);
  return form;
}

/** Returns whether a family has a form whose current version the administrator has not opened. */
export async function hasUnreviewedIntakeForm(familyId: number): Promise<boolean> {
  return (await db.intakeForm.count({ where: { ...UNREVIEWED_INTAKE_FORM, userId: familyId } })) > 0;
}

/** Records that the administrator opened this version of a form. A version submitted meanwhile stays unopened. */
async function markIntakeFormReviewed(person: Person, form: { userId: number; updatedAt: Date }): Promise<void> {
  if (!person.isAdmin) return;
  const { userId, updatedAt } = form;
  await db.intakeForm.updateMany({
    where: { ...UNREVIEWED_INTAKE_FORM, userId, updatedAt },
    // Set explicitly, because otherwise Prisma would change `updatedAt`, and opening a form must not change it.
    data: { reviewedAt: now(), updatedAt },
  });
}

/**
 * Records the forms of these families as opened if they were submitted no later than `until`. For the administrator.
 */
export async function markIntakeFormsReviewed(person: Person, userIds: readonly number[], until: Date) {
  const refusal = refusalUnlessAdmin(person);
  if (refusal) return refusal;
  const where = { ...UNREVIEWED_INTAKE_FORM, userId: { in: [...userIds] }, updatedAt: { lte: until } };
  const select = { userId: true, updatedAt: true } as const;
  const forms = await db.intakeForm.findMany({ where, take: userIds.length, select });
  for (const form of forms) await markIntakeFormReviewed(person, form);
  return null;
}
