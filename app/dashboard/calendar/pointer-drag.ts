/** A pointer movement below this distance is a click. */
const MIN_DRAG_PX = 6;
/** Height of the scroll zones. Large, because the header covers the upper edge. */
const SCROLL_ZONE_PX = 104;
const SCROLL_STEP_PX = 10;

type DragHandlers = {
  /** Receives the pointer's position in the window. Also called when the page scrolls. */
  onMove: (x: number, y: number) => void;
  /** Called once after `onMove`. */
  onEnd: (isDropped: boolean) => void;
  signal: AbortSignal;
};

/**
 * Follows a pointer that was pressed within `root` until it is released, or until Escape cancels the drag. The page
 * scrolls near the upper and lower edge of the window. A release after a drag does not cause a click.
 */
export function trackDrag(root: HTMLElement, pressed: PointerEvent, { onMove, onEnd, signal }: DragHandlers): void {
  let phase: "pressed" | "dragging" | "cancelled" | "released" = "pressed";
  let { clientX: x, clientY: y } = pressed;
  const listeners = new AbortController();
  const options = { capture: true, signal: AbortSignal.any([signal, listeners.signal]) };

  function end(next: "cancelled" | "released", isDropped: boolean) {
    const wasDragging = phase === "dragging";
    phase = next;
    delete root.dataset.dragging;
    if (wasDragging) onEnd(isDropped);
  }
  function scrollAtEdge() {
    if (phase !== "dragging" || options.signal.aborted) return;
    const step = y < SCROLL_ZONE_PX ? -SCROLL_STEP_PX : y > innerHeight - SCROLL_ZONE_PX ? SCROLL_STEP_PX : 0;
    if (step !== 0) scrollBy({ top: step, behavior: "instant" });
    requestAnimationFrame(scrollAtEdge);
  }
  function onPointerMove(event: PointerEvent) {
    if (event.pointerId !== pressed.pointerId) return;
    ({ clientX: x, clientY: y } = event);
    if (phase === "pressed" && Math.hypot(x - pressed.clientX, y - pressed.clientY) >= MIN_DRAG_PX) {
      phase = "dragging";
      root.setPointerCapture(event.pointerId);
      root.dataset.dragging = "";
      requestAnimationFrame(scrollAtEdge);
    }
    if (phase === "dragging") onMove(x, y);
  }
  function onRelease(event: PointerEvent) {
    if (event.pointerId !== pressed.pointerId) return;
    if (phase !== "pressed") suppressClick();
    end("released", event.type === "pointerup");
    listeners.abort();
  }

  addEventListener("pointermove", onPointerMove, options);
  addEventListener("pointerup", onRelease, options);
  addEventListener("pointercancel", onRelease, options);
  addEventListener("scroll", () => phase === "dragging" && onMove(x, y), options);
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || phase !== "dragging") return;
      event.preventDefault();
      event.stopPropagation();
      end("cancelled", false);
    },
    options,
  );
}

/** Suppresses the click of a release, which is sent right after it in the same task. */
function suppressClick() {
  const listeners = new AbortController();
  const suppress = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", suppress, { capture: true, signal: listeners.signal });
  setTimeout(() => listeners.abort());
}

type PressHandler = (event: PointerEvent, element: HTMLElement, signal: AbortSignal) => void;

/**
 * Calls `press` for each pointer press, until the returned function is called. Prevents the browser's own dragging of a
 * visit's link.
 */
export function enablePointerDrag(element: HTMLElement, press: PressHandler): () => void {
  const listeners = new AbortController();
  const { signal } = listeners;
  const isOnVisit = ({ target }: Event) => target instanceof Element && target.closest("[data-visit]") !== null;
  element.addEventListener("pointerdown", (event) => press(event, element, signal), { signal });
  element.addEventListener("dragstart", (event) => isOnVisit(event) && event.preventDefault(), { signal });
  element.dataset.canDrag = "";
  return () => {
    listeners.abort();
    delete element.dataset.canDrag;
  };
}

/** Whether a press can start a drag. A touch scrolls, and other buttons and modifier keys open links elsewhere. */
export function canStartDrag({ pointerType, button, ctrlKey, metaKey, shiftKey, altKey }: PointerEvent): boolean {
  return pointerType !== "touch" && button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
