import { personOf } from "../accounts/guards.server.ts";
import type { Route } from "./+types/latest";
import { adminOverview } from "./admin-overview.server.ts";

/** The dashboard's data alone, for the page that refreshes itself: 304 while nothing has changed. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const overview = await adminOverview(personOf(context), url.searchParams);
  const headers = { ETag: `"${overview.version}"` };
  if (request.headers.get("if-none-match") === headers.ETag) return new Response(null, { status: 304, headers });
  return Response.json(overview, { headers });
}
