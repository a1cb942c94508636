import { showInTopLayer } from "../top-layer.ts";

const AUTO_HIDE_MS = 5000;
const SWIPE_PX = 50;
const HOTKEY = "F8";

type ToastCallbacks = {
  /** Dismissed by the person. */
  onClose: () => void;
  /** Read for long enough. */
  onExpire: () => void;
};

/**
 * Runs one message: it goes after five seconds in which the tab is visible and nobody points at it or stands in it,
 * when it is closed, or when it is swiped to the right. Returns what stops all this.
 */
export function runToast(toast: HTMLElement, callbacks: ToastCallbacks): () => void {
  const controller = new AbortController();
  const listenerOptions = { signal: controller.signal };
  const pauseReasons = new Set<string>();
  let remainingMs = AUTO_HIDE_MS;
  let startedAt = 0;
  let timer: number | undefined;
  let swipeStartX: number | null = null;
  const region = toast.closest<HTMLElement>("[data-toasts]");
  if (region) showInTopLayer(region);

  function resume() {
    if (timer !== undefined || pauseReasons.size > 0) return;
    startedAt = performance.now();
    timer = window.setTimeout(() => finish(callbacks.onExpire), remainingMs);
  }
  function setPaused(reason: string, isPaused: boolean) {
    if (isPaused) pauseReasons.add(reason);
    else pauseReasons.delete(reason);
    if (!isPaused) return resume();
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    remainingMs -= performance.now() - startedAt;
  }
  function finish(callback: () => void) {
    stop();
    callback();
  }
  function stop() {
    controller.abort();
    clearTimeout(timer);
    leaveTopLayer(region);
  }

  const closeButton = toast.querySelector<HTMLButtonElement>("[data-close]");
  if (closeButton) closeButton.hidden = false;
  closeButton?.addEventListener("click", () => finish(callbacks.onClose), listenerOptions);
  toast.addEventListener("pointerenter", () => setPaused("pointer", true), listenerOptions);
  toast.addEventListener("pointerleave", () => setPaused("pointer", false), listenerOptions);
  // F8 stands in the region itself, around the message.
  region?.addEventListener("focusin", () => setPaused("focus", true), listenerOptions);
  region?.addEventListener("focusout", () => setPaused("focus", false), listenerOptions);
  toast.addEventListener("pointerdown", (event) => (swipeStartX = event.clientX), listenerOptions);
  window.addEventListener(
    "pointerup",
    (event) => {
      if (swipeStartX !== null && event.clientX - swipeStartX >= SWIPE_PX) finish(callbacks.onClose);
      swipeStartX = null;
    },
    listenerOptions,
  );
  document.addEventListener("visibilitychange", () => setPaused("hidden", document.hidden), listenerOptions);
  setPaused("hidden", document.hidden);
  return stop;
}

function leaveTopLayer(region: HTMLElement | null) {
  region?.removeAttribute("popover");
}

/** F8 goes to the messages, from wherever one is. */
export function enableToastHotkey(region: HTMLElement): () => void {
  const onKeydown = (event: KeyboardEvent) => {
    if (event.key === HOTKEY) region.focus();
  };
  document.addEventListener("keydown", onKeydown);
  return () => document.removeEventListener("keydown", onKeydown);
}

/** A message that came with the page is put in once more: only what is added to a live region is read out. */
export function announceToast(toast: HTMLElement): void {
  toast.parentElement?.append(toast);
}

/** A failure that has been read stays in the page, unless the page says it already. A success does not. */
export function persistsInPage(toast: HTMLElement): boolean {
  return toast.dataset.style === "destructive" && !document.querySelector("[data-error-summary]");
}
