import { requirePerson } from "../accounts/guards.server.ts";
import { jsonWithEtag } from "./json-with-etag.server.ts";
import type { Route } from "./+types/waiting-room-data-route";
import { loadWaitingRoomData } from "./waiting-room-data.server.ts";

/** Returns the waiting families as JSON, polled by the waiting banner; 304 while nothing changes. */
export async function loader({ context, request }: Route.LoaderArgs) {
  return jsonWithEtag(request, await loadWaitingRoomData(requirePerson(context)));
}
