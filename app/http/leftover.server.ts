import type { IncomingMessage } from "node:http";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MS = 10_000;

/**
 * Takes in what is still coming of a request that was answered before its end, and keeps none of it: a sender that is
 * cut off while it sends may never read the answer. What is too much or too slow is cut off all the same.
 */
export function swallow(request: IncomingMessage): void {
  if (request.complete) return;
  // The page adapter reads into a stream that nobody reads any more.
  request.removeAllListeners("data");
  let bytes = 0;
  const cut = () => request.socket.destroy();
  const patience = setTimeout(cut, MOST_MS);
  request.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > MOST_BYTES) cut();
  });
  request.once("close", () => clearTimeout(patience));
  request.once("end", () => clearTimeout(patience));
  request.resume();
}
