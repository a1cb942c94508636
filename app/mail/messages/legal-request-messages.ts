import { formatLongDay } from "../../ui/dates.ts";
import type { MessageContent } from "../message-content.ts";

/** To the consultant; contains no personal data. `kind` as a person reads it, `dueDay` a day of the practice's zone. */
export function newLegalRequestContent(
  firstName: string,
  { id, kind, dueDay }: { id: number; kind: string; dueDay: string },
): MessageContent {
  return {
    subject: `${kind}: answer by ${formatLongDay(dueDay)}`,
    preview: "It stays under Needs attention until you close it.",
    firstName,
    paragraphs: [
      "Someone sent you a request with the form on your legal pages. It stays under Needs attention until you close it.",
    ],
    facts: [{ label: "Answer by", value: formatLongDay(dueDay) }],
    action: { label: "Read it", path: `/compliance/${id}` },
  };
}
