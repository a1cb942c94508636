import type { Person } from "../../accounts/person.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { MAX_FILE_BYTES, MESSAGES } from "../rules.ts";
import { storageFullRefusal } from "../storage-refusals.server.ts";
import { isDiskLow, type Quota, quotaExceededRefusal, quotaOf } from "../upload-limits.server.ts";
import { UploadRejected } from "./multipart.server.ts";

/** The quota and the free space are read again after so much of a file: an upload may take an hour. */
const RECHECK_BYTES = 8 * 1024 * 1024;

/** Bytes received by the uploads under way in this process, by family. */
const receivedByFamily = new Map<number, number>();

export type UploadSize = {
  /**
   * Passes chunks on. Throws UploadRejected above 50 MB, when all uploads under way of the family are together more than
   * its quota has left, and when the disk is nearly full.
   */
  limit(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /** Ends the count: the document is about to be recorded, or its file is deleted. */
  release(): void;
};

/** Counts an upload while it arrives. `familyId` is undefined while the administrator's form has not named one. */
export function countUpload(person: Person, familyId: number | undefined): UploadSize {
  let own = 0;
  let quota: Quota | null = null;
  let nextCheck = 0;
  const add = (bytes: number) => {
    own += bytes;
    if (familyId === undefined) return;
    const sum = (receivedByFamily.get(familyId) ?? 0) + bytes;
    if (sum > 0) receivedByFamily.set(familyId, sum);
    else receivedByFamily.delete(familyId);
  };
  const release = () => add(-own);
  const check = async (): Promise<Refusal | null> => {
    if (own > MAX_FILE_BYTES) return refused("tooLarge", MESSAGES.tooLarge, { file: [MESSAGES.tooLarge] });
    if (own >= nextCheck) {
      nextCheck = own + RECHECK_BYTES;
      if (await isDiskLow()) return storageFullRefusal();
      quota = familyId === undefined ? null : await quotaOf(person, familyId);
    }
    const received = familyId === undefined ? 0 : (receivedByFamily.get(familyId) ?? 0);
    return quota && received > quota.bytesLeft ? quotaExceededRefusal(quota) : null;
  };
  async function* limit(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      add(chunk.length);
      const refusal = await check();
      if (refusal) {
        // At once, so that of two uploads that don't fit together one does.
        release();
        throw new UploadRejected(refusal);
      }
      yield chunk;
    }
  }
  return { limit, release };
}
