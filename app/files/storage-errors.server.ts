/** The storage did not respond, or responded with an error. */
export class StorageUnavailableError extends Error {
  override name = "StorageUnavailableError";
}

/** For `.catch()`: resolves to null on ENOENT and rethrows every other error. */
export function nullIfFileNotFound(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}

export function errorCode(error: unknown): string | undefined {
  return (error as { code?: string } | null)?.code;
}
