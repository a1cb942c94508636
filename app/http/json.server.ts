import { parseMediaType, readBody } from "./request-body.server.ts";
import { findExceededJsonLimit, type JsonLimits } from "./json-limits.ts";
import { accepted, HTTP_STATUS, type Outcome, type Refusal, refused } from "./outcome.ts";

/** The longest form has about forty keys; the deepest has two levels. */
const JSON_BODY_LIMITS: JsonLimits = { keys: 1000, containers: 1000, commas: 20_000, depth: 16 };
const JSON_MEDIA_TYPE_PATTERN = /^application\/([\w.+-]+\+)?json$/;
const DUPLICATE_KEY_MESSAGE = "The body names a field twice. Send each field once.";
/** Matches strings (with a colon if they are keys) and braces in valid JSON. */
const KEY_OR_BRACE_PATTERN = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[{}]/g;

declare const content: unique symbol;
/** A response whose status and JSON type are known to the compiler. */
export type JsonResponse<T, Status extends number> = Response & { readonly [content]?: { value: T; status: Status } };

/** Builds a JSON response of the API. It is not cacheable, because nearly all responses are about one person. */
export function jsonResponse<const T, const Status extends number = 200>(
  value: T,
  status = 200 as Status,
  headers: Record<string, string> = {},
): JsonResponse<T, Status> {
  return Response.json(value, { status, headers: { "Cache-Control": "private, no-store", ...headers } });
}

export function jsonRefusalResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
  const { message, errors, retryAfterSeconds } = refusal;
  const retryHeaders: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
  return jsonResponse(errors ? { message, errors } : { message }, HTTP_STATUS[refusal.reason], {
    ...retryHeaders,
    ...headers,
  });
}

/**
 * Reads a JSON object of at most `maxBodyBytes`. An absent body counts as an empty object, so that validation names
 * each missing field. Refusals: tooLarge, unsupported, malformed.
 */
export async function readJsonObject(request: Request): Promise<Outcome<Record<string, unknown>>> {
  const bytes = await readBody(request);
  if (!bytes) return refused("tooLarge", "That is more than this address takes.");
  if (bytes.length === 0) return accepted({});
  if (!["", "identity"].includes(request.headers.get("content-encoding") ?? "")) {
    return refused("unsupported", "Send the fields as they are, not compressed.");
  }
  if (!JSON_MEDIA_TYPE_PATTERN.test(parseMediaType(request.headers.get("content-type"))?.type ?? "")) {
    return refused("unsupported", "Send the fields as JSON (Content-Type: application/json).");
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const exceededLimit = findExceededJsonLimit(text, JSON_BODY_LIMITS);
    if (exceededLimit === "depth") return refused("malformed", "The body is nested too deeply.");
    if (exceededLimit === "keys") return refused("malformed", "The body names too many fields.");
    if (exceededLimit) return refused("malformed", "The body has too many lists, objects or values.");
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const hasDuplicate = hasDuplicateKey(text);
      return hasDuplicate ? refused("malformed", DUPLICATE_KEY_MESSAGE) : accepted(value as Record<string, unknown>);
    }
  } catch {
    // The response below covers invalid UTF-8 and invalid JSON.
  }
  return refused("malformed", "The body must be a JSON object.");
}

/** Checks for duplicate keys. A proxy may use the first value, while JSON.parse uses the last. */
function hasDuplicateKey(json: string): boolean {
  const openObjects: Set<string>[] = [];
  for (const [token, quoted = "", isKey] of json.matchAll(KEY_OR_BRACE_PATTERN)) {
    if (token === "{") openObjects.push(new Set());
    else if (token === "}") openObjects.pop();
    else if (isKey) {
      const keys = openObjects.at(-1);
      const key = quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}
