import { NON_HTML_CSP } from "./security-headers.server.ts";
import { jsonRefusalResponse } from "./json.server.ts";
import { refused } from "./outcome.ts";
import type { MiddlewareFunction } from "react-router";

/**
 * Rejects requests for page data (`.data`), which API paths do not have. Sets the CSP for responses that are not HTML.
 */
const rejectDataRequests: MiddlewareFunction<Response> = async ({ request }, next) => {
  if (new URL(request.url).pathname.endsWith(".data")) throw jsonRefusalResponse(refused("notFound", "Not found."));
  const response = await next();
  if (!response.headers.has("Content-Security-Policy")) response.headers.set("Content-Security-Policy", NON_HTML_CSP);
  return response;
};

export const middleware = [rejectDataRequests];
