import { topicOf } from "../../../app/mail/events.ts";
import { renderHtml, renderText } from "../../../app/mail/render.ts";
import { ORIGIN, PRACTICE, type SampleMessage } from "./every-message.ts";

/** The subject, the preview line, the plain text and the HTML of a message, as they are mailed. */
export function renderMessage({ event, content }: SampleMessage) {
  const actionUrl = content.action && ORIGIN + (content.action.path ?? "/SECRET-LINK");
  const unsubscribeUrl = topicOf(event) && `${ORIGIN}/unsubscribe/SECRET-LINK`;
  const options = { practice: PRACTICE, origin: ORIGIN, actionUrl: actionUrl ?? null, unsubscribeUrl };
  const { subject, preview } = content;
  return { subject, preview, text: renderText(content, options), html: renderHtml(content, options) };
}
