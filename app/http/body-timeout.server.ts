import type { IncomingMessage, ServerResponse } from "node:http";
import { MINUTE_MS } from "../time-units.ts";
import { hasDeclaredBody } from "./body-limits.server.ts";
import { discardBodyAfterResponse } from "./discard-body.server.ts";

const BODY_TIMEOUT_MS = MINUTE_MS;

/**
 * Destroys the connection of a request whose body takes longer than a minute, unless `isExempt` (uploads). Node has a
 * single `requestTimeout` for the whole server, which is set for the longest upload. Runs before all other handlers,
 * because cached pages and `/healthz` respond before a body is complete.
 */
export function enforceBodyTimeout(request: IncomingMessage, response: ServerResponse, isExempt: boolean): void {
  const { socket } = request;
  if (!hasDeclaredBody(request)) return;
  discardBodyAfterResponse(request, response);
  if (isExempt) return;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, BODY_TIMEOUT_MS);
  const clear = () => clearTimeout(timer);
  request.once("end", clear);
  request.once("close", clear);
}
