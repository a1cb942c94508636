import { mailTopicOfEvent } from "../../../app/mail/mail-events.ts";
import { renderMessageHtml, renderMessageText } from "../../../app/mail/render-message.ts";
import { ORIGIN, PRACTICE, type SampleMessage } from "./sample-practice.ts";

/** The subject, the preview line, the plain text and the HTML of a message, as they are mailed. */
export function renderMessage({ event, content }: SampleMessage) {
  const actionUrl = content.action && ORIGIN + (content.action.path ?? "/SECRET-LINK");
  const topic = mailTopicOfEvent(event);
  const unsubscribe = topic && { topic, url: `${ORIGIN}/unsubscribe/SECRET-LINK` };
  const options = { practice: PRACTICE, origin: ORIGIN, actionUrl: actionUrl ?? null, unsubscribe };
  const { subject, preview } = content;
  return { subject, preview, text: renderMessageText(content, options), html: renderMessageHtml(content, options) };
}
