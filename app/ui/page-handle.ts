/**
 * Properties of a page. A `cache` page is served to visitors from memory; with "minute" it is rendered again after a
 * minute. An `unhydrated` page is complete as HTML. Error pages are never hydrated, so that they don't depend on
 * anything that may have failed.
 */
export type PageHandle = { unhydrated?: true; cache?: true | "minute"; payment?: true; videoCall?: true };

export function isUnhydratedPage(matches: readonly { handle?: unknown }[], isError = false): boolean {
  return isError || matches.some(({ handle }) => (handle as PageHandle | undefined)?.unhydrated === true);
}

/** Whether a matched route has `handle.payment`: only such pages may load the provider's script. */
export function isPaymentPage(matches: readonly { handle?: unknown }[]): boolean {
  return matches.some(({ handle }) => (handle as PageHandle | undefined)?.payment === true);
}

/** Whether a matched route has `handle.videoCall`: only such pages may open the WebSocket. */
export function isVideoCallPage(matches: readonly { handle?: unknown }[]): boolean {
  return matches.some(({ handle }) => (handle as PageHandle | undefined)?.videoCall === true);
}
