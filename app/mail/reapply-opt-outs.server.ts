import type { Transaction } from "../db/client.server.ts";
import type { ReplacedDatabase } from "../db/replaced-database.ts";

/** The kinds of mail that families of the database that is replaced have turned off, by the family. */
export async function readOptOuts({ readRows }: ReplacedDatabase): Promise<Map<number, ReadonlySet<string>>> {
  const optOuts = new Map<number, Set<string>>();
  for (const { userId, topic } of await readRows('SELECT "userId", topic FROM mail_opt_outs')) {
    const topics = optOuts.get(Number(userId)) ?? new Set<string>();
    optOuts.set(Number(userId), topics.add(String(topic)));
  }
  return optOuts;
}

/** Turns off again, after a backup was restored, what a family had turned off after it was made. Returns how many. */
export async function reapplyOptOuts(
  transaction: Transaction,
  userId: number,
  topics: ReadonlySet<string>,
): Promise<number> {
  const known = await transaction.mailOptOut.findMany({ where: { userId }, select: { topic: true } });
  const off = new Set(known.map(({ topic }) => topic));
  const missing = [...topics].filter((topic) => !off.has(topic));
  await transaction.mailOptOut.createMany({ data: missing.map((topic) => ({ userId, topic })) });
  return missing.length;
}
