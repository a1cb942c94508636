/**
 * Answers every message of the parent with the bytes that live in this process once its garbage is gone. Resident memory
 * would count what the garbage left behind: a process keeps that, and gives it to the next sockets.
 */
export function reportMemoryOnMessage(): void {
  process.on("message", () => {
    const { gc } = globalThis as { gc?: () => void };
    for (let pass = 0; pass < 3; pass += 1) gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
  });
}
