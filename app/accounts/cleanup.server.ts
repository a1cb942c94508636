import { HOUR_MS, DAY_MS } from "../duration.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { logError } from "../http/errors.server.ts";
import { DRAFT_DAYS } from "../practice/facts.ts";
import { purgeExpiredSessions } from "./sessions/session-store.server.ts";

/** Days for which consultation requests are linked to a network (consultations/network.server.ts). */
const NETWORK_DAYS = 30;

/** Drafts last saved before this instant count as deleted, even before the cleanup has run. */
export function draftCutoff(): Date {
  return new Date(now().getTime() - DRAFT_DAYS * DAY_MS);
}

/** Deletes drafts, links and sessions that have expired, and the networks of old consultation requests. */
export async function deleteExpired(): Promise<void> {
  const networksUntil = new Date(now().getTime() - NETWORK_DAYS * DAY_MS);

  await db.draft.deleteMany({ where: { updatedAt: { lt: draftCutoff() } } });
  await db.passwordReset.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.appointmentClaim.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.consultationRequest.updateMany({
    where: { createdAt: { lt: networksUntil }, network: { not: null } },
    data: { network: null },
  });
  await purgeExpiredSessions();
}

/** Runs the cleanup now and every hour. Returns a function that stops it. */
export function startCleanup(): () => void {
  const run = () => void deleteExpired().catch((error: unknown) => logError(error, "cleanup of expired rows"));
  run();
  const timer = setInterval(run, HOUR_MS).unref();
  return () => clearInterval(timer);
}
