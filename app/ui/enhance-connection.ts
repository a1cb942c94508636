const LOST = "You are offline. What you typed stays here.";
const NOT_SENT =
  "You are offline. Nothing was sent, and what you typed is still here. Send it again once you are connected.";
const NOT_OPENED = "You are offline. That page opens by itself once you are connected.";
const BACK = "You are connected again.";
const SHOWN_MS = 5000;

/**
 * Says in `line` that the connection is lost, and that it is back. Meanwhile no form leaves its page, which would cost
 * what was typed, and a link waits: the last one that was pressed opens when there is a connection again.
 */
export function watchConnection(line: HTMLElement): () => void {
  const stop = new AbortController();
  const on = { signal: stop.signal, capture: true };
  let waiting: HTMLAnchorElement | null = null;
  let timer: number | undefined;

  function say(text: string) {
    clearTimeout(timer);
    line.textContent = text;
    // Above a modal dialog, which may be what was being filled in.
    line.setAttribute("popover", "manual");
    line.showPopover?.();
  }
  function hold(event: Event, text: string) {
    event.preventDefault();
    event.stopImmediatePropagation();
    say(text);
  }

  window.addEventListener("offline", () => say(LOST), on);
  window.addEventListener(
    "online",
    () => {
      say(BACK);
      timer = window.setTimeout(() => line.hidePopover?.(), SHOWN_MS);
      waiting?.click();
      waiting = null;
    },
    on,
  );
  window.addEventListener("submit", (event) => navigator.onLine || hold(event, NOT_SENT), on);
  window.addEventListener(
    "click",
    (event) => {
      const link = navigator.onLine ? null : linkOf(event);
      if (!link) return;
      waiting = link;
      hold(event, NOT_OPENED);
    },
    on,
  );
  if (!navigator.onLine) say(LOST);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

/** The link that a press would follow in this tab, away from this page. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && event.button === 0;
  if (!link || !isPlain || link.target || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = window.location;
  const isHere = link.pathname === pathname && link.search === search && link.hash !== "";
  return link.origin === origin && !isHere ? link : null;
}
