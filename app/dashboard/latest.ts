import { requirePerson } from "../accounts/guards.server.ts";
import type { Route } from "./+types/latest";
import { adminOverview } from "./admin-overview.server.ts";
import { jsonWithEtag } from "./refreshed.server.ts";

/** The dashboard's data alone, for the page that refreshes itself. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  return jsonWithEtag(request, await adminOverview(requirePerson(context), url.searchParams));
}
