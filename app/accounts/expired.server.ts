import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { logFailure } from "../http/failure.server.ts";
import { DRAFT_DAYS } from "../practice/facts.ts";
import { forgetEndedSessions } from "./session.server.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A form that was last saved before this is gone, swept or not. */
export function oldestDraft(): Date {
  return new Date(now().getTime() - DRAFT_DAYS * DAY_MS);
}

/** Removes what is past its time: forms begun and not sent, links for a new password, and sign-ins long ended. */
export async function removeExpired(): Promise<void> {
  await db.draft.deleteMany({ where: { updatedAt: { lt: oldestDraft() } } });
  await db.passwordReset.deleteMany({ where: { expiresAt: { lte: now() } } });
  await forgetEndedSessions();
}

/** Does so now and once an hour, until the returned function is called. */
export function keepTidy(): () => void {
  const tidy = () => void removeExpired().catch((error: unknown) => logFailure(error, "removing what has expired"));
  tidy();
  const timer = setInterval(tidy, HOUR_MS).unref();
  return () => clearInterval(timer);
}
