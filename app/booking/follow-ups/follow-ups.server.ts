import { familyNotFoundRefusal } from "../../accounts/authorization.server.ts";
import { type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { recordAuditInTransaction, recordAuditNow } from "../../audit/record.server.ts";
import { lockAccountRow } from "../../accounts/account-access.server.ts";
import { fullName, type Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, preparedQuery, type Transaction } from "../../db/client.server.ts";
import { HOUR_MS } from "../../duration.ts";
import { parseId } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { dropMailsOfDeletedFollowUps } from "./follow-up-mails.server.ts";
import { practiceToday } from "../practice-today.server.ts";

/** Limits one family's list. */
const MAX_LISTED = 50;
const MAX_OF_FAMILY = 20;

/** `dueDay` is a day of the practice's zone ("2026-12-07"); a shared one is seen by the family. */
export type NewFollowUp = { text: string; dueDay: string; isShared: boolean };

export type FollowUpRow = Awaited<ReturnType<typeof listFollowUps>>[number];

/** What was done within this time keeps its place in the list, where it can be taken back. */
const DONE_IN_PLACE_MS = HOUR_MS;

/**
 * The follow-ups of a family by their day, for the administrator; throws for anyone else. Those done more than an hour
 * ago come last, the latest first.
 */
export async function listFollowUps(person: Person, userId: number) {
  requireAdministrator(person);
  const rows = await db.followUp.findMany({
    where: { userId },
    orderBy: [{ doneAt: { sort: "desc", nulls: "first" } }, { dueDay: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
    select: { id: true, text: true, dueDay: true, isShared: true, doneAt: true },
  });
  const today = practiceToday();
  const inPlaceAfter = new Date(now().getTime() - DONE_IN_PLACE_MS);
  const [first, last] = [rows.filter(isInPlace), rows.filter((row) => !isInPlace(row))];
  function isInPlace({ doneAt }: { doneAt: Date | null }) {
    return doneAt === null || doneAt > inPlaceAfter;
  }
  first.sort((a, b) => a.dueDay.localeCompare(b.dueDay) || a.id - b.id);
  return [...first, ...last].map(({ doneAt, ...row }) => ({
    ...row,
    isDone: doneAt !== null,
    isDue: row.dueDay <= today,
  }));
}

/** Open follow-ups that are due, the oldest first: `take` rows and the number of all. For the administrator. */
export async function dueFollowUps(person: Person, take: number) {
  requireAdministrator(person);
  const where = { doneAt: null, dueDay: { lte: practiceToday() } };
  const rows = await db.followUp.findMany({
    where,
    orderBy: [{ dueDay: "asc" }, { id: "asc" }],
    take,
    select: { id: true, text: true, dueDay: true, user: { select: { id: true, firstName: true, lastName: true } } },
  });
  const count = rows.length < take ? rows.length : await db.followUp.count({ where });
  return { count, rows: rows.map(({ user, ...row }) => ({ ...row, userId: user.id, name: fullName(user) })) };
}

/** SQL for the number of open follow-ups that the family may see. */
export function openSharedFollowUpCountSql({ id }: Person): Sql {
  return sql`SELECT CAST(count(*) AS INTEGER) FROM "follow_ups"
    WHERE "userId" = ${id} AND "isShared" AND "doneAt" IS NULL`;
}

/** The open follow-ups that the family may see, by their day. */
export function sharedFollowUps({ id }: Person): Promise<{ id: number; text: string; dueDay: string }[]> {
  return preparedQuery(
    sql`SELECT "id", "text", "dueDay" FROM "follow_ups" WHERE "userId" = ${id} AND "isShared" AND "doneAt" IS NULL
      ORDER BY "dueDay", "id" LIMIT ${MAX_OF_FAMILY}`,
    "FollowUp",
  );
}

/**
 * Adds follow-ups for the family `userId`, of the visit `appointmentId` if there is one. Checking that both exist and
 * belong together is the caller's. Returns their numbers in the same order.
 */
export async function insertFollowUps(
  transaction: Transaction,
  { userId, appointmentId }: { userId: number; appointmentId: number | null },
  followUps: readonly NewFollowUp[],
): Promise<number[]> {
  const createdAt = now();
  const ids: number[] = [];
  for (const followUp of followUps) {
    const data = { userId, appointmentId, createdAt, ...followUp };
    const { id } = await transaction.followUp.create({ data, select: { id: true } });
    recordAuditInTransaction(transaction, { action: "follow-up-added", familyId: userId, objectId: id });
    ids.push(id);
  }
  return ids;
}

/** Records that the family was told of these follow-ups where they are due by today. */
export async function markReminded(transaction: Transaction, ids: readonly number[]): Promise<void> {
  const where = { id: { in: [...ids] }, dueDay: { lte: practiceToday() } };
  await transaction.followUp.updateMany({ where, data: { remindedAt: now() } });
}

/** Adds one follow-up for a family. Refusal: notFound. */
export async function addFollowUp(
  person: Person,
  familyParam: string | undefined,
  followUp: NewFollowUp,
): Promise<Outcome<null>> {
  const id = parseId(familyParam);
  if (!person.isAdmin || id === null) return familyNotFoundRefusal();
  return inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, id, { isFamily: true }))) return familyNotFoundRefusal();
    await insertFollowUps(transaction, { userId: id, appointmentId: null }, [followUp]);
    return accepted(null);
  });
}

/** The follow-up with its text, if it belongs to the family that the URL names; records that the person opened it. */
export async function findFollowUpWithAudit(person: Person, family: string | undefined, followUp: string | undefined) {
  const [userId, id] = [parseId(family), parseId(followUp)];
  if (!person.isAdmin || userId === null || id === null) return null;
  const found = await db.followUp.findFirst({ where: { id, userId }, select: { text: true } });
  if (found) await recordAuditNow({ action: "family-page-opened", familyId: userId, objectId: userId });
  return found;
}

/** What the buttons of a family's list do; deleting asks first. */
export const FOLLOW_UP_CHANGES = ["done", "reopened"] as const;
export type FollowUpChange = (typeof FOLLOW_UP_CHANGES)[number] | "deleted";

/** Marks a follow-up of the family as done or open again, or deletes it. Refusal: notFound, also when it is so already. */
export async function changeFollowUp(
  person: Person,
  { family, followUp, change }: { family: string | undefined; followUp: string | undefined; change: FollowUpChange },
): Promise<Outcome<null>> {
  const [userId, id] = [parseId(family), parseId(followUp)];
  const missing = refused("notFound", "There is no such follow-up.");
  if (!person.isAdmin || userId === null || id === null) return missing;
  return inTransaction(async (transaction) => {
    const { count } = await applyChange(transaction, { id, userId }, change);
    if (count === 0) return missing;
    if (change === "deleted") await dropMailsOfDeletedFollowUps(transaction, userId);
    recordAuditInTransaction(transaction, { action: `follow-up-${change}`, familyId: userId, objectId: id });
    return accepted(null);
  });
}

function applyChange({ followUp }: Transaction, row: { id: number; userId: number }, change: FollowUpChange) {
  if (change === "deleted") return followUp.deleteMany({ where: row });
  return change === "done"
    ? followUp.updateMany({ where: { ...row, doneAt: null }, data: { doneAt: now() } })
    : followUp.updateMany({ where: { ...row, doneAt: { not: null } }, data: { doneAt: null } });
}

function requireAdministrator({ isAdmin }: Person): void {
  if (!isAdmin) throw new Error("Only the administrator sees everybody's follow-ups.");
}
