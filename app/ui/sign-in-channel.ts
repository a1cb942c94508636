const CHANNEL = "sign-in";

/** Tells the other tabs of this browser that nobody is signed in here. They ask the server whether that is so. */
export function announceSignedOut(): void {
  if (!("BroadcastChannel" in window)) return;
  const channel = new BroadcastChannel(CHANNEL);
  // A channel reaches this origin alone and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null);
  channel.close();
}

/** Calls `ask` when another tab found nobody signed in, and when this page comes back into view, until the returned function is called. */
export function watchSignIn(ask: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(CHANNEL) : null;
  channel?.addEventListener("message", ask, { signal });
  window.addEventListener("pageshow", (event) => event.persisted && ask(), { signal });
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ask(), { signal });
  return () => {
    stop.abort();
    channel?.close();
  };
}
