import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { DAY_MS } from "../../time-units.ts";
import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import { createRateLimitedLinkLookup, type LinkSource } from "../../accounts/links/rate-limited-link-lookup.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { claimPath } from "../appointment-paths.ts";
import { findAppointment } from "../find-appointment.server.ts";
import { notifyVisitBooked } from "../messages/visit-notifications.server.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const LINK_LIFETIME_DAYS = 7;

const UNCLAIMED_CONDITION = { userId: null, status: { not: "cancelled" } };

const invalidLinkRefusal = refused(
  "notFound",
  "This link was already used, or it is too old. Please call us for a new one.",
);
const findLinkWithRateLimit = createRateLimitedLinkLookup("claim-link", invalidLinkRefusal);

/**
 * Returns when the current claim link of an appointment without an account expires (UTC); null when there is none. For
 * the administrator. Refusals: forbidden, notFound, conflict (the appointment belongs to an account or is canceled).
 */
export async function findClaimLinkExpiry(
  person: Person,
  id: number | null,
): Promise<Outcome<{ linkEndsAt: Date | null }>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  if (found.value.userId !== null || found.value.status === "cancelled") return notClaimableRefusal();
  const where = { appointmentId: found.value.id, expiresAt: { gt: now() } };
  const link = await db.appointmentClaim.findFirst({ where, select: { expiresAt: true } });
  return accepted({ linkEndsAt: link?.expiresAt ?? null });
}

/**
 * Creates the single claim link of an appointment without an account, for the administrator. The link replaces an
 * earlier one and can be used once within seven days. Only its hash is stored. Refusals: forbidden, notFound, conflict
 * (the appointment belongs to an account or is canceled). Source: docs/decisions/0014.
 */
export async function createClaimLink(
  person: Person,
  id: number | null,
): Promise<Outcome<{ url: string; expiresAt: Date }>> {
  const notAdminRefusal = refusalUnlessAdmin(person);
  if (notAdminRefusal) return notAdminRefusal;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointmentId = found.value.id;
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + LINK_LIFETIME_DAYS * DAY_MS);
  const link = { tokenHash: hashSecretToken(token), expiresAt };
  const isCreated = await inTransaction(async (transaction) => {
    if (!(await replaceClaimLink(transaction, appointmentId, link))) return false;
    // The visit is for whoever has the new link, so an earlier invitation no longer says what becomes of it.
    await transaction.invitation.updateMany({ where: { appointmentId }, data: { appointmentId: null } });
    return true;
  });
  return isCreated ? accepted({ url: `${env.origin}${claimPath(token)}`, expiresAt }) : notClaimableRefusal();
}

/**
 * Stores a link as the single claim link of an appointment. Returns false if the appointment belongs to an account or
 * is canceled.
 */
export async function replaceClaimLink(
  transaction: Transaction,
  appointmentId: number,
  link: { tokenHash: string; expiresAt: Date },
): Promise<boolean> {
  if (!(await lockUnclaimedAppointment(transaction, appointmentId))) return false;
  await transaction.appointmentClaim.deleteMany({ where: { appointmentId } });
  await transaction.appointmentClaim.create({ data: { appointmentId, ...link, createdAt: now() } });
  recordAuditInTransaction(transaction, { action: "claim-link-made", objectId: appointmentId });
  return true;
}

/**
 * Checks a claim link without revealing its appointment. Refusals: notFound, tooMany (20 wrong tokens in 15 minutes
 * of one `source`).
 */
export async function checkClaimLink(token: string, source: LinkSource): Promise<Outcome<null>> {
  const link = await findLinkWithRateLimit(source, () => findClaim(token));
  return link.ok ? accepted(null) : link;
}

/**
 * Moves the appointment of a claim link, with its payments and consultation request, to the person's account and
 * deletes the link. Refusals: forbidden (administrator), tooMany, notFound (the same for unknown, used and expired
 * links).
 */
