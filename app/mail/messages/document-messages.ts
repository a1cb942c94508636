import type { MessageContent } from "../message-content.ts";

export function documentAddedContent(firstName: string, { isFromFamily }: { isFromFamily: boolean }): MessageContent {
  return {
    ...(!isFromFamily && { wording: { name: "document-added" as const } }),
    subject: isFromFamily ? "A family added a document" : "There is a new document for you",
    preview: isFromFamily ? "It's under Needs attention." : "It's on your documents page.",
    firstName,
    paragraphs: [
      isFromFamily
        ? "A family added a document. It's on your dashboard, under Needs attention."
        : "We added a document to your documents page. To protect your privacy, it isn't attached to this email.",
    ],
    action: isFromFamily
      ? { label: "Open the dashboard", path: "/dashboard" }
      : { label: "See your documents", path: "/documents" },
  };
}
