import { formatDateTime } from "../ui/format-date-time.ts";
import type { AnswerSection } from "./intake-answers.ts";
import { INTAKE_FORM_TITLE } from "./intake-sections.ts";

const LINE_SEPARATOR = "\r\n";
const INDENT = "    ";

/** Matches all characters that any program treats as a line end. */
// oxlint-disable-next-line no-control-regex
const LINE_BREAK = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

type SubmittedForm = { sections: AnswerSection[]; submittedAt: Date; updatedAt: Date };

/**
 * Formats a submitted form as plain text. Continuation lines of an answer are indented, so that no answer can look like
 * another question. Dates are in the practice's time zone.
 */
export function formatIntakeText(
  { sections, submittedAt, updatedAt }: SubmittedForm,
  practice: { name: string; timeZone: string },
): string {
  const header = [INTAKE_FORM_TITLE, practice.name, "", `Submitted: ${formatDateTime(submittedAt, practice.timeZone)}`];
  if (updatedAt > submittedAt) header.push(`Updated: ${formatDateTime(updatedAt, practice.timeZone)}`);
  const body = sections.flatMap(({ title, rows }) => [
    "",
    title,
    "-".repeat(title.length),
    ...rows.flatMap(({ label, texts }) => formatAnswerLines(label.replace(/\?$/, ""), texts)),
  ]);
  return [...header, ...body, ""].join(LINE_SEPARATOR);
}

function formatAnswerLines(label: string, texts: string[]): string[] {
  const lines = texts.flatMap((text) => text.split(LINE_BREAK));
  if (lines.length === 0) return [`${label}: Not given`];
  if (lines.length === 1) return [`${label}: ${lines[0]}`];
  return [`${label}:`, ...lines.map((line) => INDENT + line)];
}
