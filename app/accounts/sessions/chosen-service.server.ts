import type { RouterContextProvider } from "react-router";
import { getSession } from "./session.server.ts";
import { updateSession } from "./session-store.server.ts";

type Context = Readonly<RouterContextProvider>;

/** The service that the person chose before signing in, while its booking has not begun; null without one. */
export function getChosenService(context: Context): string | null {
  return getSession(context)?.data.chosenService ?? null;
}

/** Deletes the choice, because the draft of its booking replaces it, or the person abandoned it. */
export function clearChosenService(context: Context): void {
  const session = getSession(context);
  if (session?.data.chosenService) updateSession(session, ({ chosenService: _, ...data }) => data);
}
