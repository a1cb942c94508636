import { Link } from "react-router";

type Message = {
  id: number;
  subject: string;
  /** When the visit that it is about takes place, in words; null for other messages. */
  visitTime: string | null;
  when: string;
  greeting: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
  link: { label: string; path: string } | null;
  isSecret: boolean;
  closing: string[];
};

/** One message: its subject, and the rest when it is opened. */
export function MessageDetails({ message }: { message: Message }) {
  const { id, subject, visitTime, when, greeting, paragraphs, facts, link, isSecret, closing } = message;
  return (
    <details className="w-full">
      <summary className="min-h-11 cursor-pointer py-2">
        <strong className="wrap-anywhere">
          {subject}
          {visitTime && `: ${visitTime}`}
        </strong>{" "}
        <span className="text-muted">Sent {when}</span>
      </summary>
      <div className="grid gap-3 py-2 wrap-anywhere">
        <p>{greeting}</p>
        {paragraphs.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {facts.length > 0 && (
          <dl>
            {facts.map(({ label, value }) => (
              <div key={label}>
                <dt className="inline text-muted">{label}: </dt>
                <dd className="inline">{value}</dd>
              </div>
            ))}
          </dl>
        )}
        {isSecret ? (
          <p>For your safety the link is only in the mail itself.</p>
        ) : (
          closing.map((text) => <p key={text}>{text}</p>)
        )}
        {link && (
          <p>
            <Link to={link.path}>
              {link.label}
              <span className="sr-only">, message {id}</span>
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}
