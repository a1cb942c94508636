import { formatCountWithNoun } from "../format-count-with-noun.ts";

/**
 * File name of the erased-accounts list. It is stored next to the backups because a backup doesn't contain later
 * erasures.
 */
export const ERASED_ACCOUNTS_FILE = "erased-accounts";

/**
 * Ids of accounts to erase, of their payments that were in progress in the backup, and of accounts in the backup that
 * were erased before it was created, which means in another copy of the database.
 */
export type AccountsToErase = { accountIds: number[]; closedPaymentIds: number[]; erasedInOtherCopyIds: number[] };

const MISSING_LIST_MESSAGE = `No list of erased families was found with this backup: there is no file ${ERASED_ACCOUNTS_FILE} in BACKUP_STORAGE, nor in the backup's own folder.`;

/**
 * Returns what a restore reports about erased families; empty if there is nothing to report. `erasedAccountCount` is the number of
 * erased families in the replaced database; `unerasedIds` are the accounts that could not be erased yet.
 */
export function describeErasures(
  { accountIds, closedPaymentIds, erasedInOtherCopyIds }: AccountsToErase,
  unerasedIds: readonly number[],
  { isListMissing, erasedAccountCount }: { isListMissing: boolean; erasedAccountCount: number },
): string {
  const count = accountIds.length - unerasedIds.length;
  const sentences: [isIncluded: boolean, sentence: string][] = [
    [
      isListMissing && erasedAccountCount === 0,
      `ATTENTION: ${MISSING_LIST_MESSAGE} Families that were erased after it are back. Copy the file from the storage where the product keeps its backups and restore again with --replace; if it is lost, have those families erased once more.`,
    ],
    [
      isListMissing && erasedAccountCount > 0,
      `${MISSING_LIST_MESSAGE} Erased families were taken from the replaced database, which knew ${erasedAccountCount}.`,
    ],
    [
      count > 0,
      `${formatCountWithNoun(count, "family that was", "families that were")} erased after the backup ${count === 1 ? "was" : "were"} erased again.`,
    ],
    [
      unerasedIds.length > 0,
      `Not erased yet: the ${unerasedIds.length === 1 ? "account" : "accounts"} ${unerasedIds.join(", ")}. Nobody can sign in there, and the product tries again each minute once it runs.`,
    ],
    [
      closedPaymentIds.length > 0,
      `Under way in the backup and closed here without asking the card provider, which knows how they ended: the ${closedPaymentIds.length === 1 ? "payment" : "payments"} ${closedPaymentIds.join(", ")}.`,
    ],
    [
      erasedInOtherCopyIds.length > 0,
      `ATTENTION: The backup has the ${erasedInOtherCopyIds.length === 1 ? "account" : "accounts"} ${erasedInOtherCopyIds.join(", ")}, which ${erasedInOtherCopyIds.length === 1 ? "was" : "were"} erased before it was made, so in another copy of the database. They stay. Did such a family ask for it? Then open its page and press Delete account.`,
    ],
  ];
  return sentences.map(([isIncluded, sentence]) => (isIncluded ? ` ${sentence}` : "")).join("");
}
