import { redirect, redirectDocument } from "react-router";
import type { Route } from "./+types/logout";
import { endSession, CLEAR_CACHE_HEADERS } from "./sessions/session.server.ts";

/** Only POST signs out, so that a link or an image can't. A session that has already expired is also signed out. */
export function loader() {
  throw redirect("/dashboard");
}

export async function action({ context }: Route.ActionArgs) {
  await endSession(context);
  return redirectDocument("/", { headers: CLEAR_CACHE_HEADERS });
}
