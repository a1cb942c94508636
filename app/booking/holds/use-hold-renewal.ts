import { useEffect } from "react";
import { useRevalidator } from "react-router";

const MIN_RENEWAL_INTERVAL_MS = 60_000;

/**
 * Asks the server to extend the hold of the chosen time, or to hold it again, while the family works on the page: it
 * presses, types, focuses a field, or returns to the tab. At most once a minute. `path` is the page, whose action takes
 * the intent `hold`.
 */
export function useHoldRenewal(path: string): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let renewedAt = performance.now();
    function renew() {
      if (performance.now() - renewedAt < MIN_RENEWAL_INTERVAL_MS) return;
      renewedAt = performance.now();
      const body = new URLSearchParams({ intent: "hold" });
      fetch(path, { method: "POST", body, redirect: "manual" }).then(
        // Shows until when the time is held now.
        ({ ok }) => (ok ? revalidate() : undefined),
        () => {},
      );
    }
    function renewWhenVisible() {
      if (document.visibilityState === "visible") renew();
    }
    /** The card fields are in a frame of the provider, from which no event arrives. */
    function renewInFrame() {
      if (document.activeElement instanceof HTMLIFrameElement) renew();
    }
    const abortController = new AbortController();
    for (const type of ["pointerdown", "keydown", "focusin"]) document.addEventListener(type, renew, abortController);
    document.addEventListener("visibilitychange", renewWhenVisible, abortController);
    window.addEventListener("blur", renewInFrame, abortController);
    return () => abortController.abort();
  }, [path, revalidate]);
}
