import { useEffect, useRef, useState } from "react";
import { saveFormAndGoToLogin } from "../accounts/sessions/redirect-to-login.ts";

/** The administrator's refresh interval (docs/product.md). */
const POLL_INTERVAL_MS = 5000;

type PollOptions = {
  /** The interval while the tab is hidden, for data that must not be missed. By default a hidden tab does not poll. */
  hiddenIntervalMs?: number;
  /** Updates the page with changed data. */
  apply?: (update: () => void) => void;
};

const applyDirectly = (update: () => void) => update();

/**
 * Polls a page's data every 5 s while the page is visible and not paused. Polling does not count as activity, so an
 * idle administrator is still signed out. While nothing has changed the response is 304 and nothing is rendered. `url`
 * must return the same data as the page's loader.
 */
export function usePolledData<T extends { version: string }>(
  initial: T,
  url: string,
  { hiddenIntervalMs = Infinity, apply = applyDirectly }: PollOptions = {},
) {
  const [isPaused, setIsPaused] = useState(false);
  const [state, setState] = useState({ loaded: initial, current: initial });
  // Loader data of a navigation or an action is newer than any polled response.
  if (state.loaded !== initial) setState({ loaded: initial, current: initial });
  const { version } = state.current;
  const polledAt = useRef(0);

  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    let isPolling = false;
    const poll = async () => {
      const isDue = document.visibilityState === "visible" || Date.now() - polledAt.current >= hiddenIntervalMs;
      if (!isDue || isPolling) return;
      isPolling = true;
      polledAt.current = Date.now();
      const response = await fetch(url, {
        headers: { "If-None-Match": `"${version}"` },
        redirect: "manual",
        cache: "no-store",
        signal: controller.signal,
      }).catch(() => null);
      isPolling = false;
      // A redirect means that the session has ended.
      if (response?.type === "opaqueredirect") return saveFormAndGoToLogin();
      if (response?.status !== 200) return;
      const current = (await response.json().catch(() => null)) as T | null;
      if (!current || controller.signal.aborted) return;
      apply(() => setState({ loaded: initial, current }));
    };
    const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [url, initial, isPaused, version, hiddenIntervalMs, apply]);

  return { current: state.current, paused: isPaused, setPaused: setIsPaused };
}
