import { type Answers, type FieldName, PRIMARY_CONCERNS, INTAKE_QUESTIONS, type Question } from "./intake-questions.ts";
import { type IntakeSection, INTAKE_SECTIONS } from "./intake-sections.ts";

export type AnswerRow = {
  name: FieldName;
  label: string;
  /** one for each item of a list; empty when there is no answer */ texts: string[];
};
export type AnswerSection = { name: IntakeSection["name"]; title: string; rows: AnswerRow[] };

/** Returns the answers as display text, by section. */
export function formatAnswers(answers: Answers): AnswerSection[] {
  return INTAKE_SECTIONS.map(({ name, title, fields }) => ({
    name,
    title,
    rows: fields.map((field) => ({
      name: field,
      label: INTAKE_QUESTIONS[field].label,
      texts: formatAnswer(INTAKE_QUESTIONS[field], answers[field]),
    })),
  }));
}

function formatAnswer(question: Question, answer: string | string[] | undefined): string[] {
  const labels = (Array.isArray(answer) ? answer : [answer ?? ""])
    .map((answerText) => answerText.trim())
    .filter(Boolean);
  return labels.map((answerText) => question.options?.find(({ value }) => value === answerText)?.label ?? answerText);
}

/**
 * Returns the answers entered in one section, valid or not. Converts CRLF to LF, so that a line break counts as one
 * character.
 */
export function parseSectionAnswers(section: IntakeSection, form: FormData): Answers {
  const normalizedText = (value: FormDataEntryValue | null) =>
    typeof value === "string" ? value.replace(/\r\n?/g, "\n") : "";
  return Object.fromEntries(
    section.fields.map((name: FieldName) => {
      if (INTAKE_QUESTIONS[name].kind !== "list") return [name, normalizedText(form.get(name))];
      const checked = form.getAll(name);
      return [name, PRIMARY_CONCERNS.filter((concern) => checked.includes(concern))];
    }),
  );
}
