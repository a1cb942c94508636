/** Shows an element above everything else, modal dialogs included. */
export function showInTopLayer(element: HTMLElement): void {
  element.setAttribute("popover", "manual");
  // An element that was removed together with its dialog is rendered again elsewhere.
  if (!element.isConnected || !element.showPopover) return;
  if (!element.matches(":popover-open")) element.showPopover();
}

export function hideFromTopLayer(element: HTMLElement): void {
  if (element.popover && element.matches(":popover-open")) element.hidePopover();
}
