/** A pointer movement below this distance is a click. */
const MIN_DRAG_PX = 6;
/** The header covers the upper edge. */
const EDGE_PX = 104;
const SCROLL_STEP_PX = 10;

type DragHandlers = {
  /** The pointer's place in the window. Also called when the page scrolls below it. */
  onMove: (x: number, y: number) => void;
  /** Called once after `onMove`. */
  onEnd: (isDropped: boolean) => void;
  signal: AbortSignal;
};

/**
 * Follows a pointer that was pressed within `root` until it is released, or canceled with Escape. Near the upper and
 * lower edge of the window the page scrolls. A release after a drag clicks nothing.
 */
export function followDrag(root: HTMLElement, pressed: PointerEvent, { onMove, onEnd, signal }: DragHandlers): void {
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
    const step = y < EDGE_PX ? -SCROLL_STEP_PX : y > innerHeight - EDGE_PX ? SCROLL_STEP_PX : 0;
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

/** The click of a release is sent right after it, in the same task. */
function suppressClick() {
  const listeners = new AbortController();
  const suppress = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", suppress, { capture: true, signal: listeners.signal });
  setTimeout(() => listeners.abort());
}

type Press = (event: PointerEvent, element: HTMLElement, signal: AbortSignal) => void;

/** Until the returned function is called. Browsers would drag a visit's link instead. */
export function onPress(element: HTMLElement, press: Press): () => void {
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

/** A finger scrolls, and other buttons and keys open links elsewhere. */
export function isPlainPress({ pointerType, button, ctrlKey, metaKey, shiftKey, altKey }: PointerEvent): boolean {
  return pointerType !== "touch" && button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
