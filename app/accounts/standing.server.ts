import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";

/** Of these sign-ins, those that still stand, with whom they stand for: one question for all open sockets. */
export async function findValidSessions(sids: string[]): Promise<Map<string, { id: number; isAdmin: boolean }>> {
  const rows = await db.session.findMany({
    where: { sid: { in: sids }, expire: { gt: now() } },
    select: { sid: true, user: { select: { id: true, isAdmin: true } } },
  });
  return new Map(rows.flatMap(({ sid, user }) => (user ? [[sid, user] as const] : [])));
}
