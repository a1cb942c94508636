import { formatLongPlainDate } from "../../ui/format-date-time.ts";
import type { MessageContent } from "../message-content.ts";

/**
 * Builds the message to the consultant. Contains no personal data. `kind` is formatted for display; `dueDay` is a day
 * in the practice's time zone.
 */
export function newLegalRequestContent(
  firstName: string,
  { id, kind, dueDay }: { id: number; kind: string; dueDay: string },
): MessageContent {
  return {
    subject: `${kind}: answer by ${formatLongPlainDate(dueDay)}`,
    preview: "It stays under Needs attention until you close it.",
    firstName,
    paragraphs: [
      "Someone sent you a request with the form on your legal pages. It stays under Needs attention until you close it.",
    ],
    facts: [{ label: "Answer by", value: formatLongPlainDate(dueDay) }],
    action: { label: "Read it", path: `/compliance/${id}` },
  };
}
