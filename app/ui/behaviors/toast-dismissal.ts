const AUTO_HIDE_MS = 5000;
/** Characters that can be read within that time, on a phone with one's mind elsewhere. */
const MAX_EXPIRING_CHARACTERS = 100;
const MIN_SWIPE_PX = 50;
const TOAST_HOTKEY = "F8";

/**
 * Runs the timer and the gestures of a toast. It expires after five seconds in which the tab is visible and neither the
 * pointer nor the focus is on it; an error, a long toast or one with a link then stays as part of the page. The close
 * button or a swipe to the right closes it. Returns a function that stops the timer and the listeners.
 */
export function enableToastDismissal(toast: HTMLElement, onClose: () => void): () => void {
  const controller = new AbortController();
  const listenerOptions = { signal: controller.signal };
  const pauseReasons = new Set<string>();
  let remainingMs = AUTO_HIDE_MS;
  let startedAt = 0;
  let timer: number | undefined;
  let swipeStartX: number | null = null;
  let previousFocus: HTMLElement | null = null;
  const region = toast.closest<HTMLElement>("[data-toasts]");
  if (region) positionToasts(region);

  function resume() {
    if (timer !== undefined || pauseReasons.size > 0) return;
    startedAt = performance.now();
    timer = window.setTimeout(expire, remainingMs);
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
  function expire() {
    if (shouldPersistInPage(toast)) return region?.removeAttribute("data-floating");
    // Nothing moves under a finger that is about to touch it: the room of a toast in the page stays empty.
    if (region) region.style.minHeight = `${region.getBoundingClientRect().height}px`;
    stop();
    onClose();
  }
  function close() {
    stop();
    if (region?.contains(document.activeElement)) restoreFocus(region, previousFocus);
    onClose();
  }
  function stop() {
    controller.abort();
    clearTimeout(timer);
  }

  const closeButton = toast.querySelector<HTMLButtonElement>("[data-close]");
  if (closeButton) closeButton.hidden = false;
  closeButton?.addEventListener("click", close, listenerOptions);
  toast.addEventListener("pointerenter", () => setPaused("pointer", true), listenerOptions);
  toast.addEventListener("pointerleave", () => setPaused("pointer", false), listenerOptions);
  // F8 focuses the region, which contains the toast.
  region?.addEventListener(
    "focusin",
    ({ relatedTarget }) => {
      const previous = relatedTarget as HTMLElement | null;
      if (!region.contains(previous)) previousFocus = previous;
      setPaused("focus", true);
    },
    listenerOptions,
  );
  region?.addEventListener("focusout", () => setPaused("focus", false), listenerOptions);
  toast.addEventListener("pointerdown", (event) => (swipeStartX = event.clientX), listenerOptions);
  window.addEventListener(
    "pointerup",
    (event) => {
      if (swipeStartX !== null && event.clientX - swipeStartX >= MIN_SWIPE_PX) close();
      swipeStartX = null;
    },
    listenerOptions,
  );
  document.addEventListener("visibilitychange", () => setPaused("hidden", document.hidden), listenerOptions);
  setPaused("hidden", document.hidden);
  return stop;
}

/**
 * Makes the toasts part of the page or dialog if that is at its top. If it is scrolled, they float below what stays at
 * its top edge, without moving what is being read.
 */
function positionToasts(region: HTMLElement) {
  const dialog = region.closest("dialog");
  const coveringElement = (dialog ?? document).querySelector(".site-top, .site-header, .waiting-banner");
  const top = dialog?.getBoundingClientRect().top ?? 0;
  region.style.minHeight = "";
  region.style.setProperty("--covered", `${(coveringElement?.getBoundingClientRect().bottom ?? 0) - top}px`);
  region.toggleAttribute("data-floating", (dialog?.scrollTop ?? window.scrollY) > 1);
}

/** Moves the focus to what had it before, else to the heading of the dialog or page. */
function restoreFocus(region: HTMLElement, previous: HTMLElement | null) {
  const heading = (region.closest("dialog") ?? document).querySelector<HTMLElement>("h1, h2");
  if (heading) heading.tabIndex = -1;
  (previous?.isConnected ? previous : heading)?.focus({ preventScroll: true });
}

/** Lets F8 move the focus to the toasts. */
export function enableToastHotkey(region: HTMLElement): () => void {
  const onKeydown = (event: KeyboardEvent) => {
    if (event.key === TOAST_HOTKEY) region.focus();
  };
  document.addEventListener("keydown", onKeydown);
  return () => document.removeEventListener("keydown", onKeydown);
}

/** Inserts a toast of the initial page again, because screen readers announce only what is added to a live region. */
export function announceToast(toast: HTMLElement): void {
  toast.parentElement?.append(toast);
}

/**
 * Whether a toast stays in the page after it expires. True for a long toast, for one with a link, and for an error unless
 * the page already shows an error summary.
 */
function shouldPersistInPage(toast: HTMLElement): boolean {
  if (toast.querySelector("a")) return true;
  if (toast.dataset.style !== "destructive") return toast.textContent.length > MAX_EXPIRING_CHARACTERS;
  return !document.querySelector("[data-error-summary]");
}
