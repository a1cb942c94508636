/** Puts something above all else, a modal dialog too. Only by a script: without one nothing could show it again. */
export function showInTopLayer(element: HTMLElement): void {
  element.setAttribute("popover", "manual");
  // What stood in a dialog goes with it, and is put into the page by the next drawing.
  if (!element.isConnected || !element.showPopover) return;
  if (!element.matches(":popover-open")) element.showPopover();
}
