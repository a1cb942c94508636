import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import type { MessageContent } from "../message-content.ts";

/**
 * Builds the message about a follow-up that is due. `dueDay` is formatted for display. The follow-up itself is only in
 * the portal, because the consultant wrote it about a child.
 */
export function followUpDueContent(firstName: string, dueDay: string): MessageContent {
  return {
    wording: { name: "follow-up-due" },
    subject: "A next step is due",
    preview: "You planned it together with your consultant.",
    firstName,
    paragraphs: [
      "A next step that you planned with your consultant is due. To protect your privacy, this email doesn't say what it is.",
    ],
    facts: [{ label: "Due", value: dueDay }],
    action: { label: "See what is due", path: "/dashboard" },
    closing: ["If it's already done, you don't need to do anything."],
  };
}

/**
 * Builds the message after a visit about all follow-ups shared by then. As in `followUpDueContent`, the email does not
 * contain their text. `firstDay` is the earliest due day, formatted for display.
 */
export function followUpsSharedContent(
  firstName: string,
  { count, firstDay }: { count: number; firstDay: string },
): MessageContent {
  const countText = formatCountWithNoun(count, "next step", "next steps");
  return {
    wording: { name: "follow-ups-shared", values: { "how many": countText } },
    subject: "Next steps after your visit",
    preview: "Your consultant wrote down next steps for you.",
    firstName,
    paragraphs: [
      `Your consultant wrote down ${countText} for your family.`,
      "To protect your privacy, this email doesn't include the details.",
    ],
    facts: [{ label: "First due", value: firstDay }],
    action: { label: "See what comes next", path: "/dashboard" },
    closing: ["Questions? Please call us. Email isn't private enough for the details."],
  };
}
