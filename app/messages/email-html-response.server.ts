/**
 * Content security policy of the page. An email message has its styles in the document; nothing else may load or run.
 */
const MAIL_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** Returns the HTML of an email message as a separate page. */
export function emailHtmlResponse(html: string, status = 200): Response {
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": MAIL_CSP,
    "Cache-Control": "private, no-store",
  };
  return new Response(html, { status, headers });
}

export function messageNotFoundResponse(): Response {
  return new Response("There is no such message.", { status: 404, statusText: "Not Found" });
}
