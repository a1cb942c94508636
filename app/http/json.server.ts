import { maxBodyBytes } from "./body-limits.server.ts";
import { type Refusal, HTTP_STATUS } from "./outcome.ts";
import { accepted, type Outcome, refused } from "./outcome.ts";

/** Each piece of a body costs as much as a kilobyte of it: one that comes byte by byte would take seconds to read. */
const MAX_PIECES = 4096;
/** In all objects of a body together; the longest form has about forty. */
const MAX_KEYS = 1000;
const DUPLICATE_KEY_MESSAGE = "The body names a field twice. Send each field once.";
/** Of valid JSON: the names of fields, and where an object begins and ends. */
const KEY_OR_BRACE = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[{}]/g;

/** An answer for programs. Never stored: nearly all of it is about one person. */
export function jsonResponse(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { "Cache-Control": "private, no-store", ...headers } });
}

export function errorResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
  const { message, errors, retryAfterSeconds } = refusal;
  const retryHeaders: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return jsonResponse(errors ? { message, errors } : { message }, HTTP_STATUS[refusal.reason], {
    ...retryHeaders,
    ...headers,
  });
}

/** Reads a JSON object, at most as long as its path may have it (`maxBodyBytes`). Absent is an empty object, so that missing fields are named one by one. */
export async function readJson(request: Request): Promise<Outcome<Record<string, unknown>>> {
  const bytes = await readBody(request);
  if (!bytes) return refused("tooLarge", "That is more than this address takes.");
  if (bytes.length === 0) return accepted({});
  if (!["", "identity"].includes(request.headers.get("content-encoding") ?? "")) {
    return refused("unsupported", "Send the fields as they are, not compressed.");
  }
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    return refused("unsupported", "Send the fields as JSON (Content-Type: application/json).");
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const problem = findKeyProblem(text);
      return problem ? refused("malformed", problem) : accepted(value as Record<string, unknown>);
    }
  } catch {
    // Falls through to the one sentence that fits all of it.
  }
  return refused("malformed", "The body must be a JSON object.");
}

/** Two programs that read one text must not read two meanings: a proxy may take the first of two, JSON.parse the last. */
function findKeyProblem(json: string): string | null {
  let count = 0;
  const openObjects: Set<string>[] = [];
  for (const [token, quoted = "", isKey] of json.matchAll(KEY_OR_BRACE)) {
    if (token === "{") openObjects.push(new Set());
    else if (token === "}") openObjects.pop();
    else if (isKey) {
      const keys = openObjects.at(-1);
      const key = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
      if (keys?.has(key)) return DUPLICATE_KEY_MESSAGE;
      if ((count += 1) > MAX_KEYS) return "The body names too many fields.";
      keys?.add(key);
    }
  }
  return null;
}

/** The whole body, or null when it is larger than any form of ours, or comes in smaller pieces than networks make. */
export async function readBody(request: Request): Promise<Buffer | null> {
  const maxBytes = maxBodyBytes(new URL(request.url).pathname);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Released and not cancelled, as `for await` would: that cuts the connection before its sender reads the answer.
  const reader = request.body?.getReader();
  try {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
      size += piece.value.length;
      if (size > maxBytes || chunks.length === MAX_PIECES) return null;
      chunks.push(piece.value);
    }
  } finally {
    reader?.releaseLock();
  }
  return Buffer.concat(chunks);
}
