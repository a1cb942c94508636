const RATE_WINDOW_MS = 10_000;

type MinimumRate = {
  /** Returns the number of bytes that have passed so far. */
  countBytes: () => number;
  minBytes: number;
  /** Number of windows of 10 s in which `minBytes` must pass. */
  windowCount: number;
  onTooSlow: () => void;
  /** Called every 10 s while the rate is high enough, starting after the first full period. */
  onProgress?: () => void;
};

/** Watches the rate of a transfer until the returned function is called. */
export function watchMinimumTransferRate({
  countBytes,
  minBytes,
  windowCount,
  onTooSlow,
  onProgress,
}: MinimumRate): () => void {
  const byteCounts = [countBytes()];
  const timer = setInterval(() => {
    const bytes = countBytes();
    byteCounts.push(bytes);
    const earlierBytes = byteCounts.length > windowCount ? byteCounts.shift() : undefined;
    if (earlierBytes === undefined) return;
    if (bytes - earlierBytes < minBytes) onTooSlow();
    else onProgress?.();
  }, RATE_WINDOW_MS);
  return () => clearInterval(timer);
}
