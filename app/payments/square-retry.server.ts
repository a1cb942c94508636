import { SquareError } from "square";
import { runWithSlotReleased } from "../http/fair-queue/fair-queue-middleware.server.ts";
import type { GatewayResult, GatewayError } from "./payment-gateway.ts";

const MAX_ATTEMPTS = 4;
const ATTEMPT_TIMEOUT_MS = 6_000;
const INITIAL_RETRY_DELAY_MS = 250;
const UNKNOWN_ERROR_DETAIL = "The card provider could not answer.";

type RequestOptions = { abortSignal: AbortSignal; maxRetries: 0 };

/**
 * Calls Square until the outcome is certain (success, declined, refused), at most four times with exponential delay,
 * and never past `deadline`. `request` must send the same idempotency key on every attempt.
 */
export function withRetries<T>(
  deadline: AbortSignal,
  request: (options: RequestOptions) => Promise<T>,
): Promise<GatewayResult<T>> {
  return runWithSlotReleased(() => retryUntilConclusive(deadline, request));
}

async function retryUntilConclusive<T>(
  deadline: AbortSignal,
  request: (options: RequestOptions) => Promise<T>,
): Promise<GatewayResult<T>> {
  for (let attempts = 1, delayMs = INITIAL_RETRY_DELAY_MS; ; attempts++, delayMs *= 2) {
    const result = await attemptOnce(deadline, request);
    if (result.ok || result.kind === "declined" || result.kind === "refused") return result;
    if (attempts === MAX_ATTEMPTS || deadline.aborted || !(await sleepUnlessAborted(delayMs, deadline))) return result;
  }
}

/** Converts a 404 to a null value, for lookups. */
export async function nullIfNotFound<T>(request: Promise<GatewayResult<T>>): Promise<GatewayResult<T | null>> {
  const result = await request;
  return !result.ok && result.notFound ? { ok: true, value: null } : result;
}

async function attemptOnce<T>(
  deadline: AbortSignal,
  request: (options: RequestOptions) => Promise<T>,
): Promise<GatewayResult<T>> {
  const abortSignal = AbortSignal.any([deadline, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
  try {
    // The timeout of the package covers only the response headers; the body may then arrive arbitrarily slowly.
    const value = await Promise.race([request({ abortSignal, maxRetries: 0 }), rejectOnAbort(abortSignal)]);
    return { ok: true, value };
  } catch (error) {
    return abortSignal.aborted ? createGatewayError("timeout", UNKNOWN_ERROR_DETAIL) : toGatewayError(error);
  }
}

/**
 * Classifies an error by whether its outcome is certain. Source:
 * https://developer.squareup.com/docs/build-basics/general-considerations/handling-errors
 */
function toGatewayError(error: unknown): GatewayError {
  if (!(error instanceof SquareError)) return createGatewayError("failed", UNKNOWN_ERROR_DETAIL);
  const { statusCode = 0, errors } = error;
  const { detail = UNKNOWN_ERROR_DETAIL, code } = errors[0] ?? {};
  if (statusCode === 401 || statusCode === 403) return createGatewayError("refused", detail);
  if (statusCode === 404) return { ...createGatewayError("declined", detail), notFound: true };
  const isCertain = statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429;
  return { ...createGatewayError(isCertain ? "declined" : "failed", detail), ...(code && { code }) };
}

function createGatewayError(kind: GatewayError["kind"], detail: string): GatewayError {
  return { ok: false, kind, detail };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
}

/** Waits for a delay. Resolves to false when the deadline comes first. */
function sleepUnlessAborted(milliseconds: number, deadline: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(true), milliseconds);
    const onAbort = () => finish(false);
    deadline.addEventListener("abort", onAbort, { once: true });
    function finish(isElapsed: boolean) {
      clearTimeout(timer);
      deadline.removeEventListener("abort", onAbort);
      resolve(isElapsed);
    }
  });
}
