/** The message after an action. The texts are in docs/product.md. */
export type Notice = {
  title: string;
  description?: string;
  style?: "default" | "destructive";
  /** The remaining action: the message stays until it is closed or the page is left. The address belongs to this site. */
  link?: { href: string; text: string };
};

const NOTICE_EVENT = "notice";

/** Shows a message on the current page. Null hides the current one, because it is obsolete. */
export function showToast(notice: Notice | null): void {
  dispatchEvent(new CustomEvent(NOTICE_EVENT, { detail: notice }));
}

/** Subscribes to what showToast is given. Returns a function that unsubscribes. */
export function subscribeToToasts(handler: (notice: Notice | null) => void): () => void {
  const listener = (event: Event) => handler((event as CustomEvent<Notice | null>).detail);
  addEventListener(NOTICE_EVENT, listener);
  return () => removeEventListener(NOTICE_EVENT, listener);
}
