import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";
import { DAY_MS } from "../duration.ts";
import { parseMessageKey } from "./message-key.server.ts";

export const FAILURES_SHOWN_FOR_MS = 14 * DAY_MS;
/** Of accounts, and of addresses without one: more than the limits of mail allow in two weeks of a working site. */
const MAX_READ = 500;

/** `code` is the mail server's, or why it could not be reached; empty for a mail that nobody tried to send in time. */
type Failure = { id: number; code: string; at: string };
export type FailedAccountMail = Failure & { userId: number; name: string; isAdmin: boolean };
/** `about` is what its message was enqueued with. */
export type FailedVisitorMail = Failure & { event: string; about: string; address: string };

const NEWEST_FIRST = [{ createdAt: "desc" as const }, { id: "desc" as const }];
const failedLately = () => ({
  state: "failed",
  createdAt: { gt: new Date(now().getTime() - FAILURES_SHOWN_FOR_MS) },
});

/** Accounts whose last mail could not be delivered, within two weeks, newest first. */
export async function listFailedAccountMails(): Promise<FailedAccountMail[]> {
  const rows = await db.message.findMany({
    where: { ...failedLately(), userId: { not: null } },
    orderBy: NEWEST_FIRST,
    take: MAX_READ,
    distinct: ["userId"],
    select: {
      id: true,
      failure: true,
      createdAt: true,
      user: {
        select: {
          id: true,
          firstName: true,
          lastName: true,
          isAdmin: true,
          messages: { where: { state: "sent" }, orderBy: { sentAt: "desc" }, take: 1, select: { sentAt: true } },
        },
      },
    },
  });
  return rows.flatMap(({ user, ...row }) => {
    if (!user || (user.messages[0]?.sentAt ?? row.createdAt) > row.createdAt) return [];
    const { id: userId, firstName, lastName, isAdmin } = user;
    return { ...toFailure(row), userId, name: `${firstName} ${lastName}`, isAdmin };
  });
}

/** The same of addresses that have no account, each with what its last mail was about. */
export async function listFailedVisitorMails(): Promise<FailedVisitorMail[]> {
  const rows = await db.message.findMany({
    where: { ...failedLately(), userId: null },
    orderBy: NEWEST_FIRST,
    take: MAX_READ,
    select: { id: true, key: true, event: true, address: true, failure: true, createdAt: true },
  });
  const oldest = rows.at(-1)?.createdAt;
  if (!oldest) return [];
  const sent = await db.message.findMany({
    where: { state: "sent", userId: null, createdAt: { gt: oldest } },
    orderBy: NEWEST_FIRST,
    take: MAX_READ,
    select: { key: true, createdAt: true },
  });
  // Stored addresses are encrypted, each time differently; the keys end with a hash of them.
  const lastSent = new Map(
    sent.toReversed().map(({ key, createdAt }) => [parseMessageKey(key).recipientId, createdAt]),
  );
  const seen = new Set<string>();
  return rows.flatMap(({ key, event, address, ...row }) => {
    const { about, recipientId } = parseMessageKey(key);
    if (seen.has(recipientId) || (lastSent.get(recipientId) ?? row.createdAt) > row.createdAt) return [];
    seen.add(recipientId);
    return { ...toFailure(row), event, about, address };
  });
}

/** Those of `keys` (see `messageKey`) whose message could not be delivered. */
export async function failedKeysAmong(keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const where = { key: { in: [...keys] }, state: "failed" };
  const rows = await db.message.findMany({ where, take: keys.length, select: { key: true } });
  return new Set(rows.map(({ key }) => key));
}

function toFailure({ id, failure, createdAt }: { id: number; failure: string | null; createdAt: Date }): Failure {
  return { id, code: failure ?? "", at: createdAt.toISOString() };
}
