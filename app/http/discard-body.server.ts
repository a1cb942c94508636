import type { IncomingMessage, ServerResponse } from "node:http";

const MAX_DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_TIMEOUT_MS = 10_000;

/**
 * Reads and discards the rest of a body after an early response, because a client that is disconnected while sending
 * may never read the response. Closes the connection of bodies larger than 64 MiB or slower than 10 s.
 */
export function discardBodyAfterResponse(request: IncomingMessage, response: ServerResponse): void {
  // Runs before Node's own listener, which closes a connection that is not kept alive. Otherwise the response would be
  // lost because the body is unread.
  response.prependOnceListener("finish", () => {
    if (request.complete) return;
    const { socket } = request;
    const destroySocket = () => socket.destroy();
    let isCloseRequested = false;
    socket.destroySoon = () => {
      isCloseRequested = true;
      socket.end();
    };
    // The page adapter's listener fills a stream that is no longer read.
    request.removeAllListeners("data");
    let discardedBytes = 0;
    request.on("data", (chunk: Buffer) => {
      discardedBytes += chunk.length;
      if (discardedBytes > MAX_DRAIN_BYTES) destroySocket();
    });
    const timer = setTimeout(destroySocket, DRAIN_TIMEOUT_MS);
    request.once("close", () => {
      clearTimeout(timer);
      // The method of the prototype applies again.
      Reflect.deleteProperty(socket, "destroySoon");
    });
    request.once("end", () => {
      clearTimeout(timer);
      if (isCloseRequested) destroySocket();
    });
    request.resume();
  });
}
