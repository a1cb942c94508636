import type { IncomingMessage } from "node:http";
import { hasDeclaredBody, maxBodyBytes } from "./body-limits.server.ts";
import { destroyConnection } from "./http-connections.server.ts";
import { receiveThenRequeue } from "./fair-queue/fair-queue-middleware.server.ts";

/** Maximum number of chunks of a body, in addition to one chunk for each `BYTES_PER_EXTRA_CHUNK` bytes. */
const MAX_CHUNKS = 256;
/** Smaller than the chunks of any client that sends many, in bytes. */
const BYTES_PER_EXTRA_CHUNK = 128;
/** Size up to which small chunks are joined, in bytes. */
const MAX_JOINED_CHUNK_BYTES = 16 * 1024;

/** Node requests whose body is read as a stream by middleware, or not read at all. */
const streamedRequests = new WeakMap<object, IncomingMessage>();
const bodiesByRequest = new WeakMap<Request, Promise<Buffer | null>>();

/**
 * Reads the whole body once and returns the same result to later calls. Returns null when the body exceeds the limit of
 * its path.
 */
export function readBody(request: Request): Promise<Buffer | null> {
  const body = bodiesByRequest.get(request) ?? receiveThenRequeue(() => receiveBody(request));
  bodiesByRequest.set(request, body);
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
 * Joins the small chunks of a body as they arrive, because each costs the process as much time and memory as a kilobyte,
 * and closes the connection of a body that arrives in too many. Must be called before any chunk can arrive.
 */
export function joinAndLimitBodyChunks(request: IncomingMessage): void {
  if (!hasDeclaredBody(request)) return;
  const push = request.push.bind(request);
  let chunkAllowance = MAX_CHUNKS;
  let joinedChunk: Buffer | null = null;
  let joinedLength = 0;
  const flush = () => {
    if (joinedChunk) push(joinedChunk.subarray(0, joinedLength));
    joinedChunk = null;
  };
  const join = (chunk: Buffer) => {
    if (joinedChunk && joinedLength + chunk.length > MAX_JOINED_CHUNK_BYTES) flush();
    if (!joinedChunk) {
      joinedChunk = chunk;
      joinedLength = chunk.length;
      return;
    }
    if (joinedChunk.length < MAX_JOINED_CHUNK_BYTES) {
      const larger = Buffer.allocUnsafeSlow(MAX_JOINED_CHUNK_BYTES);
      joinedChunk.copy(larger);
      joinedChunk = larger;
    }
    chunk.copy(joinedChunk, joinedLength);
    joinedLength += chunk.length;
  };
  // Node's parser calls this for each chunk, and with null at the end.
  request.push = (chunk: Buffer | null, ...pushArguments: []) => {
    if (chunk !== null && chunk.length < MAX_JOINED_CHUNK_BYTES) {
      chunkAllowance = Math.min(chunkAllowance + chunk.length / BYTES_PER_EXTRA_CHUNK, MAX_CHUNKS) - 1;
      if (chunkAllowance < 0) destroyConnection(request.socket);
      else join(chunk);
      // False stops the reading until the stream is read.
      return chunkAllowance >= 0 && request.readableLength < request.readableHighWaterMark;
    }
    // A body that was cut off never ends, so that it is not processed.
    if (chunkAllowance < 0) return false;
    flush();
    return push(chunk, ...pushArguments);
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
      if (size > maxBytes) return null;
      chunks.push(chunk.value);
    }
  } finally {
    reader?.releaseLock();
  }
  return Buffer.concat(chunks);
}

export const MULTIPART_MEDIA_TYPE = "multipart/form-data";

/**
 * Parses a Content-Type header into its media type in lower case and its parameters. Returns null if there is none, or
 * if there are several separated by commas: the code that counts a body's parts and the code that parses it could
 * choose different ones.
 */
export function parseMediaType(header: string | null | undefined): { type: string; parameters: string } | null {
  const match = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;([^,]*))?$/.exec(header ?? "");
  return match && { type: match[1]?.toLowerCase() ?? "", parameters: match[2] ?? "" };
}
