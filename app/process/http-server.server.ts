import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { handlesExpectContinue, MAX_UPLOAD_MS } from "../documents/upload/upload-middleware.server.ts";
import { env } from "../env.server.ts";
import { limitBodyChunks } from "../http/request-body.server.ts";
import { enforceBodyTimeout } from "../http/body-timeout.server.ts";
import { enqueueRequest, enqueueUpgrade, trackConnection } from "../http/connections.server.ts";
import {
  addCommonHeaders,
  respondToClientError,
  CONNECTION_OPTIONS,
  MAX_HEADER_FIELDS,
  setWriteTimeout,
  rejectExpect,
  rejectConnect,
} from "../http/protocol-handlers.server.ts";
import { acquireClientIpSlot, isShuttingDown, trackInFlightRequest } from "../http/in-flight-requests.server.ts";
import { logRequest } from "../http/log.server.ts";
import { normalizeUrl } from "../http/request-guard.server.ts";
import { serveCachedPage } from "../http/page-cache.server.ts";
import { startUnreadResponseChecks } from "../http/unread-responses.server.ts";
import { OperatorError } from "../operator-error.ts";
import { handleUpgrade } from "../video/websocket-upgrade.server.ts";

/**
 * Maximum queue of new connections. With Node's default of 511, a thousand simultaneous connections are reset while the
 * process is busy.
 */
const LISTEN_BACKLOG = 4096;

/** Creates the HTTP server for `app`: its connections, cached pages, and the sockets of video visits. */
export function createHttpServer(app: Express): Server {
  const server = createServer({ ...CONNECTION_OPTIONS, requestTimeout: MAX_UPLOAD_MS });
  server.maxHeadersCount = MAX_HEADER_FIELDS;
  const enqueue = (request: IncomingMessage, response: ServerResponse, handle: () => void) => {
    limitBodyChunks(request);
    enqueueRequest(request, response, () => {
      normalizeUrl(request);
      handle();
    });
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    enqueue(request, response, () => handleRequest(app, request, response)),
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    enqueue(request, response, () => {
      if (!handlesExpectContinue(request)) response.writeContinue();
      handleRequest(app, request, response);
    }),
  );
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    enqueue(request, response, () => rejectExpect(request, response)),
  );
  server.on("connection", trackConnection);
  startUnreadResponseChecks();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    enqueueUpgrade(request.socket, () => {
      // In development, the build tool's own socket shares this server.
      if (!env.isDevelopment || request.url?.startsWith("/ws")) void handleUpgrade(request, socket, head);
    });
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex) =>
    enqueueUpgrade(request.socket, () => rejectConnect(request, socket)),
  );
  server.on("clientError", respondToClientError);
  return server;
}

/**
 * Starts listening. Resolves when the server accepts connections. Throws OperatorError if the operator can correct the
 * cause.
 */
export async function listen(server: Server): Promise<void> {
  const options = { port: env.port, host: env.host, backlog: LISTEN_BACKLOG };
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options, resolve)).catch(
    (error: unknown) => Promise.reject(explainListenError(error)),
  );
}

function handleRequest(app: Express, request: IncomingMessage, response: ServerResponse): void {
  setWriteTimeout(response);
  enforceBodyTimeout(request, response, handlesExpectContinue(request));
  if (!acquireClientIpSlot(request, response)) return;
  if (!isShuttingDown() && serveCachedPage(request, response)) return;
  addCommonHeaders(request, response);
  logRequest(request, response);
  if (trackInFlightRequest(request, response)) app(request, response);
}

/** Returns an OperatorError that explains why `listen` failed, or the error itself if it is not a known one. */
function explainListenError(error: unknown): unknown {
  const { port, host } = env;
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new OperatorError(`PORT ${port} is in use on ${host}. End the program that has it, or set another PORT.`);
    case "EACCES":
      return new OperatorError(`PORT ${port} is not open to this account. Set a PORT above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new OperatorError(`HOST ${host} is no address of this machine.`);
    default:
      return error;
  }
}
