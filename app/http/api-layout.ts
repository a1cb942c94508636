import { NON_HTML_CSP } from "./headers.server.ts";
import { errorResponse } from "./json.server.ts";
import { refused } from "./outcome.ts";
import type { MiddlewareFunction } from "react-router";

/** The API speaks JSON alone: its addresses have no page data to fetch. */
const jsonOnly: MiddlewareFunction<Response> = async ({ request }, next) => {
  if (new URL(request.url).pathname.endsWith(".data")) throw errorResponse(refused("notFound", "Not found."));
  const response = await next();
  if (!response.headers.has("Content-Security-Policy")) response.headers.set("Content-Security-Policy", NON_HTML_CSP);
  return response;
};

export const middleware = [jsonOnly];
