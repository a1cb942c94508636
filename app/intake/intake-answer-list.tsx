import type { ReactNode } from "react";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { EmailLink, PhoneLink } from "../practice/contact-links.tsx";
import type { AnswerRow, AnswerSection } from "./intake-answers.ts";

type AnswerListProps = {
  sections: AnswerSection[];
  titleAs: "h3" | "h4";
  /** Rendered next to the title of a section. */
  renderSectionAction?: (section: AnswerSection) => ReactNode;
  /** Whether questions without an answer are collapsed. */
  shouldCollapseUnanswered?: boolean;
  /** Whether phone numbers and email addresses are links. */
  linksContacts?: boolean;
};

/** Shows questions and answers section by section, with line breaks as entered. */
export function IntakeAnswerList({
  sections,
  titleAs: Title,
  renderSectionAction,
  shouldCollapseUnanswered = false,
  linksContacts = false,
}: AnswerListProps) {
  return (
    <div className="grid grid-cols-1 gap-8">
      {sections.map((section) => (
        <section key={section.name} aria-labelledby={`answers-${section.name}`}>
          <div className="flex flex-wrap items-center justify-between gap-x-4 border-b-2 border-line pb-1">
            <Title id={`answers-${section.name}`} className="min-w-0 grow basis-40 font-display text-lg text-primary">
              {section.title}
            </Title>
            {renderSectionAction?.(section)}
          </div>
          <AnswerRows
            rows={shouldCollapseUnanswered ? section.rows.filter(isAnswered) : section.rows}
            linksContacts={linksContacts}
          />
          {shouldCollapseUnanswered && <UnansweredRows rows={section.rows.filter((row) => !isAnswered(row))} />}
        </section>
      ))}
    </div>
  );
}

const isAnswered = ({ texts }: AnswerRow) => texts.length > 0;

function UnansweredRows({ rows }: { rows: AnswerRow[] }) {
  return rows.length > 0 ? (
    <details>
      <summary className="text-summary">{formatCountWithNoun(rows.length, "question")} left blank</summary>
      <AnswerRows rows={rows} />
    </details>
  ) : null;
}

function AnswerRows({ rows, linksContacts = false }: { rows: AnswerRow[]; linksContacts?: boolean }) {
  return rows.length > 0 ? (
    <dl>
      {rows.map((row) => (
        <div key={row.name} className="grid gap-x-6 border-b border-line py-3 sm:grid-cols-[14rem_1fr]">
          <dt className="font-bold">{row.label}</dt>
          <dd className="min-w-0">
            <Answer row={row} linksContacts={linksContacts} />
          </dd>
        </div>
      ))}
    </dl>
  ) : null;
}

function Answer({ row: { name, texts }, linksContacts }: { row: AnswerRow; linksContacts: boolean }) {
  const [first] = texts;
  if (first === undefined) return <span className="text-muted">Not given</span>;
  if (linksContacts && name === "phoneNumber") return <PhoneLink phone={first} />;
  if (linksContacts && name === "emailAddress") return <EmailLink email={first} />;
  if (texts.length === 1) return <span className="whitespace-pre-line [unicode-bidi:plaintext]">{texts[0]}</span>;
  return (
    <ul className="list-disc pl-5">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
