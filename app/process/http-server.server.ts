import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Express } from "express";
import { shouldUploadSendContinue, MAX_UPLOAD_MS } from "../documents/upload/upload-middleware.server.ts";
import { env } from "../env.server.ts";
import { joinAndLimitBodyChunks } from "../http/request-body.server.ts";
import { enforceBodyTimeout } from "../http/body-timeout.server.ts";
import { enqueueRequest, enqueueUpgrade, admitConnection } from "../http/http-connections.server.ts";
import {
  addCommonHeaders,
  respondToClientError,
  CONNECTION_OPTIONS,
  MAX_HEADER_FIELDS,
  setWriteTimeout,
  rejectExpect,
  rejectConnect,
} from "../http/protocol-handlers.server.ts";
import { admitRequestOfClientIp, isShuttingDown, admitInFlightRequest } from "../http/in-flight-requests.server.ts";
import { assignRequestIdAndLog } from "../http/log.server.ts";
import { normalizeRequestPath } from "../http/request-guard.server.ts";
import { serveCachedPage } from "../http/page-cache.server.ts";
import { startSlowReaderChecks } from "../http/slow-reader-limits.server.ts";
import { OperatorError } from "../operator-error.ts";
import { handleWebSocketUpgrade } from "../video/websocket-upgrade.server.ts";

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
    joinAndLimitBodyChunks(request);
    enqueueRequest(request, response, () => {
      normalizeRequestPath(request);
      handle();
    });
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    enqueue(request, response, () => handleRequest(app, request, response)),
  );
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    enqueue(request, response, () => {
      if (!shouldUploadSendContinue(request)) response.writeContinue();
      handleRequest(app, request, response);
    }),
  );
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) =>
    enqueue(request, response, () => rejectExpect(request, response)),
  );
  server.on("connection", admitConnection);
  startSlowReaderChecks();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    enqueueUpgrade(request.socket, () => {
      // In development, the build tool's own socket shares this server.
      if (!env.isDevelopment || request.url?.startsWith("/ws")) void handleWebSocketUpgrade(request, socket, head);
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
  enforceBodyTimeout(request, response, shouldUploadSendContinue(request));
  if (!admitRequestOfClientIp(request, response)) return;
  if (!isShuttingDown() && serveCachedPage(request, response)) return;
  addCommonHeaders(request, response);
  assignRequestIdAndLog(request, response);
  if (admitInFlightRequest(request, response)) app(request, response);
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
