import type { RouterContextProvider } from "react-router";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";

/** Whether we email the signed-in family at an address that it has not confirmed. */
export function isEmailUnconfirmed(context: Readonly<RouterContextProvider>): boolean {
  const session = getPossiblyRestrictedSession(context);
  return mailMode !== "none" && session?.person.isAdmin === false && session.emailConfirmedAt === null;
}
