import { refusalUnlessAdmin } from "../accounts/account-access.server.ts";
import type { Person } from "../accounts/person.ts";
import { recordAudit, recordAccess } from "../audit/record.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";
import { LIST_COLUMNS, toRow } from "./cases-list.server.ts";
import type { CaseKind } from "./case-kinds.ts";
import { dueDateOf } from "./due-dates.ts";
import type { CaseFields, LegalRequestFields } from "./schemas.ts";

const noSuchCase = refused("notFound", "There is no such request.");

/** Enters a request that came by phone or letter, or an incident, for the administrator. Refusal: forbidden. */
export async function addCase(person: Person, { kind, name, receivedDay, text }: CaseFields): Promise<Outcome<number>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  const dueDay = dueDateOf(kind, receivedDay);
  return inTransaction(async (transaction) => {
    const row = { kind, name: name ?? null, email: null, phone: null, text, receivedDay, dueDay, userId: null };
    const id = await insertCase(transaction, row);
    recordCaseAudit(transaction, kind === "incident" ? "incident-added" : "legal-request-added", { id, userId: null });
    return accepted(id);
  });
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
    recordCaseAudit(transaction, row.kind === "incident" ? "incident-closed" : "legal-request-answered", row);
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
  network?: string;
  wideNetwork?: string;
};

/** Inserts a case in the transaction of what it tells about; returns its id. */
export async function insertCase(transaction: Transaction, row: NewCase): Promise<number> {
  const { id } = await transaction.complianceCase.create({ data: { ...row, createdAt: now() }, select: { id: true } });
  return id;
}

export function recordCaseAudit(
  transaction: Transaction,
  action: "legal-request-added" | "legal-request-answered" | "incident-added" | "incident-closed",
  { id, userId }: { id: number; userId: number | null },
  actorId?: number | null,
): void {
  recordAudit(transaction, { action, familyId: userId, objectId: id, ...(actorId === undefined ? {} : { actorId }) });
}
