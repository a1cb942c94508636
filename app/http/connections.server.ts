import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { NON_HTML_CSP, commonHeaders } from "./headers.server.ts";
import { refuseSocket } from "./socket-refusal.server.ts";

/**
 * Longer than any proxy keeps an idle connection to us (nginx and AWS 60 s, Traefik 90 s, Caddy 120 s, Google 600 s):
 * whoever closes first must be the proxy, or a busy process closes a connection on which a request has just come.
 */
const KEEP_ALIVE_MS = 620_000;
/** From the first byte of a request to the end of its headers; an idle connection is not counted. */
const HEADERS_MS = 60_000;
/** An answer that has begun and of which no byte is taken for so long is ended. */
const MAX_STALL_MS = 60_000;

/** How the server treats its connections, beside the limit for a whole request. */
export const CONNECTION_OPTIONS: ServerOptions = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_MS,
  // An offer to go on in another protocol (h2c: curl --http2, Java's client) may be left alone: it is a normal request.
  shouldUpgradeCallback: ({ headers }) => /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? ""),
};

/**
 * Ends an answer that moves no byte for a minute, whatever it is made of: its reader, or what it is read from, is gone
 * or plays dead. One that has not begun is left to the limits of its own work (a payment, an upload into a bucket).
 */
export function limitStall(response: ServerResponse): void {
  response.setTimeout(MAX_STALL_MS, () => {
    if (response.headersSent) response.socket?.destroy();
    else response.socket?.setTimeout(MAX_STALL_MS);
  });
}

/** Gives an answer what all answers carry, just before it leaves, unless it says otherwise itself. */
export function addCommonHeaders(request: IncomingMessage, response: ServerResponse): void {
  const common = { ...commonHeaders(pathOf(request)), "Content-Security-Policy": NON_HTML_CSP };
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    for (const [name, value] of Object.entries(common)) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    return writeHead(...head);
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.replace(/[?#].*$/, "");
}

/** Node itself answers `Expect: 100-continue`, which is the only expectation there is. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  addCommonHeaders(request, response);
  response.writeHead(417, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end("This site knows no such expectation.\n");
}

/** We are nobody's proxy. */
export function refuseTunnel(_request: IncomingMessage, socket: Duplex): void {
  refuseSocket(socket, 405, "That method is not allowed.", { Allow: "GET, HEAD, POST" });
}

const PARSER_REFUSALS: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "The headers of that request are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "That request is too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "That request took too long to arrive."],
};

/** What Node's parser could not read, or did not want to wait for. An answer that has begun is cut off instead. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex & { bytesWritten?: number }): void {
  if (!socket.writable || error.code === "ECONNRESET" || hasBegunAnswer(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = PARSER_REFUSALS[error.code ?? ""] ?? [400, "That request can't be read."];
  refuseSocket(socket, status, message);
}

/** Node's own handler asks the same: a second status line in the midst of an answer would be taken for its body. */
function hasBegunAnswer(socket: Duplex): boolean {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
}
