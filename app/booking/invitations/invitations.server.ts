import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import { isEmailTaken } from "../../accounts/email/email-availability.server.ts";
import type { Person } from "../../accounts/person.ts";
import type { InvitationValues } from "../../accounts/account-schemas.ts";
import { recordListRead } from "../../audit/record-list-reads.server.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { DAY_MS, DAY_SECONDS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { accepted, invalidField, type Outcome, refused } from "../../http/outcome.ts";
import { createRateLimiter } from "../../http/rate-limit.server.ts";
import { invitationContent } from "../../mail/messages/account-messages.ts";
import { filterFailedMessageKeys } from "../../mail/undelivered-mail.server.ts";
import { messageKey } from "../../mail/message-key.server.ts";
import { dropMailToAddress, enqueueMessage } from "../../mail/outbox.server.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";
import { findAppointment, findAppointmentWithAudit } from "../find-appointment.server.ts";
import { replaceClaimLink } from "../claims/claims.server.ts";
import { invitationPath } from "../appointment-paths.ts";
import { RollbackError, rollbackIf, tryTransaction } from "../rollback.server.ts";

/** Days for which an invitation link is valid. Source: docs/product.md, Limits. */
const LINK_LIFETIME_DAYS = 14;
const MAX_OPEN_COUNT = 100;
const dailyLimiter = createRateLimiter("invitation", 30, DAY_SECONDS);
const dailyEmailLimiter = createRateLimiter("invitation-address", 3, DAY_SECONDS);

const notClaimableRefusal = refused("conflict", "This visit already belongs to an account, or is canceled.");
const unknownInvitationRefusal = refused("notFound", "This invitation is no longer open.");
const tooManyOpenInvitationsRefusal = refused(
  "conflict",
  `${MAX_OPEN_COUNT} invitations are open. Withdraw one that is no longer needed first.`,
);
const ownEmailRefusal = invalidField("email", "This is the consultant's own address.");
const accountExistsRefusal = invalidField(
  "email",
  "A family already has an account with this address. For a visit, give them the link for the family instead.",
);

/** `url` is set only if email is not configured: the consultant then gives the link to the family. Instants are UTC. */
type SentInvitation = { email: string; url: string | null; expiresAt: Date };

/**
 * Invites a family by email to create its account within 14 days. A new invitation replaces the previous one. With
 * `appointmentId`, that visit, which has no account yet, is assigned to the new account, and the link replaces its
 * claim link. Only the link's hash is stored. Refusals: forbidden; notFound, conflict (the visit; 100 invitations are
 * open); invalid (the address has an account); tooMany (30 a day, 3 a day to one address).
 */
export function inviteFamily(person: Person, fields: InvitationValues): Promise<Outcome<SentInvitation>> {
  return sendInvitation(person, fields, null);
}

/** Sends an invitation. With `resentId`, replaces that invitation, which must still exist. */
async function sendInvitation(
  person: Person,
  fields: InvitationValues,
  resentId: number | null,
): Promise<Outcome<SentInvitation>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const { email, firstName, lastName } = fields;
  if (await isEmailTaken(email)) return email === env.adminEmail ? ownEmailRefusal : accountExistsRefusal;
  const visit = fields.appointmentId == null ? null : await findAppointment(person, fields.appointmentId);
  if (visit && !visit.ok) return visit;
  const rateLimitRefusal = (await dailyEmailLimiter.consume(email)) ?? (await dailyLimiter.consume("all"));
  if (rateLimitRefusal) return rateLimitRefusal;
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_DAYS * DAY_MS);
  const isMailed = mailMode !== "none";
  const appointmentId = visit?.value.id ?? null;
  const link = { tokenHash: hashSecretToken(token), expiresAt };
  const stored = await tryTransaction(async (transaction) => {
    const isClaimable = appointmentId === null || (await replaceClaimLink(transaction, appointmentId, link));
    rollbackIf(isClaimable ? null : notClaimableRefusal);
    await upsertInvitation(transaction, { email, firstName, lastName, appointmentId, isMailed, ...link }, resentId);
    if (isMailed) await mailInvitation(transaction, { email, token, expiresAt, appointmentId });
  });
  if (!stored.ok) return stored;
  return accepted({ email, url: isMailed ? null : `${env.origin}${invitationPath(token)}`, expiresAt });
}

