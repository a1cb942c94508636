/** The message after an action; texts are in docs/product.md. */
export type Notice = {
  title: string;
  description?: string;
  style?: "default" | "destructive";
  /** What is left to do: the message stays until it is closed. The address is one of this site. */
  link?: { href: string; text: string };
};

const NOTICE_EVENT = "notice";

/** Shows a message on the current page. */
export function showToast(notice: Notice): void {
  window.dispatchEvent(new CustomEvent<Notice>(NOTICE_EVENT, { detail: notice }));
}

/** Takes the message away that is shown: what it says is over. */
export function hideToast(): void {
  window.dispatchEvent(new CustomEvent<null>(NOTICE_EVENT, { detail: null }));
}

/** Subscribes to messages of showToast, and to null of hideToast. Returns a function that unsubscribes. */
export function onToast(handler: (notice: Notice | null) => void): () => void {
  const listener = (event: Event) => handler((event as CustomEvent<Notice | null>).detail);
  window.addEventListener(NOTICE_EVENT, listener);
  return () => window.removeEventListener(NOTICE_EVENT, listener);
}
