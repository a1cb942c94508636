const SIGN_OUT_CHANNEL_NAME = "sign-in";

/**
 * Notifies all pages of this browser, including this one, that nobody is signed in. They then check with the server.
 */
export function broadcastSignOut(): void {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel(SIGN_OUT_CHANNEL_NAME);
  // A BroadcastChannel is limited to this origin and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null);
  channel.close();
}

/**
 * Calls `check` when a tab finds that nobody is signed in, and when this page becomes visible. Returns a function that
 * stops it.
 */
export function watchPossibleSignOut(check: () => void): () => void {
  const abortController = new AbortController();
  const { signal } = abortController;
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(SIGN_OUT_CHANNEL_NAME) : null;
  channel?.addEventListener("message", check, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && check(), { signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && check(), { signal });
  return () => {
    abortController.abort();
    channel?.close();
  };
}
