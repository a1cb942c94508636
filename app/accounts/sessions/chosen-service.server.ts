import type { RouterContextProvider } from "react-router";
import { getPossiblyRestrictedSession } from "./session.server.ts";
import { updateSession } from "./session-store.server.ts";

type Context = Readonly<RouterContextProvider>;

/** Returns the service that the person chose before signing in, until its booking is begun; null if there is none. */
export function getChosenService(context: Context): string | null {
  return getPossiblyRestrictedSession(context)?.data.chosenService ?? null;
}

/** Deletes the chosen service after the draft of its booking has replaced it, or the person abandoned it. */
export function clearChosenService(context: Context): void {
  const session = getPossiblyRestrictedSession(context);
  if (session?.data.chosenService) updateSession(session, ({ chosenService: _, ...data }) => data);
}
