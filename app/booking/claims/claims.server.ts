import { recordAuditInTransaction } from "../../audit/record.server.ts";
import { DAY_MS } from "../../duration.ts";
import { refusalUnlessAdmin } from "../../accounts/authorization.server.ts";
import { createRateLimitedLinkLookup, type LinkSource } from "../../accounts/links/link-rate-limit.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/client.server.ts";
import { env } from "../../env.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../../http/outcome.ts";
import { claimPath } from "../paths.ts";
import { findAppointment } from "../appointments.server.ts";
import { notifyBooked } from "../messages/visit-notifications.server.ts";
import { rollbackIf, tryTransaction } from "../rollback.server.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const LINK_DAYS = 7;

const linkInvalid = refused("notFound", "This link was used already, or it is too old. Please call us for a new one.");
const lookUpLink = createRateLimitedLinkLookup("claim-link", linkInvalid);

/**
 * The expiry (UTC) of the current claim link of an appointment without an account; null when there is none. For the
 * administrator. Refusals: forbidden, notFound, conflict (it belongs to an account, or is cancelled).
 */
export async function findClaimLink(person: Person, id: number | null): Promise<Outcome<{ linkEndsAt: Date | null }>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  if (found.value.userId !== null || found.value.status === "cancelled") return notClaimableRefusal();
  const where = { appointmentId: found.value.id, expiresAt: { gt: now() } };
  const link = await db.appointmentClaim.findFirst({ where, select: { expiresAt: true } });
  return accepted({ linkEndsAt: link?.expiresAt ?? null });
}

/**
 * Creates the single claim link of an appointment without an account, for the administrator. It can be used once within
 * seven days and replaces an earlier one. Only its hash is stored. Refusals: forbidden, notFound, conflict (it belongs
 * to an account, or is cancelled). Source: docs/decisions/0014.
 */
export async function createClaimLink(
  person: Person,
  id: number | null,
): Promise<Outcome<{ url: string; expiresAt: Date }>> {
  const denied = refusalUnlessAdmin(person);
  if (denied) return denied;
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointmentId = found.value.id;
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + LINK_DAYS * DAY_MS);
  const link = { tokenHash: hashSecretToken(token), expiresAt };
  const isCreated = await inTransaction((transaction) => insertClaim(transaction, appointmentId, link));
  return isCreated ? accepted({ url: `${env.origin}${claimPath(token)}`, expiresAt }) : notClaimableRefusal();
}

/** Makes a link the single claim link of an appointment. False when that belongs to an account, or is cancelled. */
export async function insertClaim(
  transaction: Transaction,
  appointmentId: number,
  link: { tokenHash: string; expiresAt: Date },
): Promise<boolean> {
  const createdAt = now();
  // Locks are taken in one order everywhere: the appointment first.
  const { count } = await transaction.appointment.updateMany({
    where: { id: appointmentId, userId: null, status: { not: "cancelled" } },
    data: { updatedAt: createdAt },
  });
  if (count === 0) return false;
  await transaction.appointmentClaim.deleteMany({ where: { appointmentId } });
  await transaction.appointmentClaim.create({ data: { appointmentId, ...link, createdAt } });
  recordAuditInTransaction(transaction, { action: "claim-link-made", objectId: appointmentId });
  return true;
}

/**
 * Checks a claim link without revealing its appointment. Refusals: notFound, tooMany (20 wrong tokens in 15 minutes
 * of one `source`).
 */
export async function checkClaimLink(token: string, source: LinkSource): Promise<Outcome<null>> {
  const link = await lookUpLink(source, () => findClaim(token));
  return link.ok ? accepted(null) : link;
}

/**
 * Moves the appointment behind a claim link, with its payments and consultation request, to the person's account and
 * deletes the link. Refusals: forbidden (administrator), tooMany, notFound (unknown, used or expired alike).
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
  const used = await tryTransaction((transaction) => redeemClaim(transaction, tokenHash, person.id));
  if (!used.ok) return used;
  return used.value ? accepted(used.value) : linkInvalid;
}

/**
 * Uses up a claim link for the account `userId`. Null when the link is unknown, or its appointment is no longer to be
 * claimed; rolls back when another request has used or replaced it meanwhile.
 */
export async function redeemClaim(transaction: Transaction, tokenHash: string, userId: number) {
  const claim = await transaction.appointmentClaim.findUnique({ where: { tokenHash } });
  if (!claim || claim.expiresAt <= now()) return null;
  const { appointmentId: id } = claim;
  const [appointment] = await transaction.appointment.updateManyAndReturn({
    where: { id, userId: null, status: { not: "cancelled" } },
    data: { userId },
    select: { title: true, appointmentDate: true, consultationRequestId: true },
  });
  const { count } = await transaction.appointmentClaim.deleteMany({ where: { tokenHash } });
  rollbackIf(count === 0 ? linkInvalid : null);
  if (!appointment) return null;
  // The same link may have been an invitation. Without a visit it still makes the account.
  await transaction.invitation.deleteMany({ where: { tokenHash } });
  const { consultationRequestId, ...visit } = appointment;
  const own = { userId };
  await transaction.payment.updateMany({ where: { appointmentId: id, userId: null }, data: own });
  await transaction.consultationRequest.updateMany({
    where: { id: consultationRequestId ?? 0, userId: null },
    data: own,
  });
  await notifyBooked(transaction, id, "practice");
  recordAuditInTransaction(transaction, {
    action: "appointment-claimed",
    actorId: userId,
    familyId: userId,
    objectId: id,
  });
  return visit;
}

/**
 * Gives a family the appointments that were scheduled from its requests, with their payments. One with a claim link
 * waits for that link, which may have been given to somebody else.
 */
export async function assignRequestedVisits(transaction: Transaction, requestIds: number[], userId: number) {
  const visits = await transaction.appointment.updateManyAndReturn({
    where: { consultationRequestId: { in: requestIds }, userId: null, claim: null, status: { not: "cancelled" } },
    data: { userId },
    select: { id: true },
  });
  const where = { appointmentId: { in: visits.map(({ id }) => id) }, userId: null };
  await transaction.payment.updateMany({ where, data: { userId } });
  for (const { id } of visits) {
    await notifyBooked(transaction, id, "practice");
    recordAuditInTransaction(transaction, {
      action: "appointment-claimed",
      actorId: userId,
      familyId: userId,
      objectId: id,
    });
  }
}

/** The claim that a link can be used for now: the visit has no account and is not cancelled. */
export function findClaim(token: string) {
  const appointment = { userId: null, status: { not: "cancelled" } };
  const where = { tokenHash: hashSecretToken(token), expiresAt: { gt: now() }, appointment };
  return db.appointmentClaim.findFirst({ where, select: { appointmentId: true } });
}

function notClaimableRefusal(): Refusal {
  return refused("conflict", "This visit belongs to an account already, or is canceled.");
}
