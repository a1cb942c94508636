import type { NextFunction, Request, Response } from "express";
import { HTTP_STATUS } from "./outcome.ts";
import { setLogRoute } from "./log.server.ts";
import { isAllowedHost, isSameOrigin, requiresSameOrigin } from "./same-origin.server.ts";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
const API_METHODS = [...PAGE_METHODS, "OPTIONS", "PUT", "PATCH", "DELETE"];
const MAX_URL_LENGTH = 8192;

/** The first thing every request meets: our Host, a known method, and for a change our own Origin. */
export function guardRequest(request: Request, response: Response, next: NextFunction): void {
  if (!isAllowedHost(request)) return reject(response, 421, "This site does not answer under that address.");
  if (request.originalUrl.length > MAX_URL_LENGTH) return reject(response, 414, "That address is too long.");
  const methods = isApiRequest(request) ? API_METHODS : PAGE_METHODS;
  if (!methods.includes(request.method)) {
    response.set("Allow", methods.join(", "));
    return reject(response, 405, "That method is not allowed.");
  }
  if (!isDecodable(request)) return reject(response, HTTP_STATUS.malformed, "That address can't be read.");
  if (requiresSameOrigin(request.method, request.path) && !isSameOrigin(request)) {
    return reject(response, HTTP_STATUS.forbidden, "This request did not come from our own pages.");
  }
  // Judged. React Router would compare it again, with the scheme, and refuse our own forms behind a TLS proxy.
  delete request.headers.origin;
  next();
}

/** Whether a program asks: it is answered in JSON, whatever comes of it. */
export function isApiRequest(request: Request): boolean {
  return /^\/api(\/|$)/i.test(request.path);
}

/** A path of this site, in characters that mean something; some send a whole address in its place. */
function isDecodable({ path, originalUrl }: Request): boolean {
  try {
    return originalUrl.startsWith("/") && !decodeURIComponent(path).includes("\u0000");
  } catch {
    return false;
  }
}

/** Ends a request outside the pages: JSON for a program, a plain sentence for everybody else. */
export function reject(response: Response, status: number, message: string): void {
  setLogRoute(response.req, "rejected");
  response.status(status).set("Connection", "close");
  if (isApiRequest(response.req)) response.json({ message });
  else response.type("text/plain").send(`${message}\n`);
}
