import { requirePerson } from "../accounts/guards.server.ts";
import { jsonWithEtag } from "./etag.server.ts";
import type { Route } from "./+types/waiting-families";
import { loadWaitingFamilies } from "./waiting-families.server.ts";

/** The waiting families as JSON, polled by the waiting banner; 304 while nothing changed. */
export async function loader({ context, request }: Route.LoaderArgs) {
  return jsonWithEtag(request, await loadWaitingFamilies(requirePerson(context)));
}
