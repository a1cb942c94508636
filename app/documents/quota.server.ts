import type { IncomingMessage } from "node:http";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db.server.ts";
import { env } from "../env.server.ts";
import { logFailure } from "../http/failure.server.ts";
import { limit } from "../http/limits.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import { FAMILY_BYTES, FAMILY_DOCUMENTS, FAMILY_GB, LARGEST_FILE_BYTES, SAYS } from "./rules.ts";
import { storageFull } from "./store-errors.server.ts";
import { store } from "./store.server.ts";

export const FULL = `Your family's ${FAMILY_GB} GB for documents are used up. Delete a document you no longer need, or call us.`;

const UPLOADS_PER_HOUR = limit("uploads", 200, 3600);
const AT_ONCE = 6;
/** What a form weighs besides its file: the fields at their longest, and the lines between the parts. */
const FORM_BYTES = 256 * 1024;
/** Below this share of the volume, or this much of a large one, no file is taken: the database needs the rest. */
const LEAST_FREE_SHARE = 0.1;
const LEAST_FREE_BYTES = 1024 ** 3;

const underWay = new Map<number, number>();

/** What can be refused before a byte of the body is read: too many, too large by its own word, no room anywhere. */
export async function refuseBeforehand(person: Person, request: IncomingMessage): Promise<Refusal | null> {
  const tooMany = await UPLOADS_PER_HOUR.use(String(person.id));
  if (tooMany) return tooMany;
  if (Number(request.headers["content-length"] ?? 0) > LARGEST_FILE_BYTES + FORM_BYTES) {
    return refused("tooLarge", SAYS.tooLarge, { file: [SAYS.tooLarge] });
  }
  if (!person.isAdmin && (await roomFor(person.id)) <= 0) return refused("tooLarge", FULL, { file: [FULL] });
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

/** How many more bytes a family may keep, and none when it has too many documents already. */
export async function roomFor(userId: number, client: Prisma.TransactionClient = db): Promise<number> {
  const { _sum, _count } = await client.document.aggregate({
    where: { userId },
    _sum: { fileSize: true },
    _count: true,
  });
  return _count >= FAMILY_DOCUMENTS ? 0 : FAMILY_BYTES - (_sum.fileSize ?? 0);
}

/** The last word on a family's room. Its uploads take turns here, so that two at once can't both have the last of it. */
export async function takeRoom(
  transaction: Prisma.TransactionClient,
  userId: number,
  bytes: number,
): Promise<Refusal | null> {
  await transaction.$executeRaw`UPDATE users SET "isClient" = "isClient" WHERE id = ${userId}`;
  return (await roomFor(userId, transaction)) < bytes ? refused("tooLarge", FULL, { file: [FULL] }) : null;
}

async function isVolumeFull(): Promise<boolean> {
  const { free, whole } = await store.space();
  const isFull = free < Math.min(whole * LEAST_FREE_SHARE, LEAST_FREE_BYTES);
  if (isFull)
    logFailure(`Only ${free} of ${whole} bytes are free where documents are received.`, "alert: storage nearly full");
  return isFull;
}
