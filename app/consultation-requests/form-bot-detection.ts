/** A hidden field that only bots fill in. */
export const HONEYPOT_FIELD = "website";
/** When the page was rendered, in milliseconds since 1970. */
export const STARTED_AT_FIELD = "startedAt";

/** Minimum time, in milliseconds, that a person needs to read and fill in the form. */
const MIN_FILL_MS = 2_000;

/**
 * Returns a sentence for the sender that says why a form looks like a bot's; null if it does not. Programs can use the
 * API instead.
 */
export function honeypotError(form: FormData): string | null {
  return form.get(HONEYPOT_FIELD)
    ? "Something filled in a hidden field, as spam programs do. Please send your request again."
    : null;
}

/**
 * Returns the milliseconds by which to delay a form that was filled in faster than people type. A bot that does not
 * wait for the response creates no request.
 */
export function computeFastSubmissionDelayMs(form: FormData, now: Date): number {
  const elapsedMs = now.getTime() - Number(form.get(STARTED_AT_FIELD) ?? 0);
  return elapsedMs >= 0 && elapsedMs < MIN_FILL_MS ? MIN_FILL_MS - elapsedMs : 0;
}
