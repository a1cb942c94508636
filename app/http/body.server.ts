import type { IncomingMessage } from "node:http";
import { maxBodyBytes } from "./body-limits.server.ts";

/** Reading a chunk costs as much as reading a kilobyte: a body sent byte by byte would take seconds of CPU time. */
const MAX_CHUNKS = 4096;

/** Node requests whose body a middleware reads as a stream, or leaves unread. */
const streamedRequests = new WeakMap<object, IncomingMessage>();
const bodies = new WeakMap<Request, Promise<Buffer | null>>();

/** Reads the whole body, once. Returns null when it exceeds the limit of its path or arrives in too many chunks. */
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

/** Whether a middleware has read the body to its end, so that nothing is left for `readBody`. */
export function hasStreamedBodyEnded(nodeRequest: object): boolean {
  return streamedRequests.get(nodeRequest)?.readableEnded === true;
}

async function receiveBody(request: Request): Promise<Buffer | null> {
  const maxBytes = maxBodyBytes(new URL(request.url).pathname);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Released instead of canceled, as `for await` would do: canceling closes the connection before the client reads the
  // response.
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
 * The media type of a Content-Type header, in lower case, and its parameters. Null for none, and for several separated by
 * commas: of those, the code that counts a body's parts and its parser could choose different ones.
 */
export function parseMediaType(header: string | null | undefined): { type: string; parameters: string } | null {
  const match = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;([^,]*))?$/.exec(header ?? "");
  return match && { type: match[1]?.toLowerCase() ?? "", parameters: match[2] ?? "" };
}
