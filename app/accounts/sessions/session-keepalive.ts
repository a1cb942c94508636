import type { Route } from "./+types/session-keepalive";
import { getSessionExpiryInfo } from "./session.server.ts";

/** Returns the remaining time of the session. Polled with `?refresh`, which does not count as activity. */
export function loader({ context }: Route.LoaderArgs) {
  return Response.json(getSessionExpiryInfo(context));
}

/** Extends the session when the person dismisses the idle warning. */
export function action({ context }: Route.ActionArgs) {
  return Response.json(getSessionExpiryInfo(context));
}
