import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { DAY_MS } from "../../time-units.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { findLatestScript, watchedScriptUrl } from "./watch-payment-script.server.ts";

const UNCHECKED_AFTER_MS = 3 * DAY_MS;
/** Start of this process. Before the first check it is the only known start of the unchecked period. */
const startedAt = now();

/**
 * Returns the administrator's warnings: an unseen change of the provider's script, or no successful check for three
 * days.
 */
export async function findPaymentScriptWarnings(url = watchedScriptUrl()): Promise<string[]> {
  if (url === null) return [];
  const [latest, change] = await Promise.all([findLatestScript(url), findUnseenScriptChanges(url)]);
  const checkedAt = latest?.lastSeenAt ?? startedAt;
  const unchecked = `The card provider’s script could not be checked since ${formatPracticeDateTime(checkedAt)}. Families can still pay. Ask the person who installed this site whether it can reach ${new URL(url).hostname}.`;
  return [
    ...(change ? [changeWarning(change)] : []),
    ...(now().getTime() - checkedAt.getTime() > UNCHECKED_AFTER_MS ? [unchecked] : []),
  ];
}

type UnseenScriptChanges = { count: number; lastChangeId: number; at: Date };

/** Returns the number of changes not marked as seen, and the id and time of the last one. Null when there are none. */
export async function findUnseenScriptChanges(url = watchedScriptUrl()): Promise<UnseenScriptChanges | null> {
  if (url === null) return null;
  const where = { url, acceptedAt: null };
  const [count, last] = await Promise.all([
    db.paymentScript.count({ where }),
    db.paymentScript.findFirst({ where, orderBy: { id: "desc" }, select: { id: true, firstSeenAt: true } }),
  ]);
  return last && { count, lastChangeId: last.id, at: last.firstSeenAt };
}

function changeWarning({ count, at }: UnseenScriptChanges): string {
  const changed = count === 1 ? "changed" : `changed ${formatCountWithNoun(count, "time")}, last`;
  return `The card provider’s script on your payment page ${changed} on ${formatPracticeDateTime(at)}. That happens with each update of its card form. Ask the person who installed this site, or the provider, whether there was one. If nobody knows of it, have card payment turned off (PAYMENTS=off). If all is well, mark it as seen in System status.`;
}
