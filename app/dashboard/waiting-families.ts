import { requirePerson } from "../accounts/guards.server.ts";
import { jsonWithEtag } from "./etag.server.ts";
import type { Route } from "./+types/waiting-families";
import { loadWaitingFamilies } from "./waiting-families.server.ts";

/** Who waits, alone, for the line above each of the consultant's pages: 304 while nobody comes or goes. */
export async function loader({ context, request }: Route.LoaderArgs) {
  return jsonWithEtag(request, await loadWaitingFamilies(requirePerson(context)));
}
