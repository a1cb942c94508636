import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { logError } from "../http/failure.server.ts";
import { DRAFT_DAYS } from "../practice/facts.ts";
import { forgetEndedSessions } from "./session.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long it is known which consultation requests came from one network. */
const NETWORK_DAYS = 30;

/** A form that was last saved before this is gone, swept or not. */
export function oldestDraft(): Date {
  return new Date(now().getTime() - DRAFT_DAYS * DAY_MS);
}

/** Removes what is past its time: forms begun and not sent, links, sign-ins long ended, and where requests came from. */
export async function removeExpired(): Promise<void> {
  const networksUntil = new Date(now().getTime() - NETWORK_DAYS * DAY_MS);

  await db.draft.deleteMany({ where: { updatedAt: { lt: oldestDraft() } } });
  await db.passwordReset.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.appointmentClaim.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.consultationRequest.updateMany({
    where: { createdAt: { lt: networksUntil }, network: { not: null } },
    data: { network: null },
  });
  await forgetEndedSessions();
}

/** Does so now and once an hour, until the returned function is called. */
export function keepTidy(): () => void {
  const tidy = () => void removeExpired().catch((error: unknown) => logError(error, "removing what has expired"));
  tidy();
  const timer = setInterval(tidy, HOUR_MS).unref();
  return () => clearInterval(timer);
}
