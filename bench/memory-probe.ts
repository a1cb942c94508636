/**
 * Replies to each message of the parent process with the bytes of heap and external memory after garbage collection.
 * Resident memory would include freed pages that the process reuses for the next sockets. Needs `--expose-gc`.
 */
export function reportMemoryOnMessage(): void {
  process.on("message", () => {
    const { gc } = globalThis as { gc?: () => void };
    for (let pass = 0; pass < 3; pass += 1) gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
  });
}
