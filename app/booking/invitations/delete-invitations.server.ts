import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import type { Transaction } from "../../db/client.server.ts";

/** Deletes invitations, and the claims on visits that their links hold: otherwise such a visit waits for a link that is gone. */
export async function deleteInvitations(transaction: Transaction, where: Prisma.InvitationWhereInput): Promise<void> {
  const rows = await transaction.invitation.findMany({ where, select: { tokenHash: true } });
  // Claims are locked before invitations everywhere.
  await transaction.appointmentClaim.deleteMany({ where: { tokenHash: { in: rows.map((row) => row.tokenHash) } } });
  await transaction.invitation.deleteMany({ where });
}
