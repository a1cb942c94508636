import { requirePerson } from "../accounts/guards.server.ts";
import { parseId } from "../http/field-schemas.ts";
import type { Route } from "./+types/ice-servers-route";
import { loadAndEvaluateCallAccess } from "./call-access.server.ts";
import { createIceServersWithCredentials, stunServers } from "./ice-servers.server.ts";
import { isConsultantInCall } from "./waiting-room-families.server.ts";

/**
 * Returns the ICE servers of a call. The page requests them when the other side joins and when the credentials have
 * expired. They include the relay only while the consultant is in the room, so that a family alone can't use it.
 */
export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const access = await loadAndEvaluateCallAccess(person, parseId(params.appointmentId));
  if (!access.ok) {
    const status = access.reason === "not-found" ? 404 : 403;
    return Response.json({ message: "This room is not open." }, { status });
  }
  const { id } = access.visit;
  const servers = (await isConsultantInCall(id)) ? createIceServersWithCredentials(person, id) : stunServers();
  return Response.json({ iceServers: servers }, { headers: { "Cache-Control": "private, no-store" } });
}
