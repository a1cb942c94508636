import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { DAY_MS, HOUR_MS } from "../../duration.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const LINK_MS = 7 * DAY_MS;
const CHANGE_LINK_MS = HOUR_MS;

/**
 * Creates the one link that confirms an account's own address: it works once, for seven days, and ends any earlier one.
 * With `isChange`, the one link to the address that it is to have instead, for an hour: that ends every earlier link,
 * and is ended by none that confirms the account's own address, for which no password is asked.
 */
export async function createConfirmationLink(
  transaction: Transaction,
  userId: number,
  email: string,
  { isChange = false }: { isChange?: boolean } = {},
) {
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + (isChange ? CHANGE_LINK_MS : LINK_MS));
  await transaction.emailConfirmation.deleteMany({ where: isChange ? { userId } : { userId, isChange } });
  await transaction.emailConfirmation.create({
    data: { tokenHash: hashSecretToken(token), userId, email, isChange, expiresAt, createdAt: now() },
  });
  return { secretPath: `/confirm-email/${token}`, expiresAt };
}
