import type { IncomingMessage, ServerResponse } from "node:http";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MS = 10_000;

/**
 * Takes in what is still coming of a request that was answered before its end, and keeps none of it: a sender that is
 * cut off while it sends may never read the answer. What is too much or too slow is cut off all the same.
 */
export function swallowLeftover(request: IncomingMessage, response: ServerResponse): void {
  // Before Node itself, which closes a connection that is not to be kept, and then the answer is lost with what was unread.
  response.prependOnceListener("finish", () => {
    if (request.complete) return;
    const { socket } = request;
    const cut = () => socket.destroy();
    let isLast = false;
    socket.destroySoon = () => {
      isLast = true;
      socket.end();
    };
    // The page adapter reads into a stream that nobody reads any more.
    request.removeAllListeners("data");
    let bytes = 0;
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > MOST_BYTES) cut();
    });
    const patience = setTimeout(cut, MOST_MS);
    request.once("close", () => clearTimeout(patience));
    request.once("end", () => {
      clearTimeout(patience);
      if (isLast) cut();
    });
    request.resume();
  });
}
