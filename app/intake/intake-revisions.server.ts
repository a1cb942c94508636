import type { Person } from "../accounts/person.ts";
import { recordAuditRead } from "../audit/record-audit.server.ts";
import { db } from "../db/database-client.server.ts";
import { isUnreadable } from "../db/text-encryption.server.ts";
import { createTextShortener } from "../excerpt.ts";
import { parseId } from "../http/field-schemas.ts";
import { countPages, readPageNumber } from "../http/list-query.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { type AnswerDiff, diffAnswers } from "./diff-answers.ts";
import { findIntakeForm, type IntakeForm, toAnswers } from "./intake-forms.server.ts";
import type { Answers } from "./intake-questions.ts";

/** Number of revisions on a page. Each contains both sides of every changed answer. */
const REVISIONS_PER_PAGE = 5;

const VERSION_SELECT = { id: true, answers: true, submittedAt: true } as const;

export type ListedChange = AnswerDiff & {
  /** A shortened text ends in "…". The full text has its own page. */
  isShortened: boolean;
};

/**
 * What a family changed when it resubmitted its form at `at` (UTC). `id` is the id of the version that was replaced.
 */
export type FormRevision = {
  id: number;
  at: Date;
  changes: ListedChange[];
  /** Whether the answers of one side can't be decrypted. */
  isUnreadable: boolean;
};

export type RevisionsPage = { form: IntakeForm; revisions: FormRevision[]; page: number; pageCount: number };

type Submission = { answers: Answers | null; submittedAt: Date };
type Revision = { at: Date; changes: AnswerDiff[]; isUnreadable: boolean };

/**
 * Returns what the person's family, or for the administrator the family `userId`, changed in its form: a page of
 * `listRevisions`, or with `?version=` one answer in full (see `findSingleAnswerChange`). Records that the form was opened.
 * Refusals: those of `findIntakeForm`; notFound.
 */
export async function findRevisionsWithAudit(
  person: Person,
  query: URLSearchParams,
  userId?: number,
): Promise<Outcome<RevisionsPage>> {
  const form = await findIntakeForm(person, userId);
  if (!form.ok) return form;
  await recordAuditRead({ action: "intake-opened", familyId: form.value.userId, objectId: form.value.id });
  return query.has("version")
    ? findSingleAnswerChange(form.value, query)
    : accepted(await listRevisions(form.value, query));
}

/** Returns a page of revisions, latest first. Long texts are shortened (see `createTextShortener`). */
async function listRevisions(form: IntakeForm, query: URLSearchParams): Promise<RevisionsPage> {
  const where = { userId: form.userId };
  const pageCount = countPages(await db.intakeFormVersion.count({ where }), REVISIONS_PER_PAGE);
  const page = Math.min(readPageNumber(query), pageCount);
  const skipCount = (page - 1) * REVISIONS_PER_PAGE;
  // From the second page on, the first row only serves for comparison with the next one.
  const overlapRows = Math.min(skipCount, 1);
  const rows = await db.intakeFormVersion.findMany({
    where,
    orderBy: { id: "desc" },
    skip: skipCount - overlapRows,
    take: REVISIONS_PER_PAGE + overlapRows,
    select: VERSION_SELECT,
  });
  const submissions = rows.map(toSubmission);
  const newerSubmissions = overlapRows === 0 ? [currentSubmission(form), ...submissions] : submissions;
  const shorten = createTextShortener();
  const revisions = rows.slice(overlapRows).flatMap(({ id }, index) => {
    const [after, before] = [newerSubmissions[index], newerSubmissions[index + 1]];
    if (!before || !after) return [];
    const { changes, ...revision } = compareSubmissions(before, after);
    return [{ ...revision, id, changes: changes.map((change) => shortenDiff(change, shorten)) }];
  });
  return { form, revisions, page, pageCount };
}

/**
 * Returns one changed answer in full, from `?version=` (the id of a revision) and `?question=` (its label). Refusal:
 * notFound.
 */
async function findSingleAnswerChange(form: IntakeForm, query: URLSearchParams): Promise<Outcome<RevisionsPage>> {
  const id = parseId(query.get("version") ?? "");
  const changeNotFoundRefusal = refused("notFound", "There is no such change.");
  if (id === null) return changeNotFoundRefusal;
  const [before, after] = await db.intakeFormVersion.findMany({
    where: { userId: form.userId, id: { gte: id } },
    orderBy: { id: "asc" },
    take: 2,
    select: VERSION_SELECT,
  });
  if (before?.id !== id) return changeNotFoundRefusal;
  const newerSubmission = after ? toSubmission(after) : currentSubmission(form);
  const { at, changes } = compareSubmissions(toSubmission(before), newerSubmission);
  const change = changes.find(({ label }) => label === query.get("question"));
  if (!change) return changeNotFoundRefusal;
  const revision = { id, at, changes: [{ ...change, isShortened: false }], isUnreadable: false };
  return accepted({ form, revisions: [revision], page: 1, pageCount: 1 });
}

function toSubmission({ answers, submittedAt }: { answers: string; submittedAt: Date }): Submission {
  return { answers: isUnreadable(answers) ? null : (JSON.parse(answers) as Answers), submittedAt };
}

function currentSubmission(form: IntakeForm): Submission {
  return { answers: toAnswers(form), submittedAt: form.updatedAt };
}

function compareSubmissions(before: Submission, after: Submission): Revision {
  const isReadable = before.answers !== null && after.answers !== null;
  const changes = before.answers && after.answers ? diffAnswers(before.answers, after.answers) : [];
  return { at: after.submittedAt, changes, isUnreadable: !isReadable };
}

function shortenDiff({ label, before, after }: AnswerDiff, shorten: (text: string) => string): ListedChange {
  const [shortBefore, shortAfter] = [before.map(shorten), after.map(shorten)];
  const isSame = (texts: string[], shortTexts: string[]) => texts.every((text, index) => text === shortTexts[index]);
  const isShortened = !isSame(before, shortBefore) || !isSame(after, shortAfter);
  return { label, before: shortBefore, after: shortAfter, isShortened };
}
