import type { IncomingMessage, ServerResponse } from "node:http";

const MAX_DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Takes in what is still coming of a request that was answered before its end, and keeps none of it: a sender that is
 * cut off while it sends may never read the answer. What is too much or too slow is cut off all the same.
 */
export function drainAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  // Before Node itself, which closes a connection that is not to be kept, and then the answer is lost with what was unread.
  response.prependOnceListener("finish", () => {
    if (request.complete) return;
    const { socket } = request;
    const destroySocket = () => socket.destroy();
    let closeRequested = false;
    socket.destroySoon = () => {
      closeRequested = true;
      socket.end();
    };
    // The page adapter reads into a stream that nobody reads any more.
    request.removeAllListeners("data");
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_DRAIN_BYTES) destroySocket();
    });
    const timer = setTimeout(destroySocket, DRAIN_TIMEOUT_MS);
    request.once("close", () => clearTimeout(timer));
    request.once("end", () => {
      clearTimeout(timer);
      if (closeRequested) destroySocket();
    });
    request.resume();
  });
}
