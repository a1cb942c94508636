import { formatAnswers } from "./intake-answers.ts";
import type { Answers } from "./intake-questions.ts";

/** A question whose answer was changed. Each side is a list of display texts, empty for no answer. */
export type AnswerDiff = { label: string; before: string[]; after: string[] };

/** Returns the questions whose answers differ between two submissions of a form, in the order of the form. */
export function diffAnswers(before: Answers, after: Answers): AnswerDiff[] {
  const [oldRows, newRows] = [before, after].map((answers) => formatAnswers(answers).flatMap(({ rows }) => rows));
  return (oldRows ?? []).flatMap(({ label, texts }, index) => {
    const newTexts = newRows?.[index]?.texts ?? [];
    return JSON.stringify(texts) === JSON.stringify(newTexts) ? [] : [{ label, before: texts, after: newTexts }];
  });
}
