import type { LoaderFunctionArgs } from "react-router";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { readCalendarFeed } from "./calendar-feed.server.ts";

/** Serves the feed to calendar programs. Requires no session, because the secret in the address grants access. */
export async function loader({ params }: LoaderFunctionArgs) {
  const calendar = await readCalendarFeed(params.file ?? "");
  const headers = { "Cache-Control": "private, no-store", "X-Robots-Tag": "noindex" };
  if (!calendar.ok) {
    const status = HTTP_STATUS[calendar.reason];
    return new Response(`${calendar.message}\n`, {
      status,
      headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
    });
  }
  return new Response(calendar.value, {
    headers: {
      ...headers,
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="visits.ics"',
    },
  });
}

export function action() {
  return new Response("This file can only be read.\n", { status: 405, headers: { Allow: "GET, HEAD" } });
}
