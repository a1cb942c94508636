import { db } from "../db/database-client.server.ts";
import { mailMode } from "./mail-transport.server.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";

/** Number of attempts after which a message is late. The third attempt is about three minutes after the first. */
const MIN_LATE_ATTEMPTS = 3;

/** Returns warnings about mail for the administrator's dashboard. */
export async function mailWarnings(): Promise<string[]> {
  if (mailMode === "none")
    return [
      "Mail is not set up, so nobody gets confirmations, reminders a day and an hour before a visit, a time that opens on the waiting list, or a link for a forgotten password, and no family can confirm its email address or change it. Families find their messages in the portal only, and you learn of new requests on this page only.",
    ];
  const lateMessages = await db.message.aggregate({
    where: { state: "pending", attempts: { gte: MIN_LATE_ATTEMPTS } },
    _count: true,
    _max: { failure: true },
  });
  if (lateMessages._count === 0) return [];
  const messages = formatCountWithNoun(lateMessages._count, "mail waits", "mails wait");
  return [
    `${messages} to be delivered: the mail server did not take ${lateMessages._count === 1 ? "it" : "them"} (${lateMessages._max.failure ?? "no answer"}). They are tried again for three days. Ask the person who installed this site if this stays.`,
  ];
}
