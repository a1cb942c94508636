import { recordAuditInTransaction } from "../audit/record-audit.server.ts";
import { inTransaction, type Transaction } from "../db/database-client.server.ts";
import { lockAccountRow } from "./lock-account-row.server.ts";
import { notifyAccountChanged } from "./email/account-notifications.server.ts";
import { familyIdOf, type Person } from "./person.ts";
import type { ProfileValues } from "./account-schemas.ts";

/**
 * Changes the signed-in person's own name and phone; removes the phone if it is left out. Notifies the person of a
 * changed phone by mail.
 */
export async function updateProfile(person: Person, { firstName, lastName, phone }: ProfileValues): Promise<void> {
  await inTransaction(async (transaction) => {
    const where = { id: person.id };
    await lockAccountRow(transaction, person.id);
    const previousUser = await transaction.user.findUniqueOrThrow({ where, select: { phone: true } });
    const data = { firstName, lastName, phone: phone ?? null };
    await transaction.user.update({ where, data, select: { id: true } });
    recordAuditInTransaction(transaction, {
      action: "profile-changed",
      familyId: familyIdOf(person),
      objectId: person.id,
    });
    if (previousUser.phone !== data.phone) await notifyAccountChanged(transaction, person.id, "phone-changed");
  });
}

/** Sets the phone number of a family's account that has none; does not change an existing number. */
export async function setPhoneIfMissing(transaction: Transaction, userId: number, phone: string): Promise<void> {
  const { count } = await transaction.user.updateMany({ where: { id: userId, phone: null }, data: { phone } });
  if (count > 0)
    recordAuditInTransaction(transaction, { action: "profile-changed", familyId: userId, objectId: userId });
}
