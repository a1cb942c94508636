import { DAY_MS } from "../../duration.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/client.server.ts";

const WARNING_THRESHOLD = 20;

/** Times of the latest wrong passwords by account id, at most `WARNING_THRESHOLD` each, in this process only. */
const attemptTimes = new Map<number, number[]>();

/**
 * Counts a failed authentication of an existing account: a wrong password or code at sign-in, or a wrong password, code
 * or passkey when a signed-in person is asked again.
 */
export function recordFailedAuthentication(userId: number): void {
  const time = now().getTime();
  const earlier = (attemptTimes.get(userId) ?? []).filter((each) => each > time - DAY_MS);
  attemptTimes.set(userId, [...earlier, time].slice(-WARNING_THRESHOLD));
}

/**
 * Returns a warning for the consultant for each account with 20 or more wrong passwords within the last 24 hours. It
 * names a family by its number, because warnings are also logged.
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
