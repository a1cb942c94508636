import { lockAccountRow } from "../accounts/lock-account-row.server.ts";
import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import { findClientIdByConfirmedEmail } from "../accounts/email/store-confirmed-email.server.ts";
import { findFamilyChoicesWithAudit } from "../accounts/family-names.server.ts";
import { fullName, type Person } from "../accounts/person.ts";
import { recordAuditInTransaction, recordAuditNow } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction, type Transaction } from "../db/database-client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { accepted, invalidField, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { CASE_LIST_SELECT, toCaseRow } from "./compliance-case-list.server.ts";
import { type CaseKind, OUTCOME_LABELS, outcomesForKind, type StoredOutcome } from "./case-kinds.ts";
import { calculateDueDay } from "./case-due-dates.ts";
import type { CaseValues, CloseCaseValues, ComplianceRequestValues } from "./legal-request-schemas.ts";

const caseNotFoundRefusal = refused("notFound", "There is no such request.");

/**
 * Stores a request that came by phone or mail, or an incident, for the administrator. `userId` is the family that it is
 * about. Returns the case's id. Refusals: forbidden, invalid (no such family).
 */
export async function addCase(person: Person, fields: CaseValues): Promise<Outcome<number>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const { kind, name = null, receivedDay, text, userId = null } = fields;
  const dueDay = calculateDueDay(kind, receivedDay);
  return inTransaction(async (transaction) => {
    const familyRefusal = await lockFamilyOrRefuse(transaction, userId);
    if (familyRefusal) return familyRefusal;
    const row = { kind, name, email: null, phone: null, text, receivedDay, dueDay, userId };
    const id = await insertCase(transaction, row);
    recordComplianceCaseAudit(transaction, kind === "incident" ? "incident-added" : "legal-request-added", {
      id,
      userId,
    });
    return accepted(id);
  });
}

/**
 * Returns one case with its texts, for the administrator. For an open case without a family, also returns the families
 * to choose from. Records that the case was read. Refusal: notFound, also for anyone else.
 */
export async function findCaseWithAudit(person: Person, idParam: string | undefined) {
  const id = parseId(idParam);
  const row = person.isAdmin && id !== null ? await findCase(id) : null;
  if (!row) return caseNotFoundRefusal;
  const action = row.kind === "incident" ? "incident-opened" : "legal-request-opened";
  await recordAuditNow({ action, familyId: row.userId, objectId: row.id });
  const { email, phone, text, resolution, user, createdAt } = row;
  const isUnassigned = row.userId === null && row.closedAt === null;
  // Only a suggestion: the consultant chooses, because anyone can enter another person's address.
  const suggestedId = isUnassigned && email !== null ? await findClientIdByConfirmedEmail(email, createdAt) : null;
  return accepted({
    ...toCaseRow(row),
    email,
    phone,
    text,
    resolution,
    familyName: user && fullName(user),
    outcome: row.outcome && OUTCOME_LABELS[row.outcome as StoredOutcome],
    suggestedId,
    families: isUnassigned ? await findFamilyChoicesWithAudit(suggestedId) : [],
  });
}

function findCase(id: number) {
  return db.complianceCase.findUnique({
    where: { id },
    select: {
      ...CASE_LIST_SELECT,
      email: true,
      phone: true,
      text: true,
      outcome: true,
      resolution: true,
      createdAt: true,
      user: { select: { firstName: true, lastName: true } },
    },
  });
}

/**
 * Closes a case with its outcome and what was done. A case without a family can be assigned to one. Refusals:
 * forbidden, notFound, invalid (an outcome of another kind, no such family), conflict (already closed).
 */
export async function closeCase(
  person: Person,
  idParam: string | undefined,
  { outcome, resolution, userId: chosenUserId }: CloseCaseValues,
): Promise<Outcome<null>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  const id = parseId(idParam);
  if (notAdminRefusal) return notAdminRefusal;
  const row =
    id === null
      ? null
      : await db.complianceCase.findUnique({ where: { id }, select: { id: true, kind: true, userId: true } });
  if (!row) return caseNotFoundRefusal;
  if (!outcomesForKind(row.kind as CaseKind).includes(outcome)) return invalidField("outcome", "Choose how it ended.");
  return inTransaction(async (transaction) => {
    const userId = row.userId ?? chosenUserId ?? null;
    const familyRefusal = row.userId === null ? await lockFamilyOrRefuse(transaction, userId) : null;
    if (familyRefusal) return familyRefusal;
    const where = { id: row.id, closedAt: null, userId: row.userId };
    const data = { closedAt: now(), outcome, resolution, userId };
    const { count } = await transaction.complianceCase.updateMany({ where, data });
    if (count === 0) return refused("conflict", "This is already closed.");
    const action = row.kind === "incident" ? "incident-closed" : "legal-request-answered";
    recordComplianceCaseAudit(transaction, action, { id: row.id, userId });
    return accepted(null);
  });
}

/** Locks the family to assign to a case, if any, so that it is not erased concurrently. */
async function lockFamilyOrRefuse(transaction: Transaction, userId: number | null): Promise<Refusal | null> {
  if (userId === null || (await lockAccountRow(transaction, userId, { isFamily: true }))) return null;
  return invalidField("userId", "There is no such family. Choose another, or none.");
}

type NewCase = Omit<ComplianceRequestValues, "kind" | "name" | "email" | "phone"> & {
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

/** Inserts a case in the transaction of the event that it records. Returns its id. */
export async function insertCase(transaction: Transaction, row: NewCase): Promise<number> {
  const { id } = await transaction.complianceCase.create({ data: { ...row, createdAt: now() }, select: { id: true } });
  return id;
}

type CaseAction =
  | "legal-request-added"
  | "legal-request-answered"
  | "legal-request-expired"
  | "incident-added"
  | "incident-closed"
  | "incident-expired";

export function recordComplianceCaseAudit(
  transaction: Transaction,
  action: CaseAction,
  { id, userId }: { id: number; userId: number | null },
  actorId?: number | null,
): void {
  recordAuditInTransaction(transaction, {
    action,
    familyId: userId,
    objectId: id,
    ...(actorId === undefined ? {} : { actorId }),
  });
}
