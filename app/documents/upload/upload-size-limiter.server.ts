import type { Person } from "../../accounts/person.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { MAX_FILE_BYTES, UPLOAD_MESSAGES } from "../document-file-rules.ts";
import { storageFullRefusal } from "../storage-refusals.server.ts";
import {
  isDiskLow,
  type UploadQuota,
  quotaExceededRefusal,
  loadRemainingUploadQuota,
} from "../upload-limits.server.ts";
import { UploadRejectedError } from "./upload-form-parser.server.ts";

/**
 * Number of received bytes after which the quota and the free space are read again, because an upload may take an hour.
 */
const RECHECK_BYTES = 8 * 1024 * 1024;

/** Bytes received by the uploads in progress in this process, keyed by family id. */
const receivedByFamily = new Map<number, number>();

export type UploadSizeLimiter = {
  /**
   * Yields the chunks unchanged. Throws UploadRejectedError above 50 MB, when all uploads of the family in progress together
   * exceed the rest of its quota, and when the disk is nearly full.
   */
  limit(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer>;
  /** Stops counting this upload: the document is about to be recorded, or its file is deleted. */
  release(): void;
};

/** Counts an upload while it arrives. `familyId` is undefined until the administrator's form has named a family. */
export function createUploadSizeLimiter(person: Person, familyId: number | undefined): UploadSizeLimiter {
  let own = 0;
  let quota: UploadQuota | null = null;
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
    if (own > MAX_FILE_BYTES)
      return refused("tooLarge", UPLOAD_MESSAGES.tooLarge, { file: [UPLOAD_MESSAGES.tooLarge] });
    if (own >= nextCheck) {
      nextCheck = own + RECHECK_BYTES;
      if (await isDiskLow()) return storageFullRefusal();
      quota = familyId === undefined ? null : await loadRemainingUploadQuota(person, familyId);
    }
    const received = familyId === undefined ? 0 : (receivedByFamily.get(familyId) ?? 0);
    return quota && received > quota.bytesLeft ? quotaExceededRefusal(quota) : null;
  };
  async function* limit(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      add(chunk.length);
      const refusal = await check();
      if (refusal) {
        // Release immediately: if two uploads don't fit together, the other one then still fits.
        release();
        throw new UploadRejectedError(refusal);
      }
      yield chunk;
    }
  }
  return { limit, release };
}