type Row = Omit<Awaited<ReturnType<typeof db.invitation.findFirstOrThrow>>, "id" | "createdAt">;

/** Stores the single invitation of an address and of a visit. */
async function upsertInvitation(
  transaction: Transaction,
  { email, ...row }: Row,
  resentId: number | null,
): Promise<void> {
  const { appointmentId, tokenHash } = row;
  const earlier = await transaction.invitation.findUnique({ where: { email } });
  const openCount = await transaction.invitation.count({ where: { email: { not: email }, expiresAt: { gt: now() } } });
  rollbackIf(openCount >= MAX_OPEN_COUNT ? tooManyOpenInvitationsRefusal : null);
  // All code locks claims before invitations.
  if (earlier) await transaction.appointmentClaim.deleteMany({ where: { tokenHash: earlier.tokenHash } });
  const locked = await lockOrCreateInvitation(transaction, { email, ...row }, resentId);
  if (locked.tokenHash !== tokenHash)
    await transaction.appointmentClaim.deleteMany({ where: { tokenHash: locked.tokenHash } });
  const otherInvitations = await transaction.invitation.updateManyAndReturn({
    where: { appointmentId: appointmentId ?? 0, email: { not: email } },
    data: { appointmentId: null },
    select: { email: true },
  });
  // Unsent email to other addresses may reach the wrong person after a typo, and it promises them the visit.
  for (const address of [email, ...otherInvitations.map((other) => other.email)])
    await dropMailToAddress(transaction, address, "invitation");
  const { id } = locked;
  await transaction.invitation.update({ where: { id }, data: { ...row, createdAt: now() }, select: { id: true } });
  recordAuditInTransaction(transaction, { action: "invitation-sent", objectId: id });
}

/**
 * Locks the invitation of an address, creating it if there is none. With `resentId`, that invitation must still exist.
 * Of concurrent invitations, each sees the link and the email message of the previous one, and ends them.
 */
async function lockOrCreateInvitation(transaction: Transaction, { email, ...row }: Row, resentId: number | null) {
  const select = { id: true, tokenHash: true } as const;
  if (resentId === null) {
    const create = { email, ...row, createdAt: now() };
    return transaction.invitation.upsert({ where: { email }, create, update: { email }, select });
  }
  const [locked] = await transaction.invitation.updateManyAndReturn({
    where: { id: resentId, email },
    data: { email },
    select,
  });
  if (!locked) throw new RollbackError(unknownInvitationRefusal);
  return locked;
}

/** Returns the subject (`subjectKey`) of the email message for the invitation with this link. */
function invitationSubjectKey(tokenHash: string): string {
  return `link ${tokenHash}`;
}

/** Returns the ids of the open invitations that these email messages were about, keyed by `subjectKey`. */
export async function findOpenInvitationIdsBySubject(subjectKeys: readonly string[]): Promise<Map<string, number>> {
  if (subjectKeys.length === 0) return new Map();
  const tokenHashes = subjectKeys.map((subjectKey) => subjectKey.replace("link ", ""));
  const where = { tokenHash: { in: tokenHashes }, expiresAt: { gt: now() } };
  const rows = await db.invitation.findMany({ where, take: MAX_OPEN_COUNT, select: { id: true, tokenHash: true } });
  return new Map(rows.map(({ id, tokenHash }) => [invitationSubjectKey(tokenHash), id]));
}

type InvitationMail = { email: string; token: string; expiresAt: Date; appointmentId: number | null };

async function mailInvitation(transaction: Transaction, mail: InvitationMail): Promise<void> {
  const { email, token, expiresAt, appointmentId } = mail;
  const facts = { hasVisit: appointmentId !== null, until: formatPracticeDateTime(expiresAt) };
  const recipient = { userId: null, address: email };
  await enqueueMessage(transaction, recipient, {
    event: "invitation",
    subjectKey: invitationSubjectKey(hashSecretToken(token)),
    content: invitationContent(env.practice.name, facts),
    ...(appointmentId !== null && { appointmentId }),
    secretPath: invitationPath(token),
    expiresAt,
  });
}

