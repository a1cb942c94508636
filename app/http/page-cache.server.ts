import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { currentYear, now } from "../clock.ts";
import { MINUTE_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { negotiateEncoding, compress, type Encoding } from "./compress.server.ts";
import { logError } from "./errors.server.ts";
import { commonHeaders, pageCsp } from "./security-headers.server.ts";
import { recordPageCacheHit } from "./log.server.ts";
import { isAllowedHost } from "./same-origin.server.ts";
import { shouldBypassPageCache } from "./request-cookies.server.ts";

const MAX_BROTLI_QUALITY = 11;

/** How long a short-lived page, whose content changes by the minute, may be served from memory. */
const SHORT_LIVED_PAGE_TTL_MS = MINUTE_MS;
/** How long the render of an expired page may take before another one starts. */
const RENDER_RETRY_MS = 10_000;

type CachedPage = Record<Encoding, { rawHeaders: string[]; body: Buffer }> & {
  etag: string;
  expiresAt: number;
  /** When an expired page is rendered again (milliseconds since 1970). */
  retryAt: number;
  /** Headers of every response with this page, including a 304. */
  headers: Record<string, string>;
};

/** Renders a page for no particular visitor: the request has no headers. */
export type RenderPage = (request: Request) => Promise<Response>;

let pageCache = new Map<string, CachedPage>();
let cachedYear = 0;
let refreshPages = async (_path?: string) => {};

/**
 * Serves a public page from memory, already compressed, to visitors without session or preference cookies. Returns
 * false if the page must be rendered. Cached pages are rendered from requests without headers, so they contain no
 * personal data. All pages are rendered again when the year changes, because the footer shows it; a short-lived page is
 * rendered again when it has expired.
 */
export function serveCachedPage(request: IncomingMessage, response: ServerResponse): boolean {
  if (pageCache.size === 0 || (request.method !== "GET" && request.method !== "HEAD")) return false;
  const page = pageCache.get(request.url ?? "");
  if (!page || shouldBypassPageCache(request.headers.cookie) || !isAllowedHost(request)) return false;
  if (currentYear(env.practice.timeZone) !== cachedYear) {
    void refreshPages();
    return false;
  }

  if (now().getTime() >= page.expiresAt) {
    // Starts one render. Until it has finished, the page is rendered for each visitor; one that fails is repeated.
    if (now().getTime() >= page.retryAt) {
      page.retryAt = now().getTime() + RENDER_RETRY_MS;
      void refreshPages(request.url);
    }
    return false;
  }

  recordPageCacheHit();
  if (request.headers["if-none-match"] === page.etag) {
    response.writeHead(304, page.headers);
    response.end();
    return true;
  }
  const variant = page[negotiateEncoding(request.headers["accept-encoding"])];
  response.writeHead(200, variant.rawHeaders);
  response.end(request.method === "HEAD" ? undefined : variant.body);
  return true;
}

/**
 * Renders and caches the pages one after the other while the server is already running. Pages in `shortLivedPaths` are
 * served from memory for one minute. Not called in development.
 */
export async function warmPageCache(
  paths: readonly string[],
  render: RenderPage,
  shortLivedPaths: readonly string[] = [],
): Promise<void> {
  // Replaces the map, so that stale pages are no longer served and a page that an earlier run is still rendering is
  // discarded.
  const entries = new Map<string, CachedPage>();
  pageCache = entries;
  cachedYear = currentYear(env.practice.timeZone);
  const renderIntoCache = async (path: string) => {
    const expiresAt = shortLivedPaths.includes(path)
      ? now().getTime() + SHORT_LIVED_PAGE_TTL_MS
      : Number.POSITIVE_INFINITY;
    const response = await render(new Request(new URL(path, env.origin)));
    if (response.status !== 200 || response.headers.has("Set-Cookie"))
      throw new Error(`${path} can't be cached: ${response.status}`);
    entries.set(path, await createCachedPage(path, Buffer.from(await response.arrayBuffer()), expiresAt));
    await yieldToEventLoop();
  };
  refreshPages = (path) =>
    path === undefined
      ? warmPageCache(paths, render, shortLivedPaths)
      : renderIntoCache(path).catch((error: unknown) => logError(error, "rendering a cached page again"));
  for (const path of paths) await renderIntoCache(path);
}

/** Stops serving each cached page until it is rendered again. Resolves when all pages are rendered. */
export function refreshPageCache(): Promise<void> {
  return refreshPages();
}

async function createCachedPage(path: string, html: Buffer, expiresAt: number): Promise<CachedPage> {
  const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  const headers = {
    ...commonHeaders(path),
    "Content-Security-Policy": pageCsp(),
    Vary: "Accept-Encoding, Cookie",
    ETag: etag,
    "Cache-Control": "no-cache",
  };
  const encodeAs = async (encoding: Encoding) => {
    const body = await compress(html, encoding, MAX_BROTLI_QUALITY);
    return { rawHeaders: buildRawHeaders(headers, body, encoding), body };
  };
  // Compresses one after the other, so that requests are served in between.
  return {
    etag,
    expiresAt,
    retryAt: expiresAt,
    headers,
    br: await encodeAs("br"),
    gzip: await encodeAs("gzip"),
    identity: await encodeAs("identity"),
  };
}

function buildRawHeaders(baseHeaders: Record<string, string>, body: Buffer, encoding: Encoding): string[] {
  const headers: Record<string, string> = {
    ...baseHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": String(body.length),
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  };
  return Object.entries(headers).flat();
}
