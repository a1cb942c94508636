import type { NextFunction, Request, Response } from "express";
import { STATUS } from "./outcome.ts";
import { noteRoute } from "./log.server.ts";
import { isOwnHost, isOwnRequest, needsOwnOrigin } from "./own-site.server.ts";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
const API_METHODS = [...PAGE_METHODS, "OPTIONS", "PUT", "PATCH", "DELETE"];
const LONGEST_URL = 8192;

/** The first thing every request meets: our Host, a known method, and for a change our own Origin. */
export function guardRequest(request: Request, response: Response, next: NextFunction): void {
  if (!isOwnHost(request)) return refuse(response, 421, "This site does not answer under that address.");
  if (request.originalUrl.length > LONGEST_URL) return refuse(response, 414, "That address is too long.");
  const methods = isApi(request) ? API_METHODS : PAGE_METHODS;
  if (!methods.includes(request.method)) {
    response.set("Allow", methods.join(", "));
    return refuse(response, 405, "That method is not allowed.");
  }
  if (!isReadable(request)) return refuse(response, STATUS.malformed, "That address can't be read.");
  if (needsOwnOrigin(request.method, request.path) && !isOwnRequest(request)) {
    return refuse(response, STATUS.forbidden, "This request did not come from our own pages.");
  }
  // Judged. React Router would compare it again, with the scheme, and refuse our own forms behind a TLS proxy.
  delete request.headers.origin;
  next();
}

/** Whether a program asks: it is answered in JSON, whatever comes of it. */
export function isApi(request: Request): boolean {
  return /^\/api(\/|$)/i.test(request.path);
}

/** A path of this site, in characters that mean something; some send a whole address in its place. */
function isReadable({ path, originalUrl }: Request): boolean {
  try {
    return originalUrl.startsWith("/") && !decodeURIComponent(path).includes("\u0000");
  } catch {
    return false;
  }
}

/** Ends a request outside the pages: JSON for a program, a plain sentence for everybody else. */
export function refuse(response: Response, status: number, message: string): void {
  noteRoute(response.req, "refused at the door");
  response.status(status).set("Connection", "close");
  if (isApi(response.req)) response.json({ message });
  else response.type("text/plain").send(`${message}\n`);
}
