import { redirect, redirectDocument } from "react-router";
import type { Route } from "./+types/logout";
import { endSession } from "./session.server.ts";

/** Opened as a page there is nothing to see; only the menu's button signs out. */
export function loader() {
  throw redirect("/dashboard");
}

export async function action({ context }: Route.ActionArgs) {
  await endSession(context);
  // A shared computer keeps nothing of what was on the screen.
  return redirectDocument("/", { headers: { "Clear-Site-Data": '"cache"' } });
}
