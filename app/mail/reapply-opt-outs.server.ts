import type { Transaction } from "../db/database-client.server.ts";
import type { ReplacedDatabase } from "../db/replaced-database.ts";

/** Returns the kinds of mail that families have turned off in the database that is being replaced, by family id. */
export async function readOptOuts({ readRows }: ReplacedDatabase): Promise<Map<number, ReadonlySet<string>>> {
  const optOuts = new Map<number, Set<string>>();
  for (const { userId, topic } of await readRows('SELECT "userId", topic FROM mail_opt_outs')) {
    const topics = optOuts.get(Number(userId)) ?? new Set<string>();
    optOuts.set(Number(userId), topics.add(String(topic)));
  }
  return optOuts;
}

/**
 * After a backup was restored, turns off again the kinds of mail that a family had turned off after the backup was
 * created. Returns how many.
 */
export async function reapplyOptOuts(
  transaction: Transaction,
  userId: number,
  topics: ReadonlySet<string>,
): Promise<number> {
  const existingOptOuts = await transaction.mailOptOut.findMany({ where: { userId }, select: { topic: true } });
  const optedOutTopics = new Set(existingOptOuts.map(({ topic }) => topic));
  const missingTopics = [...topics].filter((topic) => !optedOutTopics.has(topic));
  await transaction.mailOptOut.createMany({ data: missingTopics.map((topic) => ({ userId, topic })) });
  return missingTopics.length;
}
