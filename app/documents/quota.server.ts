import type { IncomingMessage } from "node:http";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { isNewAccount } from "../accounts/new-account.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { logError } from "../http/failure.server.ts";
import { rateLimit } from "../http/limits.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import {
  FAMILY_BYTES,
  FAMILY_DOCUMENTS,
  FAMILY_GB,
  LARGEST_FILE_BYTES,
  NEW_FAMILY_BYTES,
  NEW_FAMILY_MB,
  SAYS,
} from "./rules.ts";
import { storageFull } from "./store-errors.server.ts";
import { store } from "./store.server.ts";

const FULL = `Your family's ${FAMILY_GB} GB for documents are used up. Delete a document you no longer need, or call us.`;
const FULL_OF_DOCUMENTS = `Your family has ${FAMILY_DOCUMENTS.toLocaleString("en-US")} documents here, the most we can keep. Delete a document you no longer need, or call us.`;
const FULL_BEFORE_FIRST_VISIT = `Until your first visit has taken place, your family can keep ${NEW_FAMILY_MB} MB of documents here. This file would be more. Delete a document you no longer need, bring the file to the visit, or call us.`;

const UPLOADS_PER_HOUR = rateLimit("uploads", 200, 3600);
const AT_ONCE = 6;
/** What a form weighs besides its file: the fields at their longest, and the lines between the parts. */
const FORM_BYTES = 256 * 1024;
/** Below this share of the volume, or this much of a large one, no file is taken: the database needs the rest. */
const LEAST_FREE_SHARE = 0.1;
const LEAST_FREE_BYTES = 1024 ** 3;

const underWay = new Map<number, number>();

/** What can be refused before a byte of the body is read: too many, too large by its own word, no room anywhere. */
export async function refuseBeforehand(person: Person, request: IncomingMessage): Promise<Refusal | null> {
  const tooMany = await UPLOADS_PER_HOUR.consume(String(person.id));
  if (tooMany) return tooMany;
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_FILE_BYTES + FORM_BYTES) {
    return refused("tooLarge", SAYS.tooLarge, { file: [SAYS.tooLarge] });
  }
  if (!person.isAdmin) {
    const quota = await quotaOf(person, person.id);
    if (quota.bytesLeft <= 0) return quotaExceeded(quota);
  }
  return (await isVolumeFull()) ? storageFull() : null;
}

/** Counts a person's uploads that are under way, until the returned function is called; null for one too many. */
export function oneMoreUnderWay(person: Person): (() => void) | null {
  const count = underWay.get(person.id) ?? 0;
  if (env.rateLimits && count >= AT_ONCE) return null;
  underWay.set(person.id, count + 1);
  return () => {
    const left = (underWay.get(person.id) ?? 1) - 1;
    if (left > 0) underWay.set(person.id, left);
    else underWay.delete(person.id);
  };
}

export type Quota = {
  /** How many more bytes the family may keep; zero or less when nothing more is taken. */
  bytesLeft: number;
  /** The sentence for whoever wants to keep more. */
  message: string;
};

/**
 * What `person` may still upload for the family `userId`: 2 GB and 2,000 documents in all; 100 MB in all where a family
 * uploads for itself before its first visit (lifted by RATE_LIMITS=off). Pass the transaction as `database` inside one.
 */
export async function quotaOf(person: Person, userId: number, database: Prisma.TransactionClient = db): Promise<Quota> {
  const { _sum, _count } = await database.document.aggregate({
    where: { userId },
    _sum: { fileSize: true },
    _count: true,
  });
  if (_count >= FAMILY_DOCUMENTS) return { bytesLeft: 0, message: FULL_OF_DOCUMENTS };
  const usedBytes = _sum.fileSize ?? 0;
  const isLimited = env.rateLimits && !person.isAdmin && (await isNewAccount(userId, database));
  return isLimited
    ? { bytesLeft: NEW_FAMILY_BYTES - usedBytes, message: FULL_BEFORE_FIRST_VISIT }
    : { bytesLeft: FAMILY_BYTES - usedBytes, message: FULL };
}

export function quotaExceeded({ message }: Quota): Refusal {
  return refused("tooLarge", message, { file: [message] });
}

/** Checks the quota once more under a lock on the family's row, so that concurrent uploads can't exceed it together. */
export async function reserveQuota(
  transaction: Prisma.TransactionClient,
  person: Person,
  { userId, bytes }: { userId: number; bytes: number },
): Promise<Refusal | null> {
  await transaction.$executeRaw`UPDATE users SET "isClient" = "isClient" WHERE id = ${userId}`;
  const quota = await quotaOf(person, userId, transaction);
  return quota.bytesLeft < bytes ? quotaExceeded(quota) : null;
}

async function isVolumeFull(): Promise<boolean> {
  const { free, whole } = await store.space();
  const isFull = free < Math.min(whole * LEAST_FREE_SHARE, LEAST_FREE_BYTES);
  if (isFull)
    logError(`Only ${free} of ${whole} bytes are free where documents are received.`, "alert: storage nearly full");
  return isFull;
}