export async function claimAppointment(
  person: Person,
  token: string,
  source: LinkSource,
): Promise<Outcome<{ title: string; appointmentDate: Date }>> {
  if (person.isAdmin) return refused("forbidden", "This link is for the family. It can't be used here.");
  const link = await checkClaimLink(token, source);
  if (!link.ok) return link;
  const tokenHash = hashSecretToken(token);
  const visit = await inTransaction((transaction) => redeemClaim(transaction, tokenHash, person.id));
  return visit ? accepted(visit) : invalidLinkRefusal;
}

/**
 * Uses a claim link for the account `userId`. Returns null if the link is unknown or expired, if another request has
 * used or replaced it meanwhile, or if its appointment can no longer be claimed.
 */
export async function redeemClaim(transaction: Transaction, tokenHash: string, userId: number) {
  const claim = await transaction.appointmentClaim.findUnique({ where: { tokenHash } });
  if (!claim || claim.expiresAt <= now()) return null;
  const { appointmentId: id } = claim;
  await lockUnclaimedAppointment(transaction, id);
  const { count } = await transaction.appointmentClaim.deleteMany({ where: { tokenHash } });
  if (count === 0) return null;
  const [appointment] = await assignVisits(transaction, { id }, userId);
  if (!appointment) return null;
  // The same link may also be an invitation. An invitation without a visit can still be used to create the account.
  await transaction.invitation.deleteMany({ where: { tokenHash } });
  const { consultationRequestId, title, appointmentDate } = appointment;
  await transaction.consultationRequest.updateMany({
    where: { id: consultationRequestId ?? 0, userId: null },
    data: { userId },
  });
  return { title, appointmentDate };
}

/**
 * Assigns the appointments scheduled from a family's requests, with their payments, to its account. Skips appointments
 * with an open claim link, because the link may have been given to another person.
 */
export async function assignRequestedVisits(transaction: Transaction, requestIds: number[], userId: number) {
  const unclaimedCondition = { OR: [{ claim: null }, { claim: { expiresAt: { lte: now() } } }] };
  await assignVisits(transaction, { consultationRequestId: { in: requestIds }, ...unclaimedCondition }, userId);
}

/** Assigns those of the appointments that have no account and are not canceled to a family, with their payments. */
async function assignVisits(transaction: Transaction, condition: Prisma.AppointmentWhereInput, userId: number) {
  const visits = await transaction.appointment.updateManyAndReturn({
    where: { ...condition, ...UNCLAIMED_CONDITION },
    data: { userId },
    select: { id: true, title: true, appointmentDate: true, consultationRequestId: true },
  });
  const where = { appointmentId: { in: visits.map(({ id }) => id) }, userId: null };
  await transaction.payment.updateMany({ where, data: { userId } });
  for (const { id } of visits) {
    await notifyVisitBooked(transaction, id, "practice");
    recordAuditInTransaction(transaction, {
      action: "appointment-claimed",
      actorId: userId,
      familyId: userId,
      objectId: id,
    });
  }
  return visits;
}

/**
 * Locks an appointment if it has no account and is not canceled. All code takes these locks in the same order: first
 * the appointment, then its claim link, then an invitation.
 */
async function lockUnclaimedAppointment(transaction: Transaction, id: number): Promise<boolean> {
  const { count } = await transaction.appointment.updateMany({
    where: { id, ...UNCLAIMED_CONDITION },
    data: { updatedAt: now() },
  });
  return count > 0;
}

/** Returns the claim of a link that can currently be used: the visit has no account and is not canceled. */
export function findClaim(token: string) {
  const where = { tokenHash: hashSecretToken(token), expiresAt: { gt: now() }, appointment: UNCLAIMED_CONDITION };
  return db.appointmentClaim.findFirst({ where, select: { appointmentId: true } });
}

function notClaimableRefusal(): Refusal {
  return refused("conflict", "This visit already belongs to an account, or is canceled.");
}
