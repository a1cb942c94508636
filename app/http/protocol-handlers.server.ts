import type { IncomingMessage, ServerOptions, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { MINUTE_MS } from "../time-units.ts";
import { NON_HTML_CSP, commonHeaders } from "./security-headers.server.ts";
import { rejectSocket } from "./reject-socket.server.ts";

/**
 * How long an idle connection is kept open. Longer than common proxies keep an idle upstream connection (nginx and AWS
 * 60 s, Traefik 90 s, Caddy 120 s, Google 600 s). If the server closes it first, a request that is already being sent
 * is lost.
 */
const KEEP_ALIVE_MS = 620_000;
/** Maximum time from the first byte of a request to the end of its headers. Does not apply to idle connections. */
const HEADERS_TIMEOUT_MS = MINUTE_MS;
/** Maximum time in which a client reads no byte of a response. After it, the response is ended. */
const WRITE_TIMEOUT_MS = MINUTE_MS;

/**
 * Maximum number of header fields of a request (`maxHeadersCount`); Node's parser refuses one more. Browsers and proxies
 * send about forty together. A thousand short ones in 16 KB take a millisecond to process and occupy 100 KB.
 */
export const MAX_HEADER_FIELDS = 99;

/** Connection options of the HTTP server. Its `requestTimeout` is set where the server is created. */
export const CONNECTION_OPTIONS: ServerOptions = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  // Pages and the API check it in `guardAndSanitizeRequest`. Node's own response would pass by the limit of requests on a
  // connection.
  requireHostHeader: false,
  // Other upgrade offers (h2c from curl --http2 or Java's client) are ignored and handled as normal requests.
  shouldUpgradeCallback: ({ headers }) => /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? ""),
};

/**
 * Destroys the connection when a response that has started sends no byte for a minute. A response that has not started
 * is limited by the timeouts of its own work (a payment, an upload to a bucket).
 */
export function setWriteTimeout(response: ServerResponse): void {
  response.setTimeout(WRITE_TIMEOUT_MS, () => {
    if (response.headersSent) response.socket?.destroy();
    else response.socket?.setTimeout(WRITE_TIMEOUT_MS);
  });
}

/**
 * Adds the common headers just before the response's headers are written. Headers that the response has set are kept.
 */
export function addCommonHeaders(request: IncomingMessage, response: ServerResponse): void {
  const defaultHeaders = { ...commonHeaders(pathWithoutQuery(request)), "Content-Security-Policy": NON_HTML_CSP };
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    for (const [name, value] of Object.entries(defaultHeaders)) {
      if (!response.hasHeader(name)) response.setHeader(name, value);
    }
    return writeHead(...args);
  };
}

function pathWithoutQuery({ url = "/" }: IncomingMessage): string {
  return url.replace(/[?#].*$/, "");
}

/** Rejects a request with any `Expect` header other than `100-continue`, which Node handles itself. */
export function rejectExpect(request: IncomingMessage, response: ServerResponse): void {
  addCommonHeaders(request, response);
  response.writeHead(417, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" });
  response.end("This site does not support that expectation.\n");
}

/** Rejects CONNECT, because the server is not a proxy. */
export function rejectConnect(_request: IncomingMessage, socket: Duplex): void {
  rejectSocket(socket, 405, "That method is not allowed.", { Allow: "GET, HEAD, POST" });
}

const CLIENT_ERROR_RESPONSES: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "The headers of that request are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "That request is too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "That request took too long to arrive."],
};

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer };
const NON_HEAD_METHOD_PATTERN = /^(?!HEAD )[A-Z]+ /;

/**
 * Responds to requests that Node's parser rejects or that time out. Destroys the connection if a response has started.
 */
export function respondToClientError(error: ClientError, socket: Duplex & { bytesWritten?: number }): void {
  if (!socket.writable || error.code === "ECONNRESET" || hasStartedResponse(socket)) {
    socket.destroy();
    return;
  }
  const [status, message] = CLIENT_ERROR_RESPONSES[error.code ?? ""] ?? [400, "That request can't be read."];
  // A response to HEAD has no body. Long headers may come in several packets, of which only the last is known.
  const isBodyAllowed = status !== 431 || NON_HEAD_METHOD_PATTERN.test(error.rawPacket?.toString("latin1", 0, 8) ?? "");
  rejectSocket(socket, status, isBodyAllowed ? message : null);
}

/**
 * Checks whether a response has started: a second status line within a response would be read as its body. Node's
 * default handler does the same check.
 */
function hasStartedResponse(socket: Duplex): boolean {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
}
