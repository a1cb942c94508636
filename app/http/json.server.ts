import { type Refusal, STATUS } from "./outcome.ts";
import { accepted, type Outcome, refused } from "./outcome.ts";

const LARGEST_BODY_BYTES = 256 * 1024;

/** An answer for programs. Never stored: nearly all of it is about one person. */
export function jsonAnswer(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers: { "Cache-Control": "private, no-store", ...headers } });
}

export function refusalAnswer(refusal: Refusal, headers: Record<string, string> = {}): Response {
  const { message, errors, retryAfterSeconds } = refusal;
  const retry: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return jsonAnswer(errors ? { message, errors } : { message }, STATUS[refusal.reason], { ...retry, ...headers });
}

/** Reads a JSON object, at most 256 KiB of it. Absent is an empty object, so that missing fields are named one by one. */
export async function readJson(request: Request): Promise<Outcome<Record<string, unknown>>> {
  const bytes = await readLimited(request);
  if (!bytes) return refused("tooLarge", "That is more than this address takes.");
  if (bytes.length === 0) return accepted({});
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(request.headers.get("content-type") ?? "")) {
    return refused("unsupported", "Send the fields as JSON (Content-Type: application/json).");
  }
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return accepted(value as Record<string, unknown>);
  } catch {
    // Falls through to the one sentence that fits all of it.
  }
  return refused("malformed", "The body must be a JSON object.");
}

/** The whole body, or null when it is larger than any form of ours. */
export async function readLimited(request: Request): Promise<Buffer | null> {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST_BODY_BYTES) return null;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body ?? []) {
    size += part.length;
    if (size > LARGEST_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
