import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { redirectToLogin } from "../accounts/idle-warning.tsx";

/** The administrator's refresh interval (specification §9). */
const REFRESH_MS = 5000;

/**
 * Asks for a page's data anew every 5 s while the page is visible and not paused. Such questions are nobody's
 * activity, so an idle consultant is still signed out; while nothing has changed the answer is 304 and nothing is
 * drawn. `address` answers with the same data as the page's own loader.
 */
export function useRefreshed<T extends { version: string }>(loaded: T, address: string) {
  const [paused, setPaused] = useState(false);
  const [shown, setShown] = useState({ loaded, current: loaded });
  // The page's own navigation, or what an action left behind, is newer than any answer so far.
  if (shown.loaded !== loaded) setShown({ loaded, current: loaded });
  const { version } = shown.current;
  const heading = useRef<HTMLElement>(null);

  // A row that is gone takes the focus along; the heading of its list has it then.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    heading.current = null;
  }, [shown]);

  useEffect(() => {
    if (paused) return;
    const asking = new AbortController();
    let isAsking = false;
    const ask = async () => {
      if (document.visibilityState !== "visible" || isAsking) return;
      isAsking = true;
      const answer = await fetch(address, {
        headers: { "If-None-Match": `"${version}"` },
        redirect: "manual",
        cache: "no-store",
        signal: asking.signal,
      }).catch(() => null);
      isAsking = false;
      // Sent elsewhere: the sign-in has ended.
      if (answer?.type === "opaqueredirect") return redirectToLogin();
      if (answer?.status !== 200) return;
      const current = (await answer.json().catch(() => null)) as T | null;
      if (!current || asking.signal.aborted) return;
      heading.current = document.activeElement?.closest(".card")?.querySelector("h2") ?? null;
      setShown({ loaded, current });
    };
    const timer = setInterval(() => void ask(), REFRESH_MS);
    return () => {
      clearInterval(timer);
      asking.abort();
    };
  }, [address, loaded, paused, version]);

  return { current: shown.current, paused, setPaused };
}
