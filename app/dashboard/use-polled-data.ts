import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { saveFormAndGoToLogin } from "../accounts/sessions/redirect-to-login.ts";

/** The administrator's refresh interval (docs/product.md). */
const POLL_INTERVAL_MS = 5000;

/**
 * Polls a page's data every 5 s while the page is visible and not paused. Polling does not count as activity, so an
 * idle administrator is still signed out. While nothing has changed the response is 304 and nothing is rendered. `url`
 * must return the same data as the page's loader. `hiddenIntervalMs` is the interval while the tab is hidden, for data
 * that must not be missed; without it a hidden tab does not poll.
 */
export function usePolledData<T extends { version: string }>(initial: T, url: string, hiddenIntervalMs = Infinity) {
  const [isPaused, setIsPaused] = useState(false);
  const [state, setState] = useState({ loaded: initial, current: initial });
  // Loader data of a navigation or an action is newer than any polled response.
  if (state.loaded !== initial) setState({ loaded: initial, current: initial });
  const { version } = state.current;
  const headingToFocus = useRef<HTMLElement>(null);
  const polledAt = useRef(0);

  // When the focused row disappears, the heading of its list receives the focus.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) headingToFocus.current?.focus({ preventScroll: true });
    headingToFocus.current = null;
  }, [state]);

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
      headingToFocus.current = document.activeElement?.closest(".card")?.querySelector("h2") ?? null;
      setState({ loaded: initial, current });
    };
    const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [url, initial, isPaused, version, hiddenIntervalMs]);

  return { current: state.current, paused: isPaused, setPaused: setIsPaused };
}
