import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";
import { HOUR_MS } from "../../duration.ts";

/** A large download on a slow line takes longer than an idle timeout. */
const EXPIRED_GRACE_MS = 2 * HOUR_MS;

/**
 * Whether a download that the session `sid` started may continue: its account is open, and it was not ended, nor
 * expired more than two hours ago.
 */
export async function hasDownloadAccess(sid: string): Promise<boolean> {
  const expire = { gt: new Date(now().getTime() - EXPIRED_GRACE_MS) };
  const where = { sid, expire, user: { closedAt: null } };
  return (await db.session.findFirst({ where, select: { sid: true } })) !== null;
}
