import { HTTP_STATUS, type Outcome } from "./outcome.ts";

/**
 * Builds the response to a download link of a page: the file, or one line of plain text with the reason for the
 * refusal.
 */
export function fileOrRefusalResponse(outcome: Outcome<Response>): Response {
  if (outcome.ok) return outcome.value;
  const { message, reason, retryAfterSeconds } = outcome;
  const headers = new Headers({ "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-store" });
  if (retryAfterSeconds !== undefined) headers.set("Retry-After", String(retryAfterSeconds));
  return new Response(`${message}\n`, { status: HTTP_STATUS[reason], headers });
}
