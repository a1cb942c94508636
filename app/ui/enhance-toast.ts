import { raise } from "./raise.ts";

const SHOWN_MS = 5000;
const SWIPE_PX = 50;
const HOTKEY = "F8";

type Ending = {
  /** Dismissed by the person. */
  closed: () => void;
  /** Read for long enough. */
  expired: () => void;
};

/**
 * Runs one message: it goes after five seconds in which the tab is visible and nobody points at it or stands in it,
 * when it is closed, or when it is swiped to the right. Returns what stops all this.
 */
export function runToast(toast: HTMLElement, ending: Ending): () => void {
  const stop = new AbortController();
  const on = { signal: stop.signal };
  const holds = new Set<string>();
  let left = SHOWN_MS;
  let since = 0;
  let timer: number | undefined;
  let swipeFrom: number | null = null;
  const region = toast.closest<HTMLElement>("[data-toasts]");
  if (region) raise(region);

  function run() {
    if (timer !== undefined || holds.size > 0) return;
    since = performance.now();
    timer = window.setTimeout(() => finish(ending.expired), left);
  }
  function hold(reason: string, held: boolean) {
    if (held) holds.add(reason);
    else holds.delete(reason);
    if (!held) return run();
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - since;
  }
  function finish(end: () => void) {
    halt();
    end();
  }
  function halt() {
    stop.abort();
    clearTimeout(timer);
    lower(region);
  }

  const closeButton = toast.querySelector<HTMLButtonElement>("[data-close]");
  if (closeButton) closeButton.hidden = false;
  closeButton?.addEventListener("click", () => finish(ending.closed), on);
  toast.addEventListener("pointerenter", () => hold("pointer", true), on);
  toast.addEventListener("pointerleave", () => hold("pointer", false), on);
  // F8 stands in the region itself, around the message.
  region?.addEventListener("focusin", () => hold("focus", true), on);
  region?.addEventListener("focusout", () => hold("focus", false), on);
  toast.addEventListener("pointerdown", (event) => (swipeFrom = event.clientX), on);
  window.addEventListener(
    "pointerup",
    (event) => {
      if (swipeFrom !== null && event.clientX - swipeFrom >= SWIPE_PX) finish(ending.closed);
      swipeFrom = null;
    },
    on,
  );
  document.addEventListener("visibilitychange", () => hold("hidden", document.hidden), on);
  hold("hidden", document.hidden);
  return halt;
}

function lower(region: HTMLElement | null) {
  region?.removeAttribute("popover");
}

/** F8 goes to the messages, from wherever one is. */
export function enableToastHotkey(region: HTMLElement): () => void {
  const go = (event: KeyboardEvent) => {
    if (event.key === HOTKEY) region.focus();
  };
  document.addEventListener("keydown", go);
  return () => document.removeEventListener("keydown", go);
}

/** A message that came with the page is put in once more: only what is added to a live region is read out. */
export function announceToast(toast: HTMLElement): void {
  toast.parentElement?.append(toast);
}

/** A failure that has been read stays in the page, unless the page says it already. A success does not. */
export function staysWritten(toast: HTMLElement): boolean {
  return toast.dataset.style === "destructive" && !document.querySelector("[data-error-summary]");
}
