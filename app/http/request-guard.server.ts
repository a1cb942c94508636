import type { IncomingMessage } from "node:http";
import type { NextFunction, Request, Response } from "express";
import { HTTP_STATUS, type Refusal } from "./outcome.ts";
import { setLogRoute } from "./log.server.ts";
import { pickOwnCookies } from "./request-cookies.server.ts";
import {
  hostErrorStatus,
  isAllowedHost,
  isSameOriginOrSessionless,
  isSameOriginRequired,
} from "./same-origin.server.ts";

const PAGE_METHODS = ["GET", "HEAD", "POST"];
const API_METHODS = [...PAGE_METHODS, "PUT", "PATCH", "DELETE"];
const MAX_URL_LENGTH = 8192;
const NOT_IMPLEMENTED_STATUS = 501;

/**
 * Rejects requests that have another host, an unknown method or transfer coding, or a path that can't be decoded, and
 * changing requests from another origin. Runs before all other middleware.
 */
export function guardAndSanitizeRequest(request: Request, response: Response, next: NextFunction): void {
  if (!isAllowedHost(request))
    return rejectRequest(response, hostErrorStatus(request), "This site does not answer under that address.");
  if (request.originalUrl.length > MAX_URL_LENGTH) return rejectRequest(response, 414, "That address is too long.");
  // Node's parser treats "gzip, chunked" as plain chunks (RFC 9112 §6.1). It rejects codings that do not end in
  // "chunked".
  if (/,\s*chunked\s*$/i.test(request.headers["transfer-encoding"] ?? ""))
    return rejectRequest(
      response,
      NOT_IMPLEMENTED_STATUS,
      "Send the body as it is or in chunks, without another coding.",
    );
  const methods = isApiRequest(request) ? API_METHODS : PAGE_METHODS;
  if (!methods.includes(request.method)) {
    response.set("Allow", methods.join(", "));
    return rejectRequest(response, 405, "That method is not allowed.");
  }
  if (!hasDecodablePath(request)) return rejectRequest(response, HTTP_STATUS.malformed, "That address can't be read.");
  if (isSameOriginRequired(request.method, request.path) && !isSameOriginOrSessionless(request)) {
    return rejectRequest(response, HTTP_STATUS.forbidden, "This request did not come from our own pages.");
  }
  if (request.headers.cookie !== undefined) request.headers.cookie = pickOwnCookies(request.headers.cookie);
  // React Router would compare Origin again, including the scheme, and reject forms behind a TLS proxy.
  delete request.headers.origin;
  next();
}

/**
 * Normalizes the path of a request before any rule is matched: removes dot segments, decodes encoded letters, and
 * reduces several slashes at the end to one. React Router treats all of these spellings as the plain path.
 */
export function normalizeRequestPath(request: IncomingMessage): void {
  const rawUrl = request.url ?? "";
  const url = URL.parse(`http://localhost${rawUrl}`);
  if (!rawUrl.startsWith("/") || !url) return;
  const path = url.pathname.replace(/%[0-9a-f]{2}/gi, decodeUnreserved).replace(/(?<=[^/])\/+$/, "/");
  if (path !== rawUrl.replace(/[?#].*$/s, "")) request.url = path + url.search;
}

/**
 * Decodes only characters that mean the same whether encoded or not (RFC 3986, 2.3), so that `%2F` is not a separator
 * and nothing is decoded twice.
 */
function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded;
}

/** Matches the suffixes of a data request. The framework uses the longer one for a path that ends with a slash. */
const DATA_SUFFIX = /(?:\/_)?\.data$/;

/** Checks whether a request is for a page's data without the page. */
export function isDataRequest(path: string): boolean {
  return DATA_SUFFIX.test(path);
}

/**
 * Returns the path of the page that a request is for, without the suffix of a data request and without a slash at the
 * end.
 */
export function pagePath(path: string): string {
  return path.replace(DATA_SUFFIX, "").replace(/(?<=[^/])\/+$/, "") || "/";
}

/** Checks whether the request is for the API, whose responses are all JSON. */
export function isApiRequest({ path }: { path: string }): boolean {
  return /^\/api(\/|$)/i.test(path);
}

/**
 * Matches control characters and line breaks. A route parameter doesn't match a line break, so not even the API's 404
 * would apply.
 */
const CONTROL_CHARACTER = /[\p{Cc}\u2028\u2029]/u;

/**
 * Checks whether the path is relative to this site, can be decoded, and has no control characters. Some clients send an
 * absolute URL.
 */
function hasDecodablePath({ path, originalUrl }: Request): boolean {
  try {
    return originalUrl.startsWith("/") && !CONTROL_CHARACTER.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Responds with an error outside of React Router: JSON for the API, plain text otherwise. Closes the connection. */
export function rejectRequest(response: Response, status: number, message: string): void {
  setLogRoute(response.req, "rejected");
  response.status(status).set("Connection", "close");
  if (isApiRequest(response.req)) response.json({ message });
  else response.type("text/plain").send(`${message}\n`);
}

/** Responds with 429 and a Retry-After header. */
export function rejectTooManyRequests(response: Response, { retryAfterSeconds }: Refusal, message: string): void {
  response.set("Retry-After", String(retryAfterSeconds));
  rejectRequest(response, HTTP_STATUS.tooMany, message);
}
