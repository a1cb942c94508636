import { draftCutoff } from "../accounts/expired-rows.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { toAnswers, findIntakeForm } from "./intake-forms.server.ts";
import { type IntakeDraft, sectionProgress } from "./section-progress.ts";
import type { Answers, FieldName } from "./intake-questions.ts";
import { type SectionName, INTAKE_SECTIONS } from "./intake-sections.ts";

/** Maximum number of attempts when other devices save concurrently. More conflicts indicate a bug. */
const MAX_SAVE_ATTEMPTS = 5;
const UNREADABLE_DRAFT_MESSAGE =
  "What you saved before can’t be opened at the moment, so nothing was changed. Please call us.";

/**
 * Returns the person's saved draft, or, if there is none, a draft made from the submitted form (`isSaved` is then
 * false).
 */
export async function findIntakeDraft(person: Person): Promise<{ draft: IntakeDraft; isSaved: boolean }> {
  const row = await deleteExpiredAndFindDraftRow(person);
  return row
    ? { draft: parseDraft(row.answers), isSaved: true }
    : { draft: await draftFromSubmission(person), isSaved: false };
}

/** Returns the JSON of each of the person's drafts, keyed by the name of its form, in one query. */
export async function findAllFormDraftsJson(person: Person): Promise<{ booking?: string; intake?: string }> {
  const where = { userId: person.id, updatedAt: { gte: draftCutoff() } };
  const rows = await db.draft.findMany({ where, select: { form: true, answers: true } });
  return Object.fromEntries(rows.flatMap(({ form, answers }) => (isUnreadable(answers) ? [] : [[form, answers]])));
}

/** Returns how many sections of a draft from `findAllFormDraftsJson` are complete. */
export function intakeDraftProgress(json: string): { completedCount: number; total: number } {
  const progress = sectionProgress(parseDraft(json));
  return { completedCount: progress.filter(({ status }) => status === "Completed").length, total: progress.length };
}

/**
 * Saves one section as entered, valid or not, without changing the others. `isDone` says whether the section is
 * complete; undefined leaves that unchanged. Uses optimistic locking, so that no data is lost when two devices save
 * different sections at the same time.
 */
export async function saveIntakeDraftSection(
  person: Person,
  section: SectionName,
  values: Answers,
  isDone?: boolean,
): Promise<Outcome<IntakeDraft>> {
  if (!person.isClient || person.isAdmin) return refused("forbidden", "Only a family can fill in its own intake form.");
  for (let attempt = 0; attempt < MAX_SAVE_ATTEMPTS; attempt += 1) {
    const row = await deleteExpiredAndFindDraftRow(person);
    if (row && isUnreadable(row.answers)) return refused("conflict", UNREADABLE_DRAFT_MESSAGE);
    const previous = row ? parseDraft(row.answers) : await draftFromSubmission(person);
    const draft = { ...previous, [section]: { values, isDone: isDone ?? previous[section]?.isDone ?? false } };
    if (await saveDraftIfUnchanged(person.id, row?.version ?? null, JSON.stringify(draft))) return accepted(draft);
  }
  return refused("conflict", "This form is being saved from somewhere else too. Please save again.");
}

async function saveDraftIfUnchanged(userId: number, version: number | null, answers: string): Promise<boolean> {
  const data = { answers, updatedAt: now() };
  if (version !== null) {
    const nextData = { ...data, version: version + 1 };
    const { count } = await db.draft.updateMany({ where: { userId, form: "intake", version }, data: nextData });
    return count === 1;
  }
  try {
    await db.draft.create({ data: { ...data, userId, form: "intake" } });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

async function deleteExpiredAndFindDraftRow({ id: userId }: Person) {
  const key = { userId, form: "intake" };
  await db.draft.deleteMany({ where: { ...key, updatedAt: { lt: draftCutoff() } } });
  return db.draft.findUnique({ where: { userId_form: key }, select: { answers: true, version: true } });
}

async function draftFromSubmission(person: Person): Promise<IntakeDraft> {
  const form = await findIntakeForm(person, person.id);
  if (!form.ok) return {};
  const answers = toAnswers(form.value);
  return Object.fromEntries(
    INTAKE_SECTIONS.map(({ name, fields }) => [name, { values: pickAnswers(fields, answers), isDone: true }]),
  );
}

/** Parses a draft and drops questions that are no longer part of the form. */
function parseDraft(json: string): IntakeDraft {
  const storedDraft = JSON.parse(json) as IntakeDraft;
  return Object.fromEntries(
    INTAKE_SECTIONS.flatMap(({ name, fields }) => {
      const section = storedDraft[name];
      return section ? [[name, { values: pickAnswers(fields, section.values), isDone: section.isDone }]] : [];
    }),
  );
}

function pickAnswers(fields: readonly FieldName[], answers: Answers): Answers {
  return Object.fromEntries(fields.filter((name) => name in answers).map((name) => [name, answers[name]]));
}
