import type { RouterContextProvider } from "react-router";
import { TERMS_VERSION } from "../../practice/site-content.ts";
import { getPerson } from "../guards.server.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";
import { ACCEPT_TERMS_PATH } from "./new-terms-note.tsx";

/** Checks whether the page at `pathname` asks a signed-in family to accept the current terms, which it has not yet. */
export function shouldShowNewTermsNote(context: Readonly<RouterContextProvider>, pathname: string): boolean {
  const person = getPerson(context);
  if (!person || person.isAdmin || pathname === ACCEPT_TERMS_PATH) return false;
  return getPossiblyRestrictedSession(context)?.termsVersion !== TERMS_VERSION;
}
