import { CorruptFileError } from "./chunk-encryption.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";

/** The store does not answer, or answers with a failure of its own. */
export class StorageUnavailableError extends Error {
  override name = "StorageUnavailableError";
}

/** For `catch`: a file that is not there is no error but nothing. */
export function nullIfMissing(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}

/** What a person is told when the store failed; null for a failure that is not the store's. */
export function storageRefusal(error: unknown): Refusal | null {
  if (error instanceof CorruptFileError)
    return refused("conflict", "This document is damaged. We have been told. Please call us.");
  if (error instanceof StorageUnavailableError) {
    return {
      ...refused(
        "unavailable",
        "We can't reach our documents just now. Nothing was changed. Please try again in a minute.",
      ),
      retryAfterSeconds: 10,
    };
  }
  return ["ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "") ? storageFullRefusal() : null;
}

export function storageFullRefusal(): Refusal {
  return refused("storageFull", "We can't take files just now: our storage is full. Nothing was kept. Please call us.");
}

function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
