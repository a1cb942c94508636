import type { Route } from "./+types/session-keepalive";
import { sessionExpiry } from "./session.server.ts";

/** How long the sign-in still lasts; asked with `?refresh`, which is nobody's activity. */
export function loader({ context }: Route.LoaderArgs) {
  return Response.json(sessionExpiry(context));
}

/** The answer to the warning before an idle sign-out: a person's own action, so the time has started anew. */
export function action({ context }: Route.ActionArgs) {
  return Response.json(sessionExpiry(context));
}
