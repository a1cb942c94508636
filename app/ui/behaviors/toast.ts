import { showInTopLayer } from "../top-layer.ts";

const AUTO_HIDE_MS = 5000;
const SWIPE_PX = 50;
const HOTKEY = "F8";

type ToastCallbacks = {
  /** Called when the person closes the toast. */
  onClose: () => void;
  /** Called when the toast has been visible for its whole duration. */
  onExpire: () => void;
};

/**
 * Whether toasts are part of the page, where they cover nothing and stay until they are closed or the person leaves the
 * page. True on a narrow screen at the top of a page (ui/styles/overlays.css).
 */
export function areToastsInPage(region: HTMLElement): boolean {
  return getComputedStyle(region).position === "static";
}

/**
 * Runs the timer and the gestures of a toast. A toast that is part of the page does not expire. Another one expires
 * after five seconds in which the tab is visible and neither the pointer nor the focus is on it. The close button or a
 * swipe to the right closes it. Returns a function that stops the timer and the listeners.
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
  const isInPage = region !== null && areToastsInPage(region);
  if (region && !isInPage) showInTopLayer(region);

  function resume() {
    if (isInPage || timer !== undefined || pauseReasons.size > 0) return;
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
  // F8 focuses the region, which contains the toast.
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

/** Lets F8 move the focus to the toasts. */
export function enableToastHotkey(region: HTMLElement): () => void {
  const onKeydown = (event: KeyboardEvent) => {
    if (event.key === HOTKEY) region.focus();
  };
  document.addEventListener("keydown", onKeydown);
  return () => document.removeEventListener("keydown", onKeydown);
}

/** Inserts a toast of the initial page again, because screen readers announce only what is added to a live region. */
export function announceToast(toast: HTMLElement): void {
  toast.parentElement?.append(toast);
}

/**
 * Whether a toast stays in the page after it expires. True for a toast with a link, and for an error unless the page
 * already shows an error summary.
 */
export function persistsInPage(toast: HTMLElement): boolean {
  if (toast.querySelector("a")) return true;
  return toast.dataset.style === "destructive" && !document.querySelector("[data-error-summary]");
}
