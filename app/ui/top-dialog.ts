import { useSyncExternalStore } from "react";

const openDialogs: HTMLElement[] = [];
const listeners = new Set<() => void>();

/** Registers an open modal dialog. Returns a function to call when it closes. */
export function registerDialog(dialog: HTMLElement): () => void {
  openDialogs.push(dialog);
  notifyListeners();
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1);
    notifyListeners();
  };
}

/**
 * The modal dialog that was opened last, or null. Everything outside of it is inert, so messages must be rendered
 * inside.
 */
export function useTopDialog(): HTMLElement | null {
  return useSyncExternalStore(subscribeToTopDialog, topDialog, () => null);
}

function subscribeToTopDialog(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function topDialog() {
  return openDialogs.at(-1) ?? null;
}

function notifyListeners() {
  for (const listener of listeners) listener();
}
