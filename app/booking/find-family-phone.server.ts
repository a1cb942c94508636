import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";

/** The number at which the administrator reaches a family: its account's, else its intake form's. Null for anyone else. */
export async function findFamilyPhone({ isAdmin }: Person, userId: number | null): Promise<string | null> {
  if (!isAdmin || userId === null) return null;
  const select = { phone: true, intakeForm: { select: { phoneNumber: true } } } as const;
  const account = await db.user.findUnique({ where: { id: userId }, select });
  return account?.phone ?? account?.intakeForm?.phoneNumber ?? null;
}
