import type { Transaction } from "../db/client.server.ts";
import { changesBetween } from "./changes.ts";
import type { Answers } from "./questions.ts";

/** Replaced forms that are stored of one family; the oldest goes when there is one more. */
const MAX_VERSIONS = 20;

type Submission = { userId: number; answers: Answers; submittedAt: Date };

/** Stores a form that is replaced by `next`, unless both have the same answers. Runs in the transaction that replaces it. */
export async function saveVersion(transaction: Transaction, replaced: Submission, next: Answers): Promise<void> {
  const { userId, answers, submittedAt } = replaced;
  if (changesBetween(answers, next).length === 0) return;
  await transaction.intakeFormVersion.create({
    data: { userId, answers: JSON.stringify(answers), submittedAt },
    select: { id: true },
  });
  const surplus = await transaction.intakeFormVersion.findMany({
    where: { userId },
    orderBy: { id: "desc" },
    skip: MAX_VERSIONS,
    select: { id: true },
  });
  await transaction.intakeFormVersion.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
}
