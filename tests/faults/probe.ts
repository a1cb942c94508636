// Loaded into a server process before its own code (NODE_OPTIONS=--import): tells a test over a socket how long that
// process kept its event loop waiting, and what it holds in memory.
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * `maxDelayMs` since the previous command, without what the main thread waited for a processor: other programs are not
 * the request's doing. The heap is that after a collection, where one was asked for.
 */
export type Measurement = {
  maxDelayMs: number;
  heapBytes: number;
  /** What V8 has taken from the system for its heap, used or not. */
  heapTotalBytes: number;
  /** Of buffers, outside V8's heap. */
  externalBytes: number;
  rssBytes: number;
};

const SAMPLE_EVERY_MS = 5;
const NS_PER_MS = 1e6;
/** Of the main thread on Linux: nanoseconds running, then nanoseconds waiting for a processor. */
const SCHEDULER_FILE = `/proc/self/task/${process.pid}/schedstat`;
const path = process.env.PROBE_SOCKET;

if (isMainThread && path && process.argv[1]?.endsWith("server.ts")) listen(path);

function listen(socketPath: string) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let maxDelayMs = 0;
  let [sampledAt, waitedUntilThen] = [performance.now(), waitedForProcessorMs()];
  const sample = () => {
    const [time, waited] = [performance.now(), waitedForProcessorMs()];
    maxDelayMs = Math.max(maxDelayMs, time - sampledAt - SAMPLE_EVERY_MS - (waited - waitedUntilThen));
    [sampledAt, waitedUntilThen] = [time, waited];
  };
  setInterval(sample, SAMPLE_EVERY_MS).unref();
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (command) => {
      sample();
      if (command.toString().includes("collect")) collect();
      const usage = process.memoryUsage();
      const measured: Measurement = {
        maxDelayMs,
        heapBytes: usage.heapUsed,
        heapTotalBytes: usage.heapTotal,
        externalBytes: usage.external,
        rssBytes: usage.rss,
      };
      socket.write(`${JSON.stringify(measured)}\n`);
      maxDelayMs = 0;
      [sampledAt, waitedUntilThen] = [performance.now(), waitedForProcessorMs()];
    });
  });
  server.listen(socketPath).unref();
}

function waitedForProcessorMs(): number {
  try {
    return Number(readFileSync(SCHEDULER_FILE, "latin1").split(" ")[1]) / NS_PER_MS;
  } catch {
    return 0;
  }
}
