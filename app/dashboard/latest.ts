import { requirePerson } from "../accounts/guards.server.ts";
import type { Route } from "./+types/latest";
import { adminOverview } from "./admin-overview.server.ts";
import { answerIfChanged } from "./refreshed.server.ts";

/** The dashboard's data alone, for the page that refreshes itself. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  return answerIfChanged(request, await adminOverview(requirePerson(context), url.searchParams));
}
