// Loaded into a server process before its own code (NODE_OPTIONS=--import): tells a test over a socket how long that
// process kept its event loop waiting, and what it holds in memory.
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/** `maxDelayMs` since the previous command; the heap is that after a collection, where one was asked for. */
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
const path = process.env.PROBE_SOCKET;

if (isMainThread && path && process.argv[1]?.endsWith("server.ts")) listen(path);

function listen(socketPath: string) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  delay.enable();
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (command) => {
      const maxDelayMs = Math.max(0, delay.max / NS_PER_MS - SAMPLE_EVERY_MS);
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
      delay.reset();
    });
  });
  server.listen(socketPath).unref();
}
