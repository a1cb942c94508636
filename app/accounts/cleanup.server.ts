import { HOUR_MS, DAY_MS } from "../duration.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { logError } from "../http/errors.server.ts";
import { DRAFT_DAYS } from "../practice/facts.ts";
import { purgeExpiredSessions } from "./sessions/session-store.server.ts";

/** How long it is known which consultation requests came from one network. */
const NETWORK_DAYS = 30;

/** A form that was last saved before this is gone, swept or not. */
export function draftCutoff(): Date {
  return new Date(now().getTime() - DRAFT_DAYS * DAY_MS);
}

/** Removes what is past its time: forms begun and not sent, links, sign-ins long ended, and where requests came from. */
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

/** Does so now and once an hour, until the returned function is called. */
export function startCleanup(): () => void {
  const run = () => void deleteExpired().catch((error: unknown) => logError(error, "removing what has expired"));
  run();
  const timer = setInterval(run, HOUR_MS).unref();
  return () => clearInterval(timer);
}
