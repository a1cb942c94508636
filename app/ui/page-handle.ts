/**
 * Pages for visitors are documents: the server's HTML is final, no script takes it over. A page says so in its
 * `handle`; an error page is always one, so that it needs nothing that may just have failed.
 */
export type PageHandle = { static?: true; cache?: true; payment?: true; videoCall?: true };

export function isStaticPage(matches: readonly { handle?: unknown }[], isError = false): boolean {
  return isError || matches.some(({ handle }) => (handle as PageHandle | undefined)?.static === true);
}

/** A page that takes a card says so in its `handle`: it alone may load the provider's script. */
export function isPaymentPage(matches: readonly { handle?: unknown }[]): boolean {
  return matches.some(({ handle }) => (handle as PageHandle | undefined)?.payment === true);
}

/** The page of a video visit says so in its `handle`: it alone opens the socket. */
export function isVideoCallPage(matches: readonly { handle?: unknown }[]): boolean {
  return matches.some(({ handle }) => (handle as PageHandle | undefined)?.videoCall === true);
}
