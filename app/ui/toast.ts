/** The message after an action. The texts are in docs/product.md. */
export type Notice = {
  title: string;
  description?: string;
  style?: "default" | "destructive";
  /** The remaining action: the message stays until it is closed or the page is left. The address belongs to this site. */
  link?: { href: string; text: string };
};

const NOTICE_EVENT = "notice";

/** Shows a message on the current page. */
export function showToast(notice: Notice): void {
  window.dispatchEvent(new CustomEvent<Notice>(NOTICE_EVENT, { detail: notice }));
}

/** Hides the current message, because it is obsolete. */
export function hideToast(): void {
  window.dispatchEvent(new CustomEvent<null>(NOTICE_EVENT, { detail: null }));
}

/** Subscribes to the messages of showToast, and to null from hideToast. Returns a function that unsubscribes. */
export function onToast(handler: (notice: Notice | null) => void): () => void {
  const listener = (event: Event) => handler((event as CustomEvent<Notice | null>).detail);
  window.addEventListener(NOTICE_EVENT, listener);
  return () => window.removeEventListener(NOTICE_EVENT, listener);
}
