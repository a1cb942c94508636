import { createHash, randomBytes } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { rateLimit } from "../http/rate-limit.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { claimAddress } from "./paths.ts";
import { findAppointment } from "./appointments.server.ts";
import { rollbackIf, RollbackError } from "./rollback.ts";

const LINK_DAYS = 7;
const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;
const MAX_GUESSES = 20;
const GUESS_WINDOW_SECONDS = 15 * 60;

const guesses = rateLimit("claim-link", MAX_GUESSES, GUESS_WINDOW_SECONDS);

const gone = refused("notFound", "This link was used already, or it is too old. Please call us for a new one.");

/** What an appointment without an account says of its link: when the one that was made last ends, null without one. */
export async function claimLinkOf(person: Person, id: number | null): Promise<Outcome<{ linkEndsAt: Date | null }>> {
  if (!person.isAdmin) return refused("forbidden", "You don't have access to this.");
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  if (found.value.userId !== null || found.value.status === "cancelled") return notClaimable();
  const where = { appointmentId: found.value.id, expiresAt: { gt: now() } };
  const link = await db.appointmentClaim.findFirst({ where, select: { expiresAt: true } });
  return accepted({ linkEndsAt: link?.expiresAt ?? null });
}

/**
 * Makes the one link with which a family adds an appointment that belongs to no account to its own: good once and for
 * seven days, stored only as a hash, so it can be shown only now. An earlier link for it ends. Refusals: forbidden,
 * notFound, conflict (the appointment belongs to an account, or is cancelled).
 */
export async function makeClaimLink(
  person: Person,
  id: number | null,
): Promise<Outcome<{ url: string; expiresAt: Date }>> {
  if (!person.isAdmin) return refused("forbidden", "You don't have access to this.");
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const appointmentId = found.value.id;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + LINK_DAYS * DAY_MS);
  const link = { tokenHash: hashed(token), expiresAt, createdAt };
  const isMade = await inTransaction(async (transaction) => {
    // The appointment's row is locked first, as by everybody who changes it.
    const { count } = await transaction.appointment.updateMany({
      where: { id: appointmentId, userId: null, status: { not: "cancelled" } },
      data: { updatedAt: createdAt },
    });
    if (count === 0) return false;
    await transaction.appointmentClaim.deleteMany({ where: { appointmentId } });
    await transaction.appointmentClaim.create({ data: { appointmentId, ...link } });
    return true;
  });
  return isMade ? accepted({ url: `${env.origin}${claimAddress(token)}`, expiresAt }) : notClaimable();
}

/** Whether a link still works; nothing of its appointment. `address` is the visitor's, for the limit on guessing. */
export async function checkClaimLink(token: string, address: string): Promise<Outcome<null>> {
  const tooMany = await guesses.peek(address);
  if (tooMany) return tooMany;
  if (await findClaim(token)) return accepted(null);
  return (await guesses.consume(address)) ?? gone;
}

/**
 * Adds the appointment behind a link to the family's account, with what was paid for it and the request it came from,
 * and uses up the link. Links that are wrong, used or past their time get one and the same refusal (notFound).
 */
export async function claimAppointment(
  person: Person,
  token: string,
  address: string,
): Promise<Outcome<{ title: string; appointmentDate: Date }>> {
  if (person.isAdmin) return refused("forbidden", "This link is for the family. It can't be used here.");
  const link = await checkClaimLink(token, address);
  if (!link.ok) return link;
  const tokenHash = hashed(token);
  try {
    return await inTransaction(async (transaction) => {
      const claim = await transaction.appointmentClaim.findUnique({ where: { tokenHash } });
      if (!claim) return gone;
      const { appointmentId: id } = claim;
      const [appointment] = await transaction.appointment.updateManyAndReturn({
        where: { id, userId: null, status: { not: "cancelled" } },
        data: { userId: person.id },
        select: { title: true, appointmentDate: true, consultationRequestId: true },
      });
      // Used, or replaced by another link, while this one waited for the row.
      const { count } = await transaction.appointmentClaim.deleteMany({ where: { tokenHash } });
      rollbackIf(count === 0 ? gone : null);
      if (!appointment) return gone;
      const { consultationRequestId, ...visit } = appointment;
      const own = { userId: person.id };
      await transaction.payment.updateMany({ where: { appointmentId: id, userId: null }, data: own });
      await transaction.consultationRequest.updateMany({
        where: { id: consultationRequestId ?? 0, userId: null },
        data: own,
      });
      return accepted(visit);
    });
  } catch (error) {
    if (error instanceof RollbackError) return error.refusal;
    throw error;
  }
}

function findClaim(token: string) {
  const appointment = { userId: null, status: { not: "cancelled" } };
  const where = { tokenHash: hashed(token), expiresAt: { gt: now() }, appointment };
  return db.appointmentClaim.findFirst({ where, select: { appointmentId: true } });
}

function notClaimable(): Refusal {
  return refused("conflict", "This appointment belongs to an account already, or is cancelled.");
}

function hashed(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
