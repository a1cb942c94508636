import { Link } from "react-router";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { useSite } from "../../practice/site.ts";
import { formatShortDate } from "../../ui/format-date-time.ts";
import type { AttentionItems } from "./attention.server.ts";
import { AttentionRow } from "./attention-row.tsx";

/** Shows the recipients of undelivered mail, each with the subject. */
export function UndeliveredMailRows({ mail: { count, rows } }: Pick<AttentionItems, "mail">) {
  const { timeZone } = useSite().practice;
  return (
    <>
      {rows.map(({ id, recipient, subject, path, code, createdAt, isRetrying }) => {
        const name = recipient ?? "Your own mail address doesn't accept our mail";
        return (
          <AttentionRow key={`mail-${id}`} badge="Mail not delivered" color="red">
            {path === null ? (
              name
            ) : (
              <Link to={path}>
                {name}
                {subject && `, ${subject}`}
                <span className="sr-only">, mail not delivered {id}</span>
              </Link>
            )}{" "}
            <span className="text-muted">
              {formatShortDate(createdAt, timeZone)}. {deliveryAdvice(code, isRetrying)}
            </span>
          </AttentionRow>
        );
      })}
      {count > rows.length && (
        <li className="attention-row">
          {formatCountWithNoun(count - rows.length, "more person", "more people")} our mail did not reach
        </li>
      )}
    </>
  );
}

/**
 * Returns the advice for an undelivered mail. A permanent refusal (5xx) means that the address is unknown; otherwise
 * delivery was retried until the mail was obsolete.
 */
function deliveryAdvice(code: string, isRetrying: boolean): string {
  if (isRetrying) return `Not accepted yet (${code || "no answer"}), we keep trying. Call if it matters.`;
  if (code.startsWith("5")) return "Check the address, or call.";
  return code === ""
    ? "It could not be sent in time. Call if it matters."
    : `It was not accepted in time (${code}). Call if it matters.`;
}
