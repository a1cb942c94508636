import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { DAY_MS, HOUR_MS } from "../../time-units.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const CONFIRMATION_LINK_LIFETIME_MS = 7 * DAY_MS;
const CHANGE_LINK_LIFETIME_MS = HOUR_MS;

/**
 * Creates the only valid link that confirms an account's own address. It works once, for seven days, and invalidates
 * earlier ones. With `isChange`, creates the only valid link to the account's new address, for one hour: it invalidates
 * every earlier link, and is not invalidated by links that confirm the account's own address, because those are issued
 * without asking for the password.
 */
export async function createConfirmationLink(
  transaction: Transaction,
  userId: number,
  email: string,
  { isChange = false }: { isChange?: boolean } = {},
) {
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + (isChange ? CHANGE_LINK_LIFETIME_MS : CONFIRMATION_LINK_LIFETIME_MS));
  await transaction.emailConfirmation.deleteMany({ where: isChange ? { userId } : { userId, isChange } });
  await transaction.emailConfirmation.create({
    data: { tokenHash: hashSecretToken(token), userId, email, isChange, expiresAt, createdAt: now() },
  });
  return { secretPath: `/confirm-email/${token}`, expiresAt };
}
