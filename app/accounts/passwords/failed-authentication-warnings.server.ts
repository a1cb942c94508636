import { DAY_MS } from "../../duration.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";

const WARNING_THRESHOLD = 20;

/** Times of the latest wrong passwords by account, at most `WARNING_THRESHOLD` each; of this process alone. */
const attemptTimes = new Map<number, number[]>();

/** Counts a wrong password or code of an existing account, at sign-in; when a signed-in person gives it again, a wrong passkey too. */
export function recordFailedAuthentication(userId: number): void {
  const time = now().getTime();
  const earlier = (attemptTimes.get(userId) ?? []).filter((each) => each > time - DAY_MS);
  attemptTimes.set(userId, [...earlier, time].slice(-WARNING_THRESHOLD));
}

/**
 * Returns a warning for the consultant for each account with twenty or more wrong passwords within the last 24 hours.
 * It names a family by its number, as warnings are logged too.
 */
export async function failedAuthenticationWarnings(): Promise<string[]> {
  const since = now().getTime() - DAY_MS;
  for (const [id, times] of attemptTimes) if ((times.at(-1) ?? 0) <= since) attemptTimes.delete(id);
  const ids = [...attemptTimes].filter(([, times]) => times.length >= WARNING_THRESHOLD && times[0]! > since);
  if (ids.length === 0) return [];
  const users = await db.user.findMany({
    where: { id: { in: ids.map(([id]) => id) } },
    orderBy: { id: "asc" },
    select: { id: true, isAdmin: true },
  });
  return users.map(({ id, isAdmin }) =>
    isAdmin
      ? `${WARNING_THRESHOLD} or more wrong passwords were tried on a consultant's account within a day (account ${id}). If that was not you, choose a longer password.`
      : `${WARNING_THRESHOLD} or more wrong passwords were tried on a family's account within a day: /families/${id}. Ask the family whether that was them.`,
  );
}
