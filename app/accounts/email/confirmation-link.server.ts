import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { DAY_MS, HOUR_MS } from "../../duration.ts";
import { createSecretToken, hashSecretToken } from "../../secret-token.server.ts";

const LINK_MS = 7 * DAY_MS;
const CHANGE_LINK_MS = HOUR_MS;

/**
 * Creates the one confirmation link of an account: it works once. For its own address seven days; with `isChange`, for
 * the address that it is to have instead, an hour. Any earlier link of the account ends.
 */
export async function createConfirmationLink(
  transaction: Transaction,
  userId: number,
  email: string,
  { isChange = false }: { isChange?: boolean } = {},
) {
  const token = createSecretToken();
  const expiresAt = new Date(now().getTime() + (isChange ? CHANGE_LINK_MS : LINK_MS));
  await transaction.emailConfirmation.deleteMany({ where: { userId } });
  await transaction.emailConfirmation.create({
    data: { tokenHash: hashSecretToken(token), userId, email, isChange, expiresAt, createdAt: now() },
  });
  return { secretPath: `/confirm-email/${token}`, expiresAt };
}
