import { useSyncExternalStore } from "react";

const openDialogs: HTMLElement[] = [];
const listeners = new Set<() => void>();

/** A modal dialog says that it is open; returns what says that it is closed. */
export function registerDialog(dialog: HTMLElement): () => void {
  openDialogs.push(dialog);
  notifyListeners();
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1);
    notifyListeners();
  };
}

/**
 * The modal dialog that was opened last, or null. Whatever must be heard, pointed at or closed while it is open has to
 * stand in it: all else on the page is out of reach.
 */
export function useTopDialog(): HTMLElement | null {
  return useSyncExternalStore(subscribe, topDialog, () => null);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function topDialog() {
  return openDialogs.at(-1) ?? null;
}

function notifyListeners() {
  for (const listener of listeners) listener();
}
