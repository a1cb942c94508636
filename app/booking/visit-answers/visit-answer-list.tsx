import { QUESTION_NAMES, VISIT_QUESTIONS, type VisitAnswers } from "./visit-question-texts.ts";

/** Shows a family's answers to the questions before a visit. Unanswered questions are not listed. */
export function VisitAnswerList({ answers }: { answers: VisitAnswers }) {
  return (
    <dl className="grid gap-3">
      {QUESTION_NAMES.filter((name) => answers[name] !== null).map((name) => (
        <div key={name}>
          <dt className="text-muted">{VISIT_QUESTIONS[name]}</dt>
          <dd className="whitespace-pre-line wrap-anywhere">{answers[name]}</dd>
        </div>
      ))}
    </dl>
  );
}
