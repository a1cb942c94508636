import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { refusalUnlessAdmin } from "../accounts/account-access.server.ts";
import { notifyConsultant } from "../accounts/email/notify.server.ts";
import type { Person } from "../accounts/person.ts";
import { recordAudit, recordAccess } from "../audit/record.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";
import { HOUR_SECONDS } from "../duration.ts";
import { env } from "../env.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { networkLimit } from "../http/rate-limit.server.ts";
import { newLegalRequestContent } from "../mail/messages/legal-request-messages.ts";
import { caseTone, daysLeft, dueDayOf, timeLeft } from "./due-days.ts";
import { type CaseKind, KIND_LABELS } from "./case-kinds.ts";
import type { CaseFields, LegalRequestFields } from "./schemas.ts";
import { practiceToday } from "../booking/practice-today.server.ts";

const MAX_CLOSED = 100;
const MAX_OPEN = 200;

/** Open requests of visitors without an account; a family's own are not counted. */
const MAX_OPEN_OF_VISITORS = 100;

/** What a family asked while it was signed in, and incidents: nobody fills the list with those. */
const NOT_OF_VISITORS = { closedAt: null, OR: [{ userId: { not: null } }, { kind: "incident" }] };
const OF_VISITORS = { closedAt: null, userId: null, kind: { not: "incident" } };
const BY_DAY_DUE: Prisma.ComplianceCaseOrderByWithRelationInput[] = [{ dueDay: "asc" }, { id: "asc" }];

const requestLimit = networkLimit("legal-request", 5, HOUR_SECONDS);

const LIST_COLUMNS = {
  id: true,
  kind: true,
  name: true,
  userId: true,
  receivedDay: true,
  dueDay: true,
  closedAt: true,
} as const;

const noSuchCase = refused("notFound", "There is no such request.");

type ListedRow = {
  id: number;
  kind: string;
  name: string | null;
  userId: number | null;
  receivedDay: string;
  dueDay: string;
  closedAt: Date | null;
};

/** A case in a list; days are those of the practice's zone ("2026-12-07"), `timeLeft` says in words how long it has. */
export type CaseRow = ReturnType<typeof toRow>;

/**
 * Stores what somebody sent by the form of the legal pages, and mails the consultant. It belongs to the account that is
 * signed in, if there is one. `ip` is the client's, for the limit of five an hour. Returns the day by which it is
 * answered. Refusal: tooMany, for a visitor also while 100 requests of visitors are open.
 */
export async function sendLegalRequest(
  person: Person | null,
  fields: LegalRequestFields,
  ip: string,
): Promise<Outcome<{ dueDay: string }>> {
  const tooMany = await requestLimit.consume(ip);
  if (tooMany) return tooMany;
  const receivedDay = practiceToday();
  const dueDay = dueDayOf(fields.kind, receivedDay);
  const userId = person && !person.isAdmin ? person.id : null;
  if (
    person === null &&
    env.rateLimits &&
    (await db.complianceCase.count({ where: OF_VISITORS })) >= MAX_OPEN_OF_VISITORS
  )
    return refused(
      "tooMany",
      `Many messages are waiting for an answer. Please call us at ${env.practice.phone} instead.`,
    );
  await inTransaction(async (transaction) => {
    const id = await insertCase(transaction, { ...fields, phone: fields.phone ?? null, receivedDay, dueDay, userId });
    await notifyConsultant(transaction, userId, () => ({
      event: "new-legal-request",
      about: `case ${id}`,
      content: newLegalRequestContent(id, KIND_LABELS[fields.kind], dueDay),
    }));
    recordCase(transaction, "legal-request-added", { id, userId }, person?.id ?? null);
  });
  return accepted({ dueDay });
}

/** Enters a request that came by phone or letter, or an incident, for the administrator. Refusal: forbidden. */
export async function addCase(person: Person, { kind, name, receivedDay, text }: CaseFields): Promise<Outcome<number>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  const dueDay = dueDayOf(kind, receivedDay);
  return inTransaction(async (transaction) => {
    const row = { kind, name: name ?? null, email: null, phone: null, text, receivedDay, dueDay, userId: null };
    const id = await insertCase(transaction, row);
    recordCase(transaction, kind === "incident" ? "incident-added" : "legal-request-added", { id, userId: null });
    return accepted(id);
  });
}

/**
 * Open cases, then the latest closed ones, for the administrator; throws for anyone else. Those of families and incidents
 * come before those of visitors, each by the day they are due.
 */
