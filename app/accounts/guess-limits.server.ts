import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_WRONG_A_DAY = 20;

/** When the wrong passwords of each account were tried, the newest `MAX_WRONG_A_DAY` of a day; counted in this process. */
const wrongTries = new Map<number, number[]>();

/** Notes a wrong password for an account that there is, on the page of sign-in or of its own change. */
export function noteWrongPassword(userId: number): void {
  const time = now().getTime();
  const earlier = (wrongTries.get(userId) ?? []).filter((each) => each > time - DAY_MS);
  wrongTries.set(userId, [...earlier, time].slice(-MAX_WRONG_A_DAY));
}

/**
 * Which accounts had twenty wrong passwords within the last day, in sentences for the consultant. A family goes by
 * its number, as the sentence is logged too.
 */
export async function guessingTroubles(): Promise<string[]> {
  const since = now().getTime() - DAY_MS;
  for (const [id, times] of wrongTries) if ((times.at(-1) ?? 0) <= since) wrongTries.delete(id);
  const ids = [...wrongTries].filter(([, times]) => times.length >= MAX_WRONG_A_DAY && times[0]! > since);
  if (ids.length === 0) return [];
  const users = await db.user.findMany({
    where: { id: { in: ids.map(([id]) => id) } },
    orderBy: { id: "asc" },
    select: { id: true, isAdmin: true },
  });
  return users.map(({ id, isAdmin }) =>
    isAdmin
      ? `${MAX_WRONG_A_DAY} or more wrong passwords were tried on a consultant's account within a day (account ${id}). If that was not you, choose a longer password.`
      : `${MAX_WRONG_A_DAY} or more wrong passwords were tried on a family's account within a day: /families/${id}. Ask the family whether that was them.`,
  );
}
