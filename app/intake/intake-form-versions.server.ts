import type { Transaction } from "../db/database-client.server.ts";
import { DAY_MS } from "../time-units.ts";
import { diffAnswers } from "./diff-answers.ts";
import type { Answers } from "./intake-questions.ts";

/**
 * Maximum number of replaced forms stored for one family. When there is one more, one is deleted: the second form of
 * the last 24 hours, so that repeated submissions can't remove the earlier forms; otherwise the second-oldest form.
 */
const MAX_VERSIONS = 20;

type StoredSubmission = { userId: number; answers: Answers; submittedAt: Date };

/**
 * Stores a form that is replaced by `nextAnswers`, unless both have the same answers. Must run in the transaction that
 * replaces the form.
 */
export async function archiveReplacedFormAndPrune(
  transaction: Transaction,
  replacedSubmission: StoredSubmission,
  nextAnswers: Answers,
): Promise<void> {
  const { userId, answers, submittedAt } = replacedSubmission;
  if (diffAnswers(answers, nextAnswers).length === 0) return;
  await transaction.intakeFormVersion.create({
    data: { userId, answers: JSON.stringify(answers), submittedAt },
    select: { id: true },
  });
  const versions = await transaction.intakeFormVersion.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    take: MAX_VERSIONS + 1,
    select: { id: true, submittedAt: true },
  });
  if (versions.length <= MAX_VERSIONS) return;
  const dayAgoMs = submittedAt.getTime() - DAY_MS;
  const [first, second] = versions.filter((version) => version.submittedAt.getTime() > dayAgoMs);
  const surplusVersion = first && second && second.id !== versions.at(-1)?.id ? second : versions[1];
  await transaction.intakeFormVersion.deleteMany({ where: { id: surplusVersion?.id ?? 0 } });
}