/**
 * Sends an open invitation again with a new link, which ends the previous one. Drops the visit if it was canceled or
 * already has an account. Refusals: those of `inviteFamily`, and notFound.
 */
export async function resendInvitation(person: Person, id: number): Promise<Outcome<SentInvitation>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const row = await db.invitation.findFirst({
    where: { id, expiresAt: { gt: now() } },
    include: { appointment: { select: { userId: true, status: true } } },
  });
  if (!row) return unknownInvitationRefusal;
  const { email, firstName, lastName, appointment } = row;
  const isClaimable = appointment?.userId === null && !isCanceled(appointment);
  const appointmentId = isClaimable ? (row.appointmentId ?? undefined) : undefined;
  return sendInvitation(person, { email, firstName, lastName, appointmentId }, id);
}

/** Ends an open invitation and the claim on its visit. Refusals: forbidden, notFound. */
export async function withdrawInvitation(person: Person, id: number): Promise<Outcome<{ email: string }>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  return inTransaction(async (transaction) => {
    const row = await transaction.invitation.findUnique({ where: { id } });
    if (!row) return unknownInvitationRefusal;
    await transaction.appointmentClaim.deleteMany({ where: { tokenHash: row.tokenHash } });
    // Another request may have sent it again with another link meanwhile.
    const data = { email: row.email };
    const select = { tokenHash: true };
    const [locked] = await transaction.invitation.updateManyAndReturn({ where: { id }, data, select });
    if (!locked) return unknownInvitationRefusal;
    await transaction.appointmentClaim.deleteMany({ where: { tokenHash: locked.tokenHash } });
    await transaction.invitation.deleteMany({ where: { id } });
    await dropMailToAddress(transaction, row.email, "invitation");
    recordAuditInTransaction(transaction, { action: "invitation-withdrawn", objectId: id });
    return accepted({ email: row.email });
  });
}

/** Returns the open invitations, newest first, for the administrator; throws for anyone else. Instants are UTC. */
export async function listOpenInvitationsWithAudit(person: Person) {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) throw new Error(notAdminRefusal.message);
  await recordListRead();
  const rows = await db.invitation.findMany({
    where: { expiresAt: { gt: now() } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_OPEN_COUNT,
    include: { appointment: { select: { appointmentDate: true, status: true } } },
  });
  const keyOf = ({ email, tokenHash }: { email: string; tokenHash: string }) =>
    messageKey("invitation", invitationSubjectKey(tokenHash), { userId: null, address: email });
  const undeliveredKeys = await filterFailedMessageKeys(rows.map(keyOf));
  return rows.map(({ id, firstName, lastName, email, tokenHash, createdAt, expiresAt, appointment }) => ({
    id,
    isUndelivered: undeliveredKeys.has(keyOf({ email, tokenHash })),
    name: `${firstName} ${lastName}`,
    email,
    sentAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    visitAt: appointment && !isCanceled(appointment) ? appointment.appointmentDate.toISOString() : null,
    isVisitCancelled: appointment !== null && isCanceled(appointment),
  }));
}

/**
 * Returns whom to invite to a visit without an account: the sender of the request it was scheduled from, otherwise
 * null. Records that the visit was opened. Refusals: forbidden, notFound, conflict (it belongs to an account or is
 * canceled).
 */
export async function findInviteeWithAudit(person: Person, id: number | null) {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointmentWithAudit(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, userId, status, appointmentDate, consultationRequestId } = found.value;
  if (userId !== null || status === "cancelled") return notClaimableRefusal;
  const invitee = await db.consultationRequest.findUnique({
    where: { id: consultationRequestId ?? 0 },
    select: { firstName: true, lastName: true, email: true },
  });
  return accepted({ appointmentId, visitAt: appointmentDate.toISOString(), invitee });
}

function isCanceled({ status }: { status: string }): boolean {
  return status === "cancelled";
}
