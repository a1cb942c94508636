/**
 * Pages for visitors are documents: the server's HTML is final, no script takes it over. A page says so in its
 * `handle`; an error page is always one, so that it needs nothing that may just have failed.
 */
export type PageHandle = { document?: true; kept?: true; paying?: true; calling?: true };

export function isDocument(matches: readonly { handle?: unknown }[], failed = false): boolean {
  return failed || matches.some(({ handle }) => (handle as PageHandle | undefined)?.document === true);
}

/** A page that takes a card says so in its `handle`: it alone may load the provider's script. */
export function isPaying(matches: readonly { handle?: unknown }[]): boolean {
  return matches.some(({ handle }) => (handle as PageHandle | undefined)?.paying === true);
}

/** The page of a video visit says so in its `handle`: it alone opens the socket. */
export function isCalling(matches: readonly { handle?: unknown }[]): boolean {
  return matches.some(({ handle }) => (handle as PageHandle | undefined)?.calling === true);
}
