let fixed: (() => Date) | null = null;

/** The one source of the present moment. */
export function now(): Date {
  return fixed ? fixed() : new Date();
}

/** Lets a test stand at a chosen moment; null returns to the real clock. */
export function setNow(clock: (() => Date) | null): void {
  fixed = clock;
}
