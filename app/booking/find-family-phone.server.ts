import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";

/**
 * Returns a family's phone number for the administrator: that of its account, otherwise that of its intake form.
 * Returns null for anyone else.
 */
export async function findFamilyPhone({ isAdmin }: Person, userId: number | null): Promise<string | null> {
  if (!isAdmin || userId === null) return null;
  const select = { phone: true, intakeForm: { select: { phoneNumber: true } } } as const;
  const account = await db.user.findUnique({ where: { id: userId }, select });
  return account?.phone ?? account?.intakeForm?.phoneNumber ?? null;
}
