import { HOUR_SECONDS } from "../time-units.ts";
import type { IncomingMessage } from "node:http";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/errors.server.ts";
import { NetworkConcurrency } from "../http/network-concurrency.server.ts";
import { createRateLimiter } from "../http/rate-limit.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import {
  MAX_FAMILY_BYTES,
  MAX_FAMILY_DOCUMENTS,
  MAX_FAMILY_GB,
  MAX_FILE_BYTES,
  MAX_NEW_ACCOUNT_BYTES,
  MAX_NEW_FAMILY_MB,
  UPLOAD_MESSAGES,
} from "./document-file-rules.ts";
import { storageFullRefusal } from "./storage-refusals.server.ts";
import { fileStore } from "../files/configured-file-store.server.ts";

const QUOTA_EXCEEDED_MESSAGE = `Your family's ${MAX_FAMILY_GB} GB for documents are used up. Delete a document you no longer need, or call us.`;
const DOCUMENT_LIMIT_REACHED_MESSAGE = `Your family has ${MAX_FAMILY_DOCUMENTS.toLocaleString("en-US")} documents here, the most we can keep. Delete a document you no longer need, or call us.`;
const NEW_ACCOUNT_QUOTA_MESSAGE = `Until your first visit has taken place, your family can keep ${MAX_NEW_FAMILY_MB} MB of documents here. This file would exceed that. Delete a document you no longer need, bring the file to the visit, or call us.`;

const uploadLimiter = createRateLimiter("uploads", 200, HOUR_SECONDS);
/**
 * Maximum number of concurrent uploads of a session, of an account with all its sessions, and of the new accounts of a
 * network (18 for an IPv6 /56, 24 for a /48). If a session is copied, its owner can still use the rest of the account's
 * limit. A virus scanner handles about a hundred uploads at once.
 */
const MAX_CONCURRENT_UPLOADS = { session: 6, account: 18, newAccounts: 12 };
/** Maximum number of bytes that a form adds to its file: all fields at their maximum, and the part headers. */
const MAX_FORM_OVERHEAD_BYTES = 256 * 1024;
/**
 * Uploads stop when the free space is below this share of the volume and below 1 GiB, because the database needs the
 * rest.
 */
const MIN_FREE_FRACTION = 0.1;
const MIN_FREE_BYTES = 1024 ** 3;

/** Number of active uploads, keyed by session and by account. */
const activeUploads = new Map<string, number>();
const newAccountConcurrency = new NetworkConcurrency();

/**
 * Checks an upload before its body is read. Refuses it because of the rate limit, Content-Length, the family's quota,
 * or a nearly full disk. Returns null if it may start.
 */
export async function precheckUpload(person: Person, request: IncomingMessage): Promise<Refusal | null> {
  const rateLimitRefusal = await uploadLimiter.consume(String(person.id));
  if (rateLimitRefusal) return rateLimitRefusal;
  if (Number(request.headers["content-length"] ?? 0) > MAX_FILE_BYTES + MAX_FORM_OVERHEAD_BYTES) {
    return refused("tooLarge", UPLOAD_MESSAGES.tooLarge, { file: [UPLOAD_MESSAGES.tooLarge] });
  }
  if (!person.isAdmin) {
    const quota = await loadRemainingUploadQuota(person, person.id);
    if (quota.bytesLeft <= 0) return quotaExceededRefusal(quota);
  }
  return (await isDiskLow()) ? storageFullRefusal() : null;
}

/**
 * Counts a concurrent upload from `ip` until the returned function is called. Returns null above the limits: 6 per
 * session, 18 per account, and 12 for all new accounts of a network.
 */
export async function acquireUploadSlot(
  { sid, person }: { sid: string; person: Person },
  ip: string,
): Promise<(() => void) | null> {
  const isNew = !person.isAdmin && (await isNewAccount(person.id));
  const limits = [
    { key: `session ${sid}`, max: MAX_CONCURRENT_UPLOADS.session },
    { key: `account ${person.id}`, max: MAX_CONCURRENT_UPLOADS.account },
  ];
  const isFull =
    limits.some(({ key, max }) => (activeUploads.get(key) ?? 0) >= max) ||
    (isNew && newAccountConcurrency.findNetworkAtLimit(ip, 1, MAX_CONCURRENT_UPLOADS.newAccounts) !== null);
  if (env.isRateLimitingEnabled && isFull) return null;
  const adjustCounts = (change: 1 | -1) => {
    for (const { key } of limits) addActiveUploads(key, change);
    if (isNew) newAccountConcurrency.add(ip, change);
  };
  adjustCounts(1);
  return () => adjustCounts(-1);
}

function addActiveUploads(key: string, change: number): void {
  const count = (activeUploads.get(key) ?? 0) + change;
  if (count > 0) activeUploads.set(key, count);
  else activeUploads.delete(key);
}

export type UploadQuota = {
  /** Bytes that the family may still upload; zero or less when the quota is used up. */
  bytesLeft: number;
  /** Shown when an upload exceeds the quota. */
  message: string;
};

/**
 * Returns how much `person` may still upload for the family `userId`: 2 GB and 2,000 documents in total, or 100 MB in
 * total if a family uploads for itself before its first visit (unlimited by RATE_LIMITS=off). Inside a transaction,
 * pass it as `database`.
 */
export async function loadRemainingUploadQuota(
  person: Person,
  userId: number,
  database: Prisma.TransactionClient = db,
): Promise<UploadQuota> {
  const { _sum, _count } = await database.document.aggregate({
    where: { userId },
    _sum: { fileSize: true },
    _count: true,
  });
  if (_count >= MAX_FAMILY_DOCUMENTS) return { bytesLeft: 0, message: DOCUMENT_LIMIT_REACHED_MESSAGE };
  const usedBytes = _sum.fileSize ?? 0;
  const isLimited = env.isRateLimitingEnabled && !person.isAdmin && (await isNewAccount(userId, database));
  return isLimited
    ? { bytesLeft: MAX_NEW_ACCOUNT_BYTES - usedBytes, message: NEW_ACCOUNT_QUOTA_MESSAGE }
    : { bytesLeft: MAX_FAMILY_BYTES - usedBytes, message: QUOTA_EXCEEDED_MESSAGE };
}

export function quotaExceededRefusal({ message }: UploadQuota): Refusal {
  return refused("tooLarge", message, { file: [message] });
}

/** Checks the quota again. The caller must have locked the family's row. */
export async function recheckQuota(
  transaction: Prisma.TransactionClient,
  person: Person,
  { userId, bytes }: { userId: number; bytes: number },
): Promise<Refusal | null> {
  const quota = await loadRemainingUploadQuota(person, userId, transaction);
  return quota.bytesLeft < bytes ? quotaExceededRefusal(quota) : null;
}

/** Returns whether the volume of the documents is nearly full, and logs it if so. */
export async function isDiskLow(): Promise<boolean> {
  const { freeBytes, totalBytes } = await fileStore.diskSpace();
  const isFull = freeBytes < Math.min(totalBytes * MIN_FREE_FRACTION, MIN_FREE_BYTES);
  if (isFull)
    logError(
      `Only ${freeBytes} of ${totalBytes} bytes are free where documents are received.`,
      "alert: storage nearly full",
    );
  return isFull;
}