export async function listCases(person: Person): Promise<{ open: CaseRow[]; closed: CaseRow[] }> {
  requireAdministrator(person);
  const [own, visitors, closed] = await Promise.all([
    findOpen(NOT_OF_VISITORS, MAX_OPEN),
    findOpen(OF_VISITORS, MAX_OPEN),
    db.complianceCase.findMany({
      where: { closedAt: { not: null } },
      orderBy: { closedAt: "desc" },
      take: MAX_CLOSED,
      select: LIST_COLUMNS,
    }),
  ]);
  return { open: [...own, ...visitors].map(toRow), closed: closed.map(toRow) };
}

/**
 * The open cases that are due first, `take` rows, and the number of all, for the administrator. One row at least is for
 * visitors, the others for families and incidents as far as there are any.
 */
export async function pressingCases(person: Person, take: number): Promise<{ count: number; rows: CaseRow[] }> {
  requireAdministrator(person);
  const [own, visitors] = await Promise.all([findOpen(NOT_OF_VISITORS, take), findOpen(OF_VISITORS, take)]);
  const ofVisitors = visitors.slice(0, Math.max(take - own.length, 1));
  const rows = [...own.slice(0, take - ofVisitors.length), ...ofVisitors];
  const isComplete = own.length + visitors.length === rows.length && rows.length < take;
  const count = isComplete ? rows.length : await db.complianceCase.count({ where: { closedAt: null } });
  return { count, rows: rows.map(toRow) };
}

function findOpen(where: Prisma.ComplianceCaseWhereInput, take: number): Promise<ListedRow[]> {
  return db.complianceCase.findMany({ where, orderBy: BY_DAY_DUE, take, select: LIST_COLUMNS });
}

/** One case with its texts, for the administrator; records that it was read. Refusal: notFound, also for anyone else. */
export async function readCase(person: Person, idParam: string | undefined) {
  const id = parseId(idParam);
  const row =
    person.isAdmin && id !== null
      ? await db.complianceCase.findUnique({
          where: { id },
          select: { ...LIST_COLUMNS, email: true, phone: true, text: true, resolution: true },
        })
      : null;
  if (!row) return noSuchCase;
  const action = row.kind === "incident" ? "incident-opened" : "legal-request-opened";
  await recordAccess({ action, familyId: row.userId, objectId: row.id });
  const { email, phone, text, resolution } = row;
  return accepted({ ...toRow(row), email, phone, text, resolution });
}

/** Closes a case with what was done. Refusals: forbidden, notFound, conflict (closed already). */
export async function closeCase(
  person: Person,
  idParam: string | undefined,
  resolution: string,
): Promise<Outcome<null>> {
  const denied = refusalUnlessAdmin(person);
  const id = parseId(idParam);
  if (denied) return denied;
  const row =
    id === null
      ? null
      : await db.complianceCase.findUnique({ where: { id }, select: { id: true, kind: true, userId: true } });
  if (!row) return noSuchCase;
  return inTransaction(async (transaction) => {
    const where = { id: row.id, closedAt: null };
    const { count } = await transaction.complianceCase.updateMany({ where, data: { closedAt: now(), resolution } });
    if (count === 0) return refused("conflict", "This is closed already.");
    recordCase(transaction, row.kind === "incident" ? "incident-closed" : "legal-request-answered", row);
    return accepted(null);
  });
}

type NewCase = Omit<LegalRequestFields, "kind" | "name" | "email" | "phone"> & {
  kind: CaseKind;
  name: string | null;
  email: string | null;
  phone: string | null;
  receivedDay: string;
  dueDay: string;
  userId: number | null;
};

async function insertCase(transaction: Transaction, row: NewCase): Promise<number> {
  const { id } = await transaction.complianceCase.create({ data: { ...row, createdAt: now() }, select: { id: true } });
  return id;
}

function recordCase(
  transaction: Transaction,
  action: "legal-request-added" | "legal-request-answered" | "incident-added" | "incident-closed",
  { id, userId }: { id: number; userId: number | null },
  actorId?: number | null,
): void {
  recordAudit(transaction, { action, familyId: userId, objectId: id, ...(actorId === undefined ? {} : { actorId }) });
}

function toRow({ kind, closedAt, ...row }: ListedRow) {
  const known = kind as CaseKind;
  const left = daysLeft(row.dueDay, practiceToday());
  return {
    ...row,
    kind: known,
    label: KIND_LABELS[known],
    timeLeft: timeLeft(left),
    tone: caseTone(left),
    closedAt: closedAt?.toISOString() ?? null,
  };
}

function requireAdministrator({ isAdmin }: Person): void {
  if (!isAdmin) throw new Error("Only the administrator sees requests and incidents.");
}
