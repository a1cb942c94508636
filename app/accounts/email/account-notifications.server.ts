import { now } from "../../clock.ts";
import type { Transaction } from "../../db/client.server.ts";
import { HOUR_MS } from "../../duration.ts";
import * as ownMessages from "../../mail/messages/consultant-account-messages.ts";
import { newDeviceContent, passkeyAddedContent, passwordChangedContent } from "../../mail/messages/account-messages.ts";
import { revokeMailedLinks } from "../../mail/outbox.server.ts";
import { notifyAccount } from "./notify.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";
import { formatPracticeTime } from "../../practice/format-time.server.ts";

/**
 * Notifies a person that the password was changed, and revokes the mailed links that set a password. Once an hour while
 * the address is not confirmed, because it may be a stranger's.
 */
export async function notifyPasswordChanged(transaction: Transaction, userId: number): Promise<void> {
  await revokeMailedLinks(transaction, userId, "password-reset");
  await notifyAccount(transaction, userId, (account) => ({
    event: "password-changed",
    about: account.isConfirmed ? now().toISOString() : thisHour(),
    content: (account.isAdmin ? ownMessages.consultantPasswordChangedContent : passwordChangedContent)(
      account,
      formatPracticeTime(now()),
    ),
  }));
}

/**
 * Notifies a person of a sign-in on a device that this account has not signed in on before; once an hour while the
 * address is not confirmed, because it may be a stranger's.
 */
export async function notifyNewDevice(
  transaction: Transaction,
  userId: number,
  { sid, device }: { sid: string; device: string },
): Promise<void> {
  await notifyAccount(transaction, userId, (account) => ({
    event: "new-device",
    about: account.isConfirmed ? `session ${hashSecretToken(sid)}` : thisHour(),
    content: (account.isAdmin ? ownMessages.consultantNewDeviceContent : newDeviceContent)(
      account,
      formatPracticeTime(now()),
      device,
    ),
  }));
}

function thisHour(): string {
  return `hour ${Math.floor(now().getTime() / HOUR_MS)}`;
}

/** Notifies a person that a passkey was added: whoever added it can sign in without the password. */
export async function notifyPasskeyAdded(transaction: Transaction, userId: number, passkeyId: number): Promise<void> {
  await notifyAccount(transaction, userId, (account) => ({
    event: "passkey-added",
    about: `passkey ${passkeyId}`,
    content: (account.isAdmin ? ownMessages.consultantPasskeyAddedContent : passkeyAddedContent)(
      account,
      formatPracticeTime(now()),
    ),
  }));
}
