import { requirePerson } from "../../accounts/guards.server.ts";
import type { Route } from "./+types/admin-overview-data-route";
import { loadAdminOverview } from "./admin-overview.server.ts";
import { jsonWithEtag } from "../json-with-etag.server.ts";

/** Returns the data of the administrator's dashboard as JSON for polling. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  return jsonWithEtag(request, await loadAdminOverview(requirePerson(context), url.searchParams));
}
