import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { setPhoneIfMissing } from "../accounts/profile.server.ts";
import { now } from "../clock.ts";
import { runPreparedQuery, db, inTransaction } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { formatAnswers } from "./intake-answers.ts";
import type { Answers } from "./intake-questions.ts";
import type { IntakeValues } from "./intake-schemas.ts";
import { archiveReplacedFormAndPrune } from "./intake-form-versions.server.ts";

/** A submitted form, with the field names of the form. Instants are UTC. Omitted answers are null. */
export type IntakeForm = Omit<IntakeFormRow, "primaryConcerns" | "reviewedAt"> & { primaryConcerns: string[] };

const UNREADABLE_FORM_MESSAGE =
  "The form you sent before can’t be opened at the moment, so it was not replaced. Nothing was changed. Please call us.";

const CHANGES_PATH = "/intake-form/changes";

type IntakeFormRow = NonNullable<Awaited<ReturnType<typeof findFormRow>>>;

/** Checks whether the person has submitted the form, which booking requires (docs/product.md, Intake form). */
export async function hasSubmittedIntakeForm(person: Person): Promise<boolean> {
  return (await findIntakeFormId(person)) !== null;
}

/** Returns the id of the person's own submitted form; null if there is none. */
export async function findIntakeFormId(person: Person): Promise<number | null> {
  return (await db.intakeForm.findUnique({ where: { userId: person.id }, select: { id: true } }))?.id ?? null;
}

/**
 * Returns the submitted form of the person, or, for the administrator, of the family `userId`, which is required.
 * Refusals: notFound, also for another family's form; malformed.
 */
export async function findIntakeForm(person: Person, userId?: number): Promise<Outcome<IntakeForm>> {
  if (person.isAdmin && userId === undefined)
    return refused("malformed", "Say whose form: add ?userId= with the id of the family.");
  const ownerId = userId ?? person.id;
  const row = person.isAdmin || ownerId === person.id ? await findFormRow(ownerId) : null;
  return row ? accepted(toIntakeForm(row)) : refused("notFound", "There is no intake form.");
}

/** Returns the phone number in the family's submitted form, otherwise null. */
export async function findIntakePhone({ id }: Person): Promise<string | null> {
  const form = await db.intakeForm.findUnique({ where: { userId: id }, select: { phoneNumber: true } });
  return form && !isUnreadable(form.phoneNumber) ? form.phoneNumber : null;
}

/** Returns when a family last submitted its form; null if it never did. */
export async function findIntakeFormUpdatedAt({ id }: Person): Promise<Date | null> {
  const [row] = await runPreparedQuery<{ updatedAt: Date }>(
    sql`SELECT "updatedAt" FROM "intake_forms" WHERE "userId" = ${id}`,
  );
  return row?.updatedAt ?? null;
}

/**
 * Stores the complete form of a client and deletes its draft. Replaces an earlier form (`isFirst` is then false).
 * Concurrent submissions result in a single form. With `shouldSavePhone`, the form's number is stored in the account if the
 * account has none. Refusals: forbidden; conflict (the stored form can't be decrypted).
 */
export async function submitIntakeForm(
  person: Person,
  fields: IntakeValues,
  { shouldSavePhone = false } = {},
): Promise<Outcome<{ form: IntakeForm; isFirst: boolean }>> {
  if (!person.isClient || person.isAdmin) return refused("forbidden", "Only a family can send in its own intake form.");
  const upsert = () => storeSubmissionAndDeleteDraft(person.id, fields, shouldSavePhone);
  const saveResult = await upsert().catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    // A concurrent submission by the same family was stored first. This one replaces it.
    return upsert();
  });
  if (!saveResult) return refused("conflict", UNREADABLE_FORM_MESSAGE);
  return accepted({ form: toIntakeForm(saveResult.row), isFirst: saveResult.isFirst });
}

