const MAX_PENDING = 5;
/** After this long the page that a message was for does not come any more; any other page then shows it. */
const ANY_PAGE_AFTER_MS = 10_000;
/** After this long it is no news. */
const EXPIRES_AFTER_MS = 5 * 60_000;

/** A message that waits for its page, sealed. `to` is that page's path, where it is known; `at` milliseconds since 1970. */
export type PendingFlash = { sealed: string; to?: string; at: number };

export function enqueueFlash(queue: readonly PendingFlash[], next: PendingFlash): PendingFlash[] {
  return [...queue.filter(({ at }) => at > next.at - EXPIRES_AFTER_MS), next].slice(-MAX_PENDING);
}

/** The latest message for the page at `path`: tabs that are at work at once on different pages each get their own. */
export function nextFlash(queue: readonly PendingFlash[], path: string, time: number): PendingFlash | undefined {
  return queue.findLast(({ to, at }) => to === undefined || to === path || at < time - ANY_PAGE_AFTER_MS);
}
