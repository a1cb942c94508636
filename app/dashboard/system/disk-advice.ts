const GIB_BYTES = 1024 ** 3;
/** With less free space than either of these, the disk counts as nearly full. */
const MIN_FREE = { bytes: 2 * GIB_BYTES, share: 0.05 };

/** Returns what the administrator can do about a disk that is nearly full. Empty if enough of it is free. */
export function diskAdvice({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): string[] {
  const isLow = freeBytes < MIN_FREE.bytes || freeBytes < MIN_FREE.share * totalBytes;
  return isLow
    ? ["When the disk is full, nothing can be saved. Ask the person who installed this site for a larger one."]
    : [];
}
