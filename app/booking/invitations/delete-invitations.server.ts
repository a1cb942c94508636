import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import type { Transaction } from "../../db/database-client.server.ts";

/**
 * Deletes invitations together with their links' claims on visits. Otherwise such a visit would keep an open claim for
 * a deleted link.
 */
export async function deleteInvitations(transaction: Transaction, where: Prisma.InvitationWhereInput): Promise<void> {
  const rows = await transaction.invitation.findMany({ where, select: { tokenHash: true } });
  // All code locks claims before invitations.
  await transaction.appointmentClaim.deleteMany({ where: { tokenHash: { in: rows.map((row) => row.tokenHash) } } });
  await transaction.invitation.deleteMany({ where });
}
