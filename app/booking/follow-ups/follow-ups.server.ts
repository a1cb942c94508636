import { assertAdministrator, familyNotFoundRefusal } from "../../accounts/authorization.server.ts";
import { type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import { recordAuditInTransaction, recordAuditNow } from "../../audit/record-audit.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import { fullName, type Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, runPreparedQuery, type Transaction } from "../../db/database-client.server.ts";
import { HOUR_MS } from "../../time-units.ts";
import { parseId } from "../../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { dropMailsOfDeletedFollowUps } from "./drop-follow-up-messages.server.ts";
import type { FOLLOW_UP_CHANGES } from "./follow-up-schema.ts";
import { practiceToday } from "../practice-today.server.ts";

/** Maximum number of follow-ups in one family's list. */
const MAX_LISTED_FOLLOW_UPS = 50;
const MAX_DASHBOARD_FOLLOW_UPS = 20;

/** `dueDay` is a day in the practice's time zone ("2026-12-07"). The family can see a shared follow-up. */
export type NewFollowUp = { text: string; dueDay: string; isShared: boolean };

export type FollowUpRow = Awaited<ReturnType<typeof listFollowUps>>[number];

/** How long a completed follow-up keeps its position in the list, where it can be reopened. */
const RECENTLY_DONE_MS = HOUR_MS;

/**
 * Lists the follow-ups of a family by due day, for the administrator; throws for anyone else. Follow-ups completed more
 * than an hour ago come last, most recent first.
 */
export async function listFollowUps(person: Person, userId: number) {
  assertAdministrator(person);
  const rows = await db.followUp.findMany({
    where: { userId },
    orderBy: [{ doneAt: { sort: "desc", nulls: "first" } }, { dueDay: "asc" }, { id: "asc" }],
    take: MAX_LISTED_FOLLOW_UPS,
    select: { id: true, text: true, dueDay: true, isShared: true, doneAt: true, isDoneByFamily: true },
  });
  const today = practiceToday();
  const recentlyDoneAfter = new Date(now().getTime() - RECENTLY_DONE_MS);
  const [first, last] = [rows.filter(isOpenOrRecentlyDone), rows.filter((row) => !isOpenOrRecentlyDone(row))];
  function isOpenOrRecentlyDone({ doneAt }: { doneAt: Date | null }) {
    return doneAt === null || doneAt > recentlyDoneAfter;
  }
  first.sort((a, b) => a.dueDay.localeCompare(b.dueDay) || a.id - b.id);
  return [...first, ...last].map(({ doneAt, ...row }) => ({
    ...row,
    isDone: doneAt !== null,
    isDue: row.dueDay <= today,
  }));
}

/**
 * Returns open follow-ups that are due, oldest first: at most `take` rows, and the total count. For the administrator.
 */
export async function listDueFollowUps(person: Person, take: number) {
  assertAdministrator(person);
  const where = dueFollowUpCondition();
  const rows = await db.followUp.findMany({
    where,
    orderBy: [{ dueDay: "asc" }, { id: "asc" }],
    take,
    select: { id: true, text: true, dueDay: true, user: { select: { id: true, firstName: true, lastName: true } } },
  });
  const count = rows.length < take ? rows.length : await db.followUp.count({ where });
  return { count, rows: rows.map(({ user, ...row }) => ({ ...row, userId: user.id, name: fullName(user) })) };
}

/** Returns the condition of an open follow-up that is due today or overdue, by the practice's calendar. */
export function dueFollowUpCondition() {
  return { doneAt: null, dueDay: { lte: practiceToday() } };
}

/** Returns SQL for the number of follow-ups on the family's dashboard. */
export function dashboardFollowUpCountSql(person: Person): Sql {
  return sql`SELECT CAST(count(*) AS INTEGER) FROM "follow_ups" WHERE ${dashboardFollowUpCondition(person)}`;
}

export type SharedFollowUp = { id: number; text: string; dueDay: string; isDone: boolean };

/** Returns the follow-ups on the family's dashboard, by due day. */
export async function listDashboardFollowUps(person: Person): Promise<SharedFollowUp[]> {
  const rows = await runPreparedQuery<{ id: number; text: string; dueDay: string; doneAt: Date | null }>(
    sql`SELECT "id", "text", "dueDay", "doneAt" FROM "follow_ups" WHERE ${dashboardFollowUpCondition(person)}
      ORDER BY "dueDay", "id" LIMIT ${MAX_DASHBOARD_FOLLOW_UPS}`,
    "FollowUp",
  );
  return rows.map(({ doneAt, ...row }) => ({ ...row, isDone: doneAt !== null }));
}

/** Selects the shared follow-ups that are open, and those that the family completed within the last hour. */
function dashboardFollowUpCondition({ id }: Person): Sql {
  const recentlyDoneAfter = new Date(now().getTime() - RECENTLY_DONE_MS);
  return sql`"userId" = ${id} AND "isShared"
    AND ("doneAt" IS NULL OR ("isDoneByFamily" AND "doneAt" > ${recentlyDoneAfter}))`;
}

/**
 * Adds follow-ups for the family `userId`, optionally for its visit `appointmentId`. The caller must check that both
 * exist and belong together. Returns the ids in the same order.
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

/** Marks those of these follow-ups that are due by today as reminded, because the family was just notified of them. */
export async function markDueFollowUpsReminded(transaction: Transaction, ids: readonly number[]): Promise<void> {
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

/**
 * Returns a follow-up with its text if it belongs to the family in the URL, otherwise null. Records that the person
 * opened the family's page.
 */
export async function findFollowUpWithAudit(person: Person, family: string | undefined, followUp: string | undefined) {
  const [userId, id] = [parseId(family), parseId(followUp)];
  if (!person.isAdmin || userId === null || id === null) return null;
  const found = await db.followUp.findFirst({ where: { id, userId }, select: { text: true } });
  if (found) await recordAuditNow({ action: "family-page-opened", familyId: userId, objectId: userId });
  return found;
}

export type FollowUpChange = (typeof FOLLOW_UP_CHANGES)[number] | "deleted";

/**
 * Marks a follow-up of the family as done or open, or deletes it. Refusal: notFound, also if it already has that state.
 */
export async function changeFollowUp(
  person: Person,
  { family, followUp, change }: { family: string | undefined; followUp: string | undefined; change: FollowUpChange },
): Promise<Outcome<null>> {
  const [userId, id] = [parseId(family), parseId(followUp)];
  if (!person.isAdmin || userId === null || id === null) return followUpNotFoundRefusal();
  return inTransaction(async (transaction) => {
    const { count } = await applyChange(transaction, { id, userId }, change);
    if (count === 0) return followUpNotFoundRefusal();
    if (change === "deleted") await dropMailsOfDeletedFollowUps(transaction, userId);
    recordAuditInTransaction(transaction, { action: `follow-up-${change}`, familyId: userId, objectId: id });
    return accepted(null);
  });
}

/**
 * Marks a shared follow-up of the person's own family as done, or opens one again that the family itself had marked.
 * Marking it a second time changes nothing. Refusals: notFound; conflict if the consultant has marked it as done.
 */
export async function changeFollowUpByFamily(
  person: Person,
  { followUp: id, intent }: { followUp: number; intent: (typeof FOLLOW_UP_CHANGES)[number] },
): Promise<Outcome<null>> {
  if (person.isAdmin) return followUpNotFoundRefusal();
  return inTransaction(async (transaction) => {
    const row = { id, userId: person.id, isShared: true };
    const { count } =
      intent === "done"
        ? await transaction.followUp.updateMany({
            where: { ...row, doneAt: null },
            data: { doneAt: now(), isDoneByFamily: true },
          })
        : await transaction.followUp.updateMany({ where: { ...row, isDoneByFamily: true }, data: REOPENED_DATA });
    if (count > 0) {
      recordAuditInTransaction(transaction, { action: `follow-up-${intent}`, familyId: person.id, objectId: id });
      return accepted(null);
    }
    const found = await transaction.followUp.findFirst({ where: row, select: { doneAt: true } });
    if (!found) return followUpNotFoundRefusal();
    const isUnchanged = (found.doneAt !== null) === (intent === "done");
    return isUnchanged ? accepted(null) : refused("conflict", "Your consultant has marked this as done.");
  });
}

const REOPENED_DATA = { doneAt: null, isDoneByFamily: false };

function followUpNotFoundRefusal() {
  return refused("notFound", "There is no such follow-up.");
}

function applyChange({ followUp }: Transaction, row: { id: number; userId: number }, change: FollowUpChange) {
  if (change === "deleted") return followUp.deleteMany({ where: row });
  return change === "done"
    ? followUp.updateMany({ where: { ...row, doneAt: null }, data: { doneAt: now() } })
    : followUp.updateMany({ where: { ...row, doneAt: { not: null } }, data: REOPENED_DATA });
}
