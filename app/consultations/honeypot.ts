/** A hidden field that only bots fill in. */
export const HONEYPOT_FIELD = "website";
/** When the page was rendered, in milliseconds since 1970. */
export const STARTED_AT_FIELD = "startedAt";

/** Nobody reads the form and writes a sentence in less; a browser that fills it in by itself may. */
const MIN_FILL_MS = 2_000;

/**
 * Why a form sent from the page looks like a program's, as a sentence; null when it doesn't. An honest check: it says
 * what to do, and programs that mean well have the API.
 */
export function honeypotProblem(form: FormData): string | null {
  return form.get(HONEYPOT_FIELD)
    ? "The field that should stay empty was filled in. Please empty it and send again."
    : null;
}

/**
 * How long a form that was sent sooner than people write has to wait before it is taken, in milliseconds. Waiting costs a
 * person a moment; a program that sends to many sites and does not wait for the answer gets nothing in.
 */
export function remainingDelayMs(form: FormData, now: Date): number {
  const elapsedMs = now.getTime() - Number(form.get(STARTED_AT_FIELD) ?? 0);
  return elapsedMs >= 0 && elapsedMs < MIN_FILL_MS ? MIN_FILL_MS - elapsedMs : 0;
}
