const MOST = 5;
/** After this long the page that a message was for does not come any more; any other page then shows it. */
const LOST_AFTER_MS = 10_000;
/** After this long it is no news. */
const STALE_AFTER_MS = 5 * 60_000;

/** A message that waits for its page, sealed. `to` is that page's path, where it is known; `at` milliseconds since 1970. */
export type WaitingNotice = { sealed: string; to?: string; at: number };

export function withNotice(waiting: readonly WaitingNotice[], next: WaitingNotice): WaitingNotice[] {
  return [...waiting.filter(({ at }) => at > next.at - STALE_AFTER_MS), next].slice(-MOST);
}

/** The latest message for the page at `path`: tabs that are at work at once on different pages each get their own. */
export function noticeFor(waiting: readonly WaitingNotice[], path: string, time: number): WaitingNotice | undefined {
  return waiting.findLast(({ to, at }) => to === undefined || to === path || at < time - LOST_AFTER_MS);
}
