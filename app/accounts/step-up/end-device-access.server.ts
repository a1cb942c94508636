import type { RouterContextProvider } from "react-router";
import { MINUTE_SECONDS } from "../../duration.ts";
import { rateLimit } from "../../http/rate-limit.server.ts";
import { findDeviceData } from "../sessions/devices.server.ts";
import { getSession } from "../sessions/session.server.ts";
import { isRecentlyAuthenticated, lastAuthentication, RECENT_MINUTES } from "./recent-authentication.server.ts";

/** Later sessions that one ends with the password that it was given before them. Source: docs/product.md, Limits. */
const laterSessionLimit = rateLimit("later-sessions-ended", 2, RECENT_MINUTES * MINUTE_SECONDS);

/**
 * Whether this request's session may end the session `id` without the password once more: itself always, another one
 * within ten minutes of its password. It ends at most two that signed in after that: otherwise somebody with a
 * copied session could for ten minutes end each one in which its owner wants to change the password.
 */
export async function canEndDevice(context: Readonly<RouterContextProvider>, id: number | null): Promise<boolean> {
  const session = getSession(context);
  if (!session) return false;
  const device = await findDeviceData(session.person, id);
  if (device?.sid === session.sid) return true;
  if (!isRecentlyAuthenticated(context)) return false;
  const isLater = device !== null && lastAuthentication(device.data) > lastAuthentication(session.data);
  return !isLater || (await laterSessionLimit.consume(session.sid)) === null;
}
