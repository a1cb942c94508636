import type { IncomingMessage } from "node:http";
import type { NextFunction, Request, Response } from "express";

const LONGEST_BODY_MS = 60_000;

/**
 * Ends a request whose body has not come within a minute, unless `isLong` says that it may take its time. Node has one
 * such limit for all requests of a server, so the server's own is that of the longest, and this one holds for the rest.
 */
export function limitBodyTime(isLong: (request: IncomingMessage) => boolean) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const hasBody =
      request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0;
    if (hasBody && !isLong(request)) {
      const { socket } = request;
      const end = setTimeout(() => {
        if (!request.complete) socket.destroy();
      }, LONGEST_BODY_MS);
      const stop = () => clearTimeout(end);
      request.once("end", stop);
      request.once("close", stop);
    }
    next();
  };
}
