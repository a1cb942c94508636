import { parseMediaType, readBody } from "./body.server.ts";
import { accepted, HTTP_STATUS, type Outcome, type Refusal, refused } from "./outcome.ts";

/** Maximum keys of all objects of a body together. The longest form has about forty keys. */
const MAX_KEYS = 1000;
/** Maximum nesting of a body. The deepest form has two levels. */
const MAX_DEPTH = 16;
const JSON_TYPE = /^application\/([\w.+-]+\+)?json$/;
const DUPLICATE_KEY_MESSAGE = "The body names a field twice. Send each field once.";
/** Matches strings (with a colon if they are keys) and braces in valid JSON. */
const KEY_OR_BRACE = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[{}]/g;

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

export function refusalResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
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
export async function readJson(request: Request): Promise<Outcome<Record<string, unknown>>> {
  const bytes = await readBody(request);
  if (!bytes) return refused("tooLarge", "That is more than this address takes.");
  if (bytes.length === 0) return accepted({});
  if (!["", "identity"].includes(request.headers.get("content-encoding") ?? "")) {
    return refused("unsupported", "Send the fields as they are, not compressed.");
  }
  if (!JSON_TYPE.test(parseMediaType(request.headers.get("content-type"))?.type ?? "")) {
    return refused("unsupported", "Send the fields as JSON (Content-Type: application/json).");
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (isTooDeep(text)) return refused("malformed", "The body is nested too deeply.");
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const problem = findKeyError(text);
      return problem ? refused("malformed", problem) : accepted(value as Record<string, unknown>);
    }
  } catch {
    // The response below covers invalid UTF-8 and invalid JSON.
  }
  return refused("malformed", "The body must be a JSON object.");
}

/** Runs before JSON.parse, which takes a hundred times as long for nested arrays as for as many characters of text. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return false;
}

/**
 * Returns an error message for duplicate or too many keys, otherwise null. Of duplicate keys, a proxy may use the first
 * value, while JSON.parse uses the last.
 */
function findKeyError(json: string): string | null {
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
