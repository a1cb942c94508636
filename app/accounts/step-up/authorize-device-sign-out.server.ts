import type { RouterContextProvider } from "react-router";
import { MINUTE_SECONDS } from "../../time-units.ts";
import { createRateLimiter } from "../../http/rate-limit.server.ts";
import { findDeviceSession } from "../sessions/signed-in-devices.server.ts";
import { getPossiblyRestrictedSession } from "../sessions/session.server.ts";
import {
  isRecentlyAuthenticated,
  getLastAuthenticationTime,
  RECENT_AUTHENTICATION_MINUTES,
} from "./recent-authentication.server.ts";

/** Number of later sessions that a session can end after its last authentication. Source: docs/product.md, Limits. */
const laterSessionLimiter = createRateLimiter(
  "later-sessions-ended",
  2,
  RECENT_AUTHENTICATION_MINUTES * MINUTE_SECONDS,
);

/**
 * Checks whether this request's session may end the session `id` without entering the password again: itself always,
 * another session within ten minutes after its own password was entered. It may end at most two sessions that signed in
 * after that: otherwise a person with a copied session could, for ten minutes, end every session in which the owner
 * tries to change the password.
 */
export async function authorizeDeviceSignOut(
  context: Readonly<RouterContextProvider>,
  id: number | null,
): Promise<boolean> {
  const session = getPossiblyRestrictedSession(context);
  if (!session) return false;
  const device = await findDeviceSession(session.person, id);
  if (device?.sid === session.sid) return true;
  if (!isRecentlyAuthenticated(context)) return false;
  const isLater = device !== null && getLastAuthenticationTime(device.data) > getLastAuthenticationTime(session.data);
  return !isLater || (await laterSessionLimiter.consume(session.sid)) === null;
}
