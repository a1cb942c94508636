import { personOf } from "../accounts/guards.server.ts";
import { readId } from "../http/fields.ts";
import type { Route } from "./+types/connection";
import { callFor } from "./calls.server.ts";
import { iceServers } from "./turn.server.ts";

/** A fresh way to the relay for a call that lost its connection after the first one's password ran out. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const person = personOf(context);
  const verdict = await callFor(person, readId(params.appointmentId));
  if (!verdict.ok) {
    const status = verdict.reason === "not-found" ? 404 : 403;
    return Response.json({ message: "This room is not open." }, { status });
  }
  return Response.json({ iceServers: iceServers(person, verdict.call.id) });
}
