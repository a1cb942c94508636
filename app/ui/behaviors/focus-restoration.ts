type FocusOrigin = { element: HTMLElement; list?: HTMLElement | null; position: number; heading?: HTMLElement | null };

/** The elements from which the open dialogs were opened. A refresh of the page replaces those that it renders anew. */
export const dialogOpeners = new Set<FocusOrigin>();

/**
 * Records which element outside the dialog has the focus. If the dialog is part of a loaded document: the link to its
 * address. Returns a function that moves the focus back to the element. If its row is gone, the focus moves to the row
 * in the same position; if no row is left, to the heading of its card.
 */
export function captureDialogOpener(dialog: HTMLElement): () => void {
  const active = document.activeElement;
  const isOutside = active instanceof HTMLElement && active !== document.body && !dialog.contains(active);
  const element = isOutside ? active : findMainLinkByHref(location.pathname + location.search, dialog);
  if (!element) return () => {};
  const opener = getFocusOrigin(element);
  dialogOpeners.add(opener);
  return () => {
    dialogOpeners.delete(opener);
    const { list, position, heading } = opener;
    if (opener.element.isConnected) return opener.element.focus();
    const fallbackRow = list?.isConnected ? (list.children[position] ?? list.lastElementChild) : null;
    const target = fallbackRow?.querySelector<HTMLElement>("a, button") ?? (heading?.isConnected ? heading : null);
    target?.focus();
  };
}

export function getFocusOrigin(element: HTMLElement): FocusOrigin {
  const row = element.closest("li");
  const list = row?.parentElement;
  const position = row && list ? [...list.children].indexOf(row) : -1;
  return { element, list, position, heading: findCardHeading(element) };
}

export function findCardHeading(element: HTMLElement) {
  return element.closest(".card, dialog")?.querySelector<HTMLElement>("h2");
}

/** Returns the first link in `main` to the address (path and query), except those in the dialog. */
export function findMainLinkByHref(address: string, dialog?: HTMLElement): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLElement>("main a[href]")];
  return links.find((each) => each.getAttribute("href") === address && !dialog?.contains(each));
}

/** Moves the focus to a control, also if it is in a closed group. */
export function openDetailsAndFocus(control: HTMLElement, options?: FocusOptions): void {
  for (let box = control.closest("details"); box; box = box.parentElement?.closest("details") ?? null) box.open = true;
  control.focus(options);
}
