import type { IncomingMessage, ServerResponse } from "node:http";
import { maxBodyBytes } from "./body-limits.server.ts";

/**
 * Maximum number of chunks. Reading a chunk costs as much as reading a kilobyte, so a body sent byte by byte would take
 * seconds of CPU time.
 */
const MAX_CHUNKS = 4096;
/** Maximum number of chunks of any body, in addition to one chunk for each `BYTES_PER_CHUNK` bytes. */
const MAX_ANY_CHUNKS = 2 * MAX_CHUNKS;
/** Smaller than the chunks of any browser or proxy, in bytes. */
const BYTES_PER_CHUNK = 256;
/** Time for the response to a body of too many chunks. */
const RESPONSE_TIMEOUT_MS = 5_000;

/** Node requests whose body is read as a stream by middleware, or not read at all. */
const streamedRequests = new WeakMap<object, IncomingMessage>();
const bodies = new WeakMap<Request, Promise<Buffer | null>>();

/**
 * Reads the whole body once and returns the same result to later calls. Returns null when the body exceeds the limit of
 * its path or arrives in too many chunks.
 */
export function readBody(request: Request): Promise<Buffer | null> {
  const body = bodies.get(request) ?? receiveBody(request);
  bodies.set(request, body);
  return body;
}

/** Marks a Node request whose body `readBody` must not read. */
export function markBodyStreamed(nodeRequest: IncomingMessage): void {
  streamedRequests.set(nodeRequest, nodeRequest);
}

export function isBodyStreamed(nodeRequest: object): boolean {
  return streamedRequests.has(nodeRequest);
}

/** Returns whether middleware has read the body to its end, so that nothing remains for `readBody`. */
export function hasStreamedBodyEnded(nodeRequest: object): boolean {
  return streamedRequests.get(nodeRequest)?.readableEnded === true;
}

/**
 * Stops reading a body that arrives in too many chunks, streamed or not: each costs the process time and memory, whatever
 * its size. The connection is closed when the client has had time to read the response.
 */
export function enforceChunkLimit(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  let allowedChunks = MAX_ANY_CHUNKS;
  const push = request.push.bind(request);
  const stopReading = () => {
    socket.pause();
    if (response.writableFinished) socket.end();
    else response.once("finish", () => socket.end());
    setTimeout(() => socket.destroy(), RESPONSE_TIMEOUT_MS).unref();
  };
  // Node's parser calls this for each chunk of the body.
  request.push = (chunk: Buffer | null, ...others: []) => {
    if (allowedChunks < 0) return false;
    allowedChunks += (chunk?.length ?? 0) / BYTES_PER_CHUNK - 1;
    if (allowedChunks >= 0) return push(chunk, ...others);
    stopReading();
    return false;
  };
}

async function receiveBody(request: Request): Promise<Buffer | null> {
  const maxBytes = maxBodyBytes(new URL(request.url).pathname);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The reader is released, not canceled as `for await` would do: canceling closes the connection before the client
  // reads the response.
  const reader = request.body?.getReader();
  try {
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
      size += chunk.value.length;
      if (size > maxBytes || chunks.length === MAX_CHUNKS) return null;
      chunks.push(chunk.value);
    }
  } finally {
    reader?.releaseLock();
  }
  return Buffer.concat(chunks);
}

/**
 * Parses a Content-Type header into its media type in lower case and its parameters. Returns null if there is none, or
 * if there are several separated by commas: the code that counts a body's parts and the code that parses it could
 * choose different ones.
 */
export function parseMediaType(header: string | null | undefined): { type: string; parameters: string } | null {
  const match = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;([^,]*))?$/.exec(header ?? "");
  return match && { type: match[1]?.toLowerCase() ?? "", parameters: match[2] ?? "" };
}
