import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { HOUR_MS } from "../../time-units.ts";

/**
 * How long after its session expired a download may continue. A large download on a slow connection takes longer than
 * the idle timeout.
 */
const EXPIRED_GRACE_MS = 2 * HOUR_MS;

/**
 * Checks whether a download that the session `sid` started may continue: its account is open, and the session was not
 * ended and expired at most two hours ago.
 */
export async function canContinueDownload(sid: string): Promise<boolean> {
  const expire = { gt: new Date(now().getTime() - EXPIRED_GRACE_MS) };
  const where = { sid, expire, user: { closedAt: null } };
  return (await db.session.findFirst({ where, select: { sid: true } })) !== null;
}
