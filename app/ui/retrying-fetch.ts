/** Delays before the retries; later retries use MAX_RETRY_DELAY_MS. */
const RETRY_DELAYS_MS = [1000, 2000, 4000];
const MAX_RETRY_DELAY_MS = 5000;
/** Statuses with which a proxy responds if it can't reach the server. */
const GATEWAY_ERROR_STATUSES: number[] = [502, 503, 504];
/** React Router's encoding of an action without a result: the page stays unchanged, with its fields. */
const EMPTY_ACTION_RESULT = '[{"_1":-5},"data"]\n';

type ConnectionEvents = {
  /** Called when a form got no response. The server may or may not have processed it. */
  onSubmitFailed: () => void;
  /** Called when loading a page is retried. */
  onRetry: () => void;
  onRecovered: () => void;
};

/**
 * Replaces `fetch` for React Router's `.data` requests. Without this, a failed request shows the error page and loses
 * the input, even when the browser reports that it is online. With it, loading a page is retried until it succeeds or
 * is aborted, and a form without a response leaves the page unchanged. Returns a function that restores `fetch`.
 */
export function installRetryingFetch(events: ConnectionEvents): () => void {
  const originalFetch = window.fetch;
  let isOffline = false;
  window.fetch = async (input, init) => {
    if (!isRouterDataFetch(input)) return originalFetch(input, init);
    const isForm = init?.method !== undefined && init.method !== "GET";
    for (let attempt = 0; ; attempt += 1) {
      const response = await originalFetch(input, init).catch(nullOnNetworkError);
      if (response && !isProxyErrorResponse(response)) {
        if (isOffline) events.onRecovered();
        isOffline = false;
        return response;
      }
      isOffline = true;
      if (isForm) {
        events.onSubmitFailed();
        return new Response(EMPTY_ACTION_RESULT, { status: 400, headers: { "X-Remix-Response": "yes" } });
      }
      events.onRetry();
      await waitBeforeRetry(RETRY_DELAYS_MS[attempt] ?? MAX_RETRY_DELAY_MS, init?.signal);
    }
  };
  return () => {
    window.fetch = originalFetch;
  };
}

function isRouterDataFetch(input: RequestInfo | URL): boolean {
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input, window.location.href);
  return origin === window.location.origin && pathname.endsWith(".data");
}

/** Returns null for a network error. Rethrows other errors, such as an abort, which is not a lost connection. */
function nullOnNetworkError(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

function isProxyErrorResponse({ status, headers }: Response): boolean {
  return GATEWAY_ERROR_STATUSES.includes(status) && !headers.has("X-Remix-Response");
}

function waitBeforeRetry(delayMs: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const settle = (callback: () => void) => () => {
      clearTimeout(timer);
      controller.abort();
      callback();
    };
    const timer = setTimeout(settle(resolve), delayMs);
    window.addEventListener("online", settle(resolve), { signal: controller.signal });
    signal?.addEventListener(
      "abort",
      settle(() => reject(signal.reason as Error)),
      { signal: controller.signal },
    );
  });
}
