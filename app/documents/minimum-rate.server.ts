const WINDOW_MS = 10_000;

type MinimumRate = {
  /** How many bytes have passed so far. */
  countBytes: () => number;
  minBytes: number;
  /** In how many windows of 10 s that many bytes must pass. */
  windows: number;
  onTooSlow: () => void;
  /** Called every 10 s from the first full period on, while the rate is kept. */
  onProgress?: () => void;
};

/** Watches a transfer until the returned function is called. */
export function watchMinimumRate({ countBytes, minBytes, windows, onTooSlow, onProgress }: MinimumRate): () => void {
  const byteCounts = [countBytes()];
  const timer = setInterval(() => {
    const bytes = countBytes();
    byteCounts.push(bytes);
    const earlierBytes = byteCounts.length > windows ? byteCounts.shift() : undefined;
    if (earlierBytes === undefined) return;
    if (bytes - earlierBytes < minBytes) onTooSlow();
    else onProgress?.();
  }, WINDOW_MS);
  return () => clearInterval(timer);
}
