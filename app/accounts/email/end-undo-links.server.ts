import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { COMPROMISE_WINDOW_MS } from "../revoke-account-access.server.ts";
import {
  accessDeniedRefusal,
  assertAdministrator,
  familyNotFoundRefusal,
  notSignedInRefusal,
} from "../authorization.server.ts";
import { env } from "../../env.server.ts";
import { undoLinkEndedContent } from "../../mail/messages/email-change-messages.ts";
import { lockAccountRow } from "../lock-account-row.server.ts";
import { familyIdOf, type Person } from "../person.ts";
import { notifyUndoableFormerAddresses } from "./notify-former-addresses.server.ts";
import { MAX_OPEN_UNDO_LINKS, openUndoLinkCondition } from "./undo-link-condition.server.ts";

const noUndoLinkRefusal = refused("conflict", "No link to an earlier address is open. There is nothing to end.");
const newerChangeRefusal = refused(
  "conflict",
  "The address was changed again in the meantime. Look at the changes, and ask the family about them first.",
);
const youngFactorRefusal = refused(
  "forbidden",
  "To end the link here, use the code of an authenticator app that you had a week before the address changed. Or call us.",
);

/**
 * Returns whether a person can end the undo links of the own account: not after the password alone, because then a thief
 * who changed the address could end the link that gives the account back to its owner. Null if no link is open, and for
 * an administrator, whom nobody else could help.
 */
export async function canEndOwnUndoLinks({ id: userId, isAdmin }: Person): Promise<boolean | null> {
  if (isAdmin) return null;
  const changedAt = await findOldestChange(db, userId);
  if (!changedAt) return null;
  const confirmedAt = { lt: compromisedSince(changedAt) };
  return (await db.secondFactor.count({ where: { userId, confirmedAt } })) === 1;
}

/**
 * Ends the mailed links that take back changes of the person's address, because another person may read the earlier
 * mailbox. `factorSince` is since when the account has had the app whose code confirmed it. Refusals: conflict (there is no
 * such link), forbidden (a thief may have set up the app, or used a passkey), unauthorized (`sid` has ended).
 */
export async function endOwnUndoLinks(
  person: Person,
  { sid, factorSince }: { sid: string; factorSince: Date | null },
): Promise<Outcome<null>> {
  if (person.isAdmin) return accessDeniedRefusal();
  return inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, person.id, { sid }))) return notSignedInRefusal();
    const changedAt = await findOldestChange(transaction, person.id);
    if (!changedAt) return noUndoLinkRefusal;
    if (!factorSince || factorSince >= compromisedSince(changedAt)) return youngFactorRefusal;
    return endUndoLinks(transaction, person.id, familyIdOf(person));
  });
}

/** Returns the id and the time (UTC) of each change of a family's address whose link is open, newest first. */
export function listUndoableChanges(familyId: number) {
  return db.emailChange.findMany({
    where: { userId: familyId, ...openUndoLinkCondition() },
    orderBy: { id: "desc" },
    take: MAX_OPEN_UNDO_LINKS,
    select: { id: true, changedAt: true },
  });
}

/**
 * Does the same for a family that has asked the administrator, who was shown the changes up to `newestShownId`. Refusals:
 * notFound; conflict (there is no such link, or a newer change, which may be a thief's).
 */
export async function endUndoLinksOfFamily(
  admin: Person,
  familyId: number | null,
  newestShownId: number | null,
): Promise<Outcome<null>> {
  assertAdministrator(admin);
  if (familyId === null) return familyNotFoundRefusal();
  return inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, familyId, { isFamily: true }))) return familyNotFoundRefusal();
    if (!(await findOldestChange(transaction, familyId))) return noUndoLinkRefusal;
    const newer = { userId: familyId, id: { gt: newestShownId ?? 0 }, ...openUndoLinkCondition() };
    if ((await transaction.emailChange.count({ where: newer })) > 0) return newerChangeRefusal;
    return endUndoLinks(transaction, familyId, familyId);
  });
}

/**
 * From then on the earlier address is no longer the account's own either: what it sends is another person's. It is told,
 * because the account may have been taken from its reader.
 */
async function endUndoLinks(transaction: Transaction, userId: number, familyId: number | null): Promise<Outcome<null>> {
  await notifyUndoableFormerAddresses(transaction, userId, {
    event: "email-changed",
    subjectKey: `undo link ended ${now().toISOString()}`,
    content: undoLinkEndedContent(env.practice.phone),
  });
  await transaction.emailChange.updateMany({
    where: { userId, undoUntil: { gt: now() } },
    data: { undoTokenHash: null, undoUntil: now() },
  });
  recordAuditInTransaction(transaction, { action: "undo-link-ended", familyId, objectId: userId });
  return accepted(null);
}

/** Returns when the oldest change was made whose link is open (UTC), or null if there is none. */
async function findOldestChange(reader: Pick<Transaction, "emailChange">, userId: number): Promise<Date | null> {
  const change = await reader.emailChange.findFirst({
    where: { userId, ...openUndoLinkCondition() },
    orderBy: { id: "asc" },
    select: { changedAt: true },
  });
  return change?.changedAt ?? null;
}

/**
 * Returns from when on an app may be that of the person who changed the address. No passkey is trusted, however old: the
 * password alone adds one, and the link removes all of them.
 */
function compromisedSince(changedAt: Date): Date {
  return new Date(changedAt.getTime() - COMPROMISE_WINDOW_MS);
}
