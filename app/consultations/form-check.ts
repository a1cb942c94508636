/** A field that no person sees; programs that fill in everything do. */
export const TRAP = "website";
/** When the page was made, in milliseconds since 1970. */
export const STARTED_AT = "startedAt";

/** Nobody reads the form and writes a sentence in less. */
const LEAST_SECONDS = 3;

/**
 * Why a form sent from the page looks like a program's, as a sentence; null when it doesn't. An honest check: it says
 * what to do, and programs that mean well have the API.
 */
export function looksAutomatic(form: FormData, now: Date): string | null {
  if (form.get(TRAP)) return "The field that should stay empty was filled in. Please empty it and send again.";
  const startedAt = Number(form.get(STARTED_AT) ?? 0);
  const tooQuick = startedAt > now.getTime() - LEAST_SECONDS * 1000 && startedAt <= now.getTime();
  return tooQuick ? "That was very quick. Please check what you wrote and send it again in a few seconds." : null;
}
