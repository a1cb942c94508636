import { now } from "../../clock.ts";
import { db, type Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";

/**
 * Checks whether an address is unavailable for a new account or a change of address. An address that another account
 * gave up within the last week is also unavailable, because that account can still restore it. `userId` is the account
 * that asks, if any: it may use any of its own earlier addresses.
 */
export async function isEmailTaken(
  email: string,
  { userId = null, reader = db }: { userId?: number | null; reader?: Transaction | typeof db } = {},
): Promise<boolean> {
  if ((await reader.user.findUnique({ where: { email }, select: { id: true } })) !== null) return true;
  const isFormerAddress = async (where: { userId: number } | { undoUntil: { gt: Date } }) =>
    (await reader.emailChange.findFirst({ where: { oldEmail: email, ...where }, select: { id: true } })) !== null;
  if (userId !== null && (await isFormerAddress({ userId }))) return false;
  return email === env.adminEmail || isFormerAddress({ undoUntil: { gt: now() } });
}
