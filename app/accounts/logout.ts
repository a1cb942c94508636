import { redirect, redirectDocument } from "react-router";
import type { Route } from "./+types/logout";
import { endSession, KEEP_NOTHING } from "./session.server.ts";

/** Opened as a page there is nothing to see; only a button signs out, also whom time has signed out meanwhile. */
export function loader() {
  throw redirect("/dashboard");
}

export async function action({ context }: Route.ActionArgs) {
  await endSession(context);
  return redirectDocument("/", { headers: KEEP_NOTHING });
}
