import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { HOUR_MS, MINUTE_MS } from "../../time-units.ts";
import * as ownMessages from "../../mail/messages/consultant-security-messages.ts";
import { appendToPendingDigest } from "../../mail/mail-digest.server.ts";
import {
  type AccountChange,
  accountChangedContent,
  accountChangeFact,
} from "../../mail/messages/account-change-messages.ts";
import { newDeviceContent, passwordChangedContent } from "../../mail/messages/account-messages.ts";
import { addPendingErasureNotice } from "../../mail/messages/erasure-messages.ts";
import { revokeMailedLinks } from "../../mail/outbox.server.ts";
import { RECENTLY_ADDED_ACCESS_DAYS } from "../recently-added-access-days.ts";
import { findPendingErasure } from "./pending-erasure.server.ts";
import { addWrongRecipientNotice, notifyAccount } from "./queue-account-message.server.ts";
import { hashSecretToken } from "../../secret-token.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

/**
 * Notifies a person that the password was changed, even if the account is scheduled for deletion, and revokes the
 * mailed links that set a password. Sends at most one message an hour while the address is not confirmed, because it
 * may be another person's.
 */
export async function revokeLinksAndNotifyPasswordChanged(transaction: Transaction, userId: number): Promise<void> {
  await revokeMailedLinks(transaction, userId, "password-reset");
  const pending = await findPendingErasure(userId, transaction);
  await notifyAccount(transaction, userId, (account) => {
    const compose = account.isAdmin ? ownMessages.consultantPasswordChangedContent : passwordChangedContent;
    const content = compose(account, formatPracticeDateTime(now()));
    return {
      event: "password-changed",
      subjectKey: account.isConfirmed ? now().toISOString() : currentHourKey(),
      content: pending
        ? addPendingErasureNotice(content, formatPracticeDateTime(pending.eraseAfter), pending)
        : content,
    };
  });
}

/**
 * Notifies a person of a sign-in on a device that this account has not signed in on before. Sends at most one message
 * an hour while the address is not confirmed, because it may be another person's.
 */
export async function notifyNewDevice(
  transaction: Transaction,
  userId: number,
  { sid, device }: { sid: string; device: string },
): Promise<void> {
  await notifyAccount(transaction, userId, (account) => ({
    event: "new-device",
    subjectKey: account.isConfirmed ? `session ${hashSecretToken(sid)}` : currentHourKey(),
    content: (account.isAdmin ? ownMessages.consultantNewDeviceContent : newDeviceContent)(
      account,
      formatPracticeDateTime(now()),
      device,
    ),
  }));
}

function currentHourKey(): string {
  return `hour ${Math.floor(now().getTime() / HOUR_MS)}`;
}

/**
 * Minimum time between two messages about account changes: longer for an unconfirmed address, because it may be another
 * person's.
 */
const CHANGE_DIGEST_PERIOD_MS = { confirmed: 10 * MINUTE_MS, unconfirmed: HOUR_MS };

/**
 * Notifies a person of a change to the account, in the same transaction. Sends the first change at once, and collects
 * further changes within ten minutes (an hour while the address is not confirmed) in one message.
 */
export async function notifyAccountChanged(
  transaction: Transaction,
  userId: number,
  ...changes: AccountChange[]
): Promise<void> {
  const at = formatPracticeDateTime(now());
  const facts = changes.map((change) => accountChangeFact(change, at));
  await notifyAccount(transaction, userId, async (account, address) => {
    const compose = (collectedFacts: typeof facts) =>
      addWrongRecipientNotice(
        account,
        accountChangedContent(account, collectedFacts, { addedAccessDays: RECENTLY_ADDED_ACCESS_DAYS }),
      );
    const periodMs = account.isConfirmed ? CHANGE_DIGEST_PERIOD_MS.confirmed : CHANGE_DIGEST_PERIOD_MS.unconfirmed;
    // A pending message to an earlier address is not extended, because that address may belong to another person who
    // had access to the account.
    const digest = { event: "account-changed", userId, address, periodMs } as const;
    const { isAdded, dueAt } = await appendToPendingDigest(transaction, digest, facts, compose);
    if (isAdded) return null;
    const subjectKey = `${changes.join(", ")} at ${now().toISOString()}`;
    return { event: "account-changed", subjectKey, content: compose(facts), ...(dueAt && { dueAt }) };
  });
}
