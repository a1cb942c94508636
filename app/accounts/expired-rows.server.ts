import { DAY_MS } from "../time-units.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { DRAFT_RETENTION_DAYS } from "../practice/site-content.ts";
import { purgeExpiredSessions } from "./sessions/session-store.server.ts";

/** Number of days that requests and unpaid bookings are linked to a network (http/network-hash.server.ts). */
const NETWORK_RETENTION_DAYS = 30;

const NO_NETWORK = { network: null, wideNetwork: null };
/** The same as FINAL_STATUSES in app/booking/appointment-status.ts, which is in a higher layer. */
const FINAL_APPOINTMENT_STATUSES = ["cancelled", "completed", "no-show"];

/** Returns the instant before which drafts count as deleted, even if the cleanup has not run yet. */
export function draftCutoff(): Date {
  return new Date(now().getTime() - DRAFT_RETENTION_DAYS * DAY_MS);
}

/**
 * Deletes expired drafts, links, invitations, passkey challenges, appointment claims and sessions. Removes the networks
 * from old requests and compliance cases, and from bookings that are old, past, settled or concluded.
 */
export async function deleteExpiredRows(): Promise<void> {
  const networkCutoff = new Date(now().getTime() - NETWORK_RETENTION_DAYS * DAY_MS);

  await db.draft.deleteMany({ where: { updatedAt: { lt: draftCutoff() } } });
  await db.passwordReset.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.emailConfirmation.deleteMany({ where: { expiresAt: { lte: now() } } });
  // The earlier address is kept until the account is erased, because the erasure deletes what was sent from that
  // address.
  await db.emailChange.updateMany({ where: { undoUntil: { lte: now() } }, data: { undoTokenHash: null } });
  await db.usedPasskeyChallenge.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.appointmentClaim.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.invitation.deleteMany({ where: { expiresAt: { lte: now() } } });
  await db.consultationRequest.updateMany({
    where: { createdAt: { lt: networkCutoff }, network: { not: null } },
    data: NO_NETWORK,
  });
  await db.complianceCase.updateMany({
    where: { createdAt: { lt: networkCutoff }, network: { not: null } },
    data: NO_NETWORK,
  });
  await db.appointment.updateMany({
    where: {
      wideNetwork: { not: null },
      OR: [
        { updatedAt: { lt: networkCutoff } },
        { appointmentDate: { lte: now() } },
        { paymentStatus: { not: "pending" } },
        { status: { in: FINAL_APPOINTMENT_STATUSES } },
      ],
    },
    data: NO_NETWORK,
  });
  await purgeExpiredSessions();
}
