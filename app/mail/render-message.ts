import { escapeHtml } from "../http/escape-html.ts";
import { type MailTopic, UNSUBSCRIBE_LABELS } from "./mail-events.ts";
import { greetingOf, type MessageContent } from "./message-content.ts";

type RenderOptions = {
  practice: { name: string; phone: string; email: string };
  /** The site's origin, without a trailing slash. */
  origin: string;
  /** Absolute URL, or null if there is no button. */
  actionUrl: string | null;
  /** Absolute URL that turns off the kind of the message, or null if it can't be turned off. */
  unsubscribe: { topic: MailTopic; url: string } | null;
};

/**
 * Invisible characters after the preview. Without them, mailboxes fill the rest of the preview line with the text of
 * the message.
 */
const PREVIEW_PADDING = "&#847;&zwnj;&nbsp;".repeat(100);

const WRONG_RECIPIENT_TEXT =
  "If this isn't for you, someone gave us your address by mistake. You can ignore this email, or tell us, and we'll stop writing to you.";

/** Renders the plain-text version of a message. */
export function renderMessageText(
  content: MessageContent,
  { practice, origin, actionUrl, unsubscribe }: RenderOptions,
): string {
  const { action, facts = [], paragraphs, moreLink, closing = [] } = content;
  const blocks = [
    greetingOf(content),
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    action && actionUrl ? `${action.label}:\n${actionUrl}` : "",
    moreLink ? `${moreLink.label}:\n${origin}${moreLink.path}` : "",
    ...closing,
    `${practice.name}\n${practice.phone}\n${practice.email}`,
    content.mayReachStranger ? WRONG_RECIPIENT_TEXT : "",
    unsubscribe ? `${UNSUBSCRIBE_LABELS[unsubscribe.topic]}: ${unsubscribe.url}` : "",
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

// Some mail programs remove style sheets, so sizes and spacing are inline. Colors are only in the style sheet, because
// a dark mode could not replace inline colors.
const STYLE_SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { background: #fbf7f0; color: #22302f; }
a { color: #135e57; }
.button { background: #135e57; color: #ffffff; }
.quiet { color: #52605e; }
.facts { border-left: 4px solid #135e57; }
@media (prefers-color-scheme: dark) {
  body { background: #16201f; color: #f0ede6; }
  a { color: #8fd3c8; }
  .button { background: #8fd3c8; color: #10201e; }
  .quiet { color: #b9c4c1; }
  .facts { border-left-color: #8fd3c8; }
}`;

const FONT_STYLE =
  "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; font-size: 17px; line-height: 1.55";
const PARAGRAPH_STYLE = "margin: 0 0 16px";

/** Matches a time with its AM or PM and its time zone. */
const CLOCK_TIME_PATTERN = /\b\d{1,2}:\d{2} [AP]M(?: [A-Z]{2,5}\b)?/g;

/** Escapes text for HTML. Keeps each time on one line on a narrow screen. */
const toHtmlText = (text: string) =>
  escapeHtml(text.replace(CLOCK_TIME_PATTERN, (time) => time.replaceAll(" ", "\u00A0")));

/** Renders a message as HTML: one column without tables, images or anything that is loaded from elsewhere. */
export function renderMessageHtml(
  content: MessageContent,
  { practice, origin, actionUrl, unsubscribe }: RenderOptions,
): string {
  const { subject, preview, paragraphs, facts = [], action, moreLink, closing = [] } = content;
  const phoneLinkHtml = renderPhoneLink(practice.phone);
  const withPhoneLink = (text: string) => toHtmlText(text).replaceAll(escapeHtml(practice.phone), () => phoneLinkHtml);
  const renderParagraph = (text: string) => `<p style="${PARAGRAPH_STYLE}">${withPhoneLink(text)}</p>`;
  const factRows = facts.map(
    ({ label, value }) =>
      `<dt class="quiet" style="font-size: 15px">${escapeHtml(label)}</dt><dd style="margin: 0 0 8px; font-weight: 600">${withPhoneLink(value)}</dd>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE_SHEET}</style>
</head>
<body style="margin: 0; padding: 0; ${FONT_STYLE}">
<div style="display: none; max-height: 0; overflow: hidden">${escapeHtml(preview)}${PREVIEW_PADDING}</div>
<main style="max-width: 560px; margin: 0 auto; padding: 24px 20px; overflow-wrap: anywhere">
<h1 style="margin: 0 0 20px; font-family: Georgia, 'Times New Roman', serif; font-size: 26px; line-height: 1.25">${toHtmlText(subject)}</h1>
${[greetingOf(content), ...paragraphs].map(renderParagraph).join("\n")}
${factRows.length > 0 ? `<dl class="facts" style="margin: 0 0 20px; padding: 4px 0 1px 14px">${factRows.join("")}</dl>` : ""}
${action && actionUrl ? `<p style="margin: 24px 0"><a class="button" href="${escapeHtml(actionUrl)}" style="display: inline-block; padding: 13px 22px; border-radius: 10px; font-weight: 600; text-decoration: none">${escapeHtml(action.label)}</a></p>` : ""}
${moreLink ? `<p style="${PARAGRAPH_STYLE}"><a href="${escapeHtml(origin + moreLink.path)}">${escapeHtml(moreLink.label)}</a></p>` : ""}
${closing.map(renderParagraph).join("\n")}
<p class="quiet" style="margin: 32px 0 0; font-size: 15px">${escapeHtml(practice.name)}<br>
${phoneLinkHtml}<br>
<a href="mailto:${escapeHtml(practice.email)}">${escapeHtml(practice.email)}</a></p>
${content.mayReachStranger ? `<p class="quiet" style="margin: 16px 0 0; font-size: 15px">${escapeHtml(WRONG_RECIPIENT_TEXT)}</p>` : ""}
${unsubscribe ? `<p class="quiet" style="margin: 16px 0 0; font-size: 15px"><a href="${escapeHtml(unsubscribe.url)}">${UNSUBSCRIBE_LABELS[unsubscribe.topic]}</a></p>` : ""}
</main>
</body>
</html>
`;
}

/** Renders a link that calls the phone number. The number stays on one line. */
const renderPhoneLink = (phone: string) =>
  `<a href="tel:${phone.replace(/[^\d+]/g, "")}" style="white-space: nowrap">${escapeHtml(phone)}</a>`;
