import { useSyncExternalStore } from "react";

const open: HTMLElement[] = [];
const listeners = new Set<() => void>();

/** A modal dialog says that it is open; returns what says that it is closed. */
export function standOnTop(dialog: HTMLElement): () => void {
  open.push(dialog);
  tell();
  return () => {
    open.splice(open.indexOf(dialog), 1);
    tell();
  };
}

/**
 * The modal dialog that was opened last, or null. Whatever must be heard, pointed at or closed while it is open has to
 * stand in it: all else on the page is out of reach.
 */
export function useTopDialog(): HTMLElement | null {
  return useSyncExternalStore(subscribe, top, () => null);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function top() {
  return open.at(-1) ?? null;
}

function tell() {
  for (const listener of listeners) listener();
}
