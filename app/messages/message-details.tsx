import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Badge } from "../ui/badge.tsx";

type ListedMessage = {
  id: number;
  subject: string;
  /** When the visit takes place that the message is about, in words; null for other messages. */
  visitTime: string | null;
  when: string;
  greeting: string;
  paragraphs: string[];
  facts: { label: string; value: string }[];
  link: { label: string; path: string } | null;
  moreLink: { label: string; path: string } | null;
  hasSecretLink: boolean;
  closing: string[];
};

/** An unread message. Opening it sends a request, so that the server can record it, with and without JavaScript. */
export function UnreadMessageLink({ message, page }: { message: ListedMessage; page: number }) {
  const query = new URLSearchParams({ ...(page > 1 ? { page: String(page) } : {}), open: String(message.id) });
  return (
    <Link to={`?${query}#message-${message.id}`} preventScrollReset className="block min-h-11 w-full py-2 no-underline">
      <Badge color="yellow">New</Badge> <MessageSubject message={message} />
      <span className="sr-only">, message {message.id}</span>
    </Link>
  );
}

function MessageSubject({ message: { subject, visitTime, when } }: { message: ListedMessage }) {
  return (
    <>
      <strong className="wrap-anywhere text-primary underline decoration-1 underline-offset-4">
        {subject}
        {visitTime && `: ${visitTime}`}
      </strong>{" "}
      <span className="block text-sm text-muted">
        <span className="sr-only">Sent </span>
        {when}
      </span>
    </>
  );
}

type MessageDetailsProps = { message: ListedMessage; isOpen: boolean; hasMail: boolean };

/** A message that was already read: its subject, and the rest when it is expanded. `isOpen` expands and focuses it. */
export function MessageDetails({ message, isOpen, hasMail }: MessageDetailsProps) {
  const { id, greeting, paragraphs, facts, link, moreLink, hasSecretLink, closing } = message;
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) summary.current?.focus({ preventScroll: true });
  }, [isOpen]);
  return (
    <details className="w-full" open={isOpen}>
      <summary ref={summary} className="min-h-11 cursor-pointer py-2">
        <MessageSubject message={message} />
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
        {hasSecretLink ? (
          <p>
            {hasMail
              ? "For your safety, the link is only in the email itself."
              : "We send no email, and for your safety the link is not on this page. If you need it, please call us."}
          </p>
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
        {moreLink && (
          <p>
            <Link to={moreLink.path}>
              {moreLink.label}
              <span className="sr-only">, message {id}</span>
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}
