import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../time-units.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";

/** How long a session lasts without activity, and its maximum duration. Source: docs/product.md, "Sign-in required". */
const CLIENT_TIMEOUTS = { idleMs: 24 * HOUR_MS, totalMs: 7 * DAY_MS };
const ADMIN_TIMEOUTS = { idleMs: 15 * MINUTE_MS, totalMs: 12 * HOUR_MS };
/** Timeouts on a device that is not the person's own. */
const SHARED_DEVICE_TIMEOUTS = { idleMs: 30 * MINUTE_MS, totalMs: 12 * HOUR_MS };
const ALL_TIMEOUTS = [CLIENT_TIMEOUTS, ADMIN_TIMEOUTS, SHARED_DEVICE_TIMEOUTS];

/** Times are in milliseconds since 1970. */
type SessionActivity = { signedInAt: number; activeAt: number; isShared?: boolean };

/** Returns when a session expires without further activity (UTC). */
export function computeSessionExpiry(person: { isAdmin: boolean }, data: SessionActivity): Date {
  const timeouts = person.isAdmin ? ADMIN_TIMEOUTS : data.isShared ? SHARED_DEVICE_TIMEOUTS : CLIENT_TIMEOUTS;
  return new Date(Math.min(data.activeAt + timeouts.idleMs, data.signedInAt + timeouts.totalMs));
}

/** Returns why a session expired at `expire`: a sentence for the person who had it. */
export function expiryReason({ activeAt, signedInAt }: SessionActivity, expire: Date): string {
  const idleMs = expire.getTime() - activeAt;
  if (ALL_TIMEOUTS.some((timeouts) => timeouts.idleMs === idleMs))
    return `You were signed out after ${durationText(idleMs)} without use.`;
  return `You were signed out because a sign-in expires after ${durationText(expire.getTime() - signedInAt)}.`;
}

function durationText(ms: number): string {
  if (ms < HOUR_MS) return formatCountWithNoun(Math.round(ms / MINUTE_MS), "minute");
  return ms > DAY_MS
    ? formatCountWithNoun(Math.round(ms / DAY_MS), "day")
    : formatCountWithNoun(Math.round(ms / HOUR_MS), "hour");
}
