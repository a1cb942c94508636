import { CorruptFileError } from "../files/chunk-encryption.server.ts";
import { errorCode, StorageUnavailableError } from "../files/storage-errors.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";

const RETRY_AFTER_SECONDS = 10;

/** Converts a storage failure into a refusal for the person. Returns null if the error has another cause. */
export function storageRefusal(error: unknown): Refusal | null {
  if (error instanceof CorruptFileError)
    return refused("conflict", "This document is damaged. We have been told. Please call us.");
  if (error instanceof StorageUnavailableError) {
    return {
      ...refused(
        "unavailable",
        "We can't reach our documents right now. Nothing was changed. Please try again in a minute.",
      ),
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    };
  }
  return ["ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "") ? storageFullRefusal() : null;
}

export function storageFullRefusal(): Refusal {
  return refused(
    "storageFull",
    "We can't take files right now: our storage is full. Nothing was kept. Please call us.",
  );
}

/** Refusal for a record without its file. The record stays until a person deletes it or a restore recovers the file. */
export function missingFileRefusal(): Refusal {
  return refused("notFound", "The file of this document is missing. We have been told. Please call us.");
}
