const CHANNEL = "sign-in";

/**
 * Notifies all pages of this browser, including this one, that nobody is signed in. They then check with the server.
 */
export function broadcastSignOut(): void {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel(CHANNEL);
  // A BroadcastChannel is limited to this origin and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null);
  channel.close();
}

/**
 * Calls `check` when a tab finds that nobody is signed in, and when this page becomes visible. Returns a function that
 * stops it.
 */
export function watchSignOut(check: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : null;
  channel?.addEventListener("message", check, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && check(), { signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && check(), { signal });
  return () => {
    stop.abort();
    channel?.close();
  };
}