function storeSubmissionAndDeleteDraft(userId: number, fields: IntakeValues, shouldSavePhone: boolean) {
  // Clears `reviewedAt`, because the administrator must read the resubmitted form again.
  const data = { ...toIntakeFormColumns(fields), updatedAt: now(), reviewedAt: null };
  return inTransaction(async (transaction) => {
    const existing = await transaction.intakeForm.findUnique({ where: { userId } });
    if (existing && Object.values(existing).some((value) => typeof value === "string" && isUnreadable(value)))
      return null;
    if (existing) {
      const replacedForm = { userId, answers: toAnswers(toIntakeForm(existing)), submittedAt: existing.updatedAt };
      await archiveReplacedFormAndPrune(transaction, replacedForm, toAnswers(toIntakeForm({ ...existing, ...data })));
    }
    const row = existing
      ? await transaction.intakeForm.update({ where: { userId }, data })
      : await transaction.intakeForm.create({ data: { ...data, userId, createdAt: data.updatedAt } });
    await transaction.draft.deleteMany({ where: { userId, form: "intake" } });
    if (shouldSavePhone) await setPhoneIfMissing(transaction, userId, fields.phoneNumber);
    recordAuditInTransaction(transaction, { action: "intake-submitted", familyId: userId, objectId: row.id });
    return { row, isFirst: existing === null };
  });
}

function toIntakeFormColumns(fields: IntakeValues) {
  const { diagnosis, servicesCurrentlyReceiving, schoolName, gradeLevel, otherConcerns } = fields;
  const { additionalNotes, preferredDaysTimes, howDidYouHear } = fields;
  return {
    ...fields,
    primaryConcerns: JSON.stringify(fields.primaryConcerns),
    diagnosis: diagnosis ?? null,
    servicesCurrentlyReceiving: servicesCurrentlyReceiving ?? null,
    schoolName: schoolName ?? null,
    gradeLevel: gradeLevel ?? null,
    otherConcerns: otherConcerns ?? null,
    additionalNotes: additionalNotes ?? null,
    preferredDaysTimes: preferredDaysTimes ?? null,
    howDidYouHear: howDidYouHear ?? null,
  };
}

function findFormRow(userId: number) {
  return db.intakeForm.findUnique({ where: { userId } });
}

function toIntakeForm({ reviewedAt: _reviewedAt, ...row }: IntakeFormRow): IntakeForm {
  return { ...row, primaryConcerns: JSON.parse(row.primaryConcerns) as string[] };
}

/** Converts the form to the format of `/api/intake-forms`, with the field names of docs/product.md. */
export function toIntakeFormJson(form: IntakeForm) {
  const { phoneNumber, emailAddress, childBirthday, primaryConcerns, ...rest } = form;
  return {
    ...rest,
    phone: phoneNumber,
    email: emailAddress,
    childDateOfBirth: childBirthday,
    primaryConcerns: JSON.stringify(primaryConcerns),
  };
}

/** Converts the stored answers to form values, for editing. */
export function toAnswers(form: IntakeForm): Answers {
  const { id: _id, userId: _userId, createdAt: _createdAt, updatedAt: _updatedAt, ...answers } = form;
  return Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, value ?? ""]));
}

/** Returns whose form it is: the child's and the adult's name. */
export function formatIntakeFormOwner({ childName, fullName }: Pick<IntakeForm, "childName" | "fullName">): string {
  return `${childName}, ${fullName}`;
}

/** Returns the data of `<SubmittedIntakeForm>`. `userId` is set when the administrator reads a family's form. */
export function toSubmittedIntakeFormData(form: IntakeForm, userId?: number) {
  return {
    sections: formatAnswers(toAnswers(form)),
    submittedAt: form.createdAt,
    /** Later than `submittedAt` if the form was submitted again. */
    updatedAt: form.updatedAt,
    changesUrl: userId === undefined ? CHANGES_PATH : `${CHANGES_PATH}?userId=${userId}`,
    textFileUrl: userId === undefined ? "/intake-form.txt" : `/intake-form.txt?userId=${userId}`,
  };
}
