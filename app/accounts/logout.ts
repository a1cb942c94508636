import { redirect, redirectDocument } from "react-router";
import type { Route } from "./+types/logout";
import { endSession, CLEAR_CACHE_HEADERS } from "./sessions/session.server.ts";

/** Opened as a page there is nothing to see; only a button signs out, also whom time has signed out meanwhile. */
export function loader() {
  throw redirect("/dashboard");
}

export async function action({ context }: Route.ActionArgs) {
  await endSession(context);
  return redirectDocument("/", { headers: CLEAR_CACHE_HEADERS });
}
