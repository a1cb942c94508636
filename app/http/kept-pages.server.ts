import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as letOthersGo } from "node:timers/promises";
import { yearIn } from "../clock.ts";
import { env } from "../env.server.ts";
import { chooseEncoding, compress, type Encoding } from "./compress.server.ts";
import { COMMON_HEADERS, pagePolicy } from "./headers.server.ts";
import { countKept } from "./log.server.ts";
import { carriesOwnLook, isOwnHost } from "./own-site.server.ts";

const DENSEST = 11;

type KeptPage = Record<Encoding, { head: string[]; body: Buffer }> & { etag: string };

/** Renders a page for nobody in particular: the request given to it carries no header of any visitor. */
export type RenderPage = (request: Request) => Promise<Response>;

let pages = new Map<string, KeptPage>();
let year = 0;
let refresh = async () => {};

/**
 * Answers a public page from memory, compressed once, when the visitor carries nothing of their own; says false otherwise,
 * and the page is rendered as usual. A kept page is made from a request without headers, so it can hold nothing of
 * a person, and anew with each year (the footer names it) and each process (configuration and build).
 */
export function answerKept(request: IncomingMessage, response: ServerResponse): boolean {
  if (pages.size === 0 || (request.method !== "GET" && request.method !== "HEAD")) return false;
  const page = pages.get(request.url ?? "");
  if (!page || carriesOwnLook(request.headers.cookie) || !isOwnHost(request)) return false;
  if (yearIn(env.practice.timeZone) !== year) {
    void refresh();
    return false;
  }

  countKept();
  if (request.headers["if-none-match"] === page.etag) {
    response.writeHead(304, { ...headersOf(page.etag), "Cache-Control": "no-cache" });
    response.end();
    return true;
  }
  const copy = page[chooseEncoding(request.headers["accept-encoding"])];
  response.writeHead(200, copy.head);
  response.end(request.method === "HEAD" ? undefined : copy.body);
  return true;
}

/** Renders the named pages and keeps them, one after the other, while visitors are answered. In development nothing is kept. */
export async function keepPages(paths: readonly string[], render: RenderPage): Promise<void> {
  // Until each is made anew, none is answered from memory; one that is still being made for the year before goes nowhere.
  const made = new Map<string, KeptPage>();
  pages = made;
  year = yearIn(env.practice.timeZone);
  refresh = () => keepPages(paths, render);
  for (const path of paths) {
    const response = await render(new Request(new URL(path, env.origin)));
    if (response.status !== 200 || response.headers.has("Set-Cookie"))
      throw new Error(`${path} can't be kept: ${response.status}`);
    made.set(path, await keep(Buffer.from(await response.arrayBuffer())));
    await letOthersGo();
  }
}

async function keep(html: Buffer): Promise<KeptPage> {
  const etag = `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  const as = async (encoding: Encoding) => {
    const body = await compress(html, encoding, DENSEST);
    return { head: headOf(body, encoding, etag), body };
  };
  // Not at once: visitors are answered meanwhile.
  return { etag, br: await as("br"), gzip: await as("gzip"), identity: await as("identity") };
}

function headersOf(etag: string): Record<string, string> {
  const policy = { "Content-Security-Policy": pagePolicy() };
  return { ...COMMON_HEADERS, ...policy, Vary: "Accept-Encoding, Cookie", ETag: etag };
}

function headOf(body: Buffer, encoding: Encoding, etag: string): string[] {
  const headers: Record<string, string> = {
    ...headersOf(etag),
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-cache",
    "Content-Length": String(body.length),
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
  };
  return Object.entries(headers).flat();
}
