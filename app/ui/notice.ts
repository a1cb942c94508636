/** The one message a person is shown after an action; texts are the specification's. */
export type Notice = { title: string; description?: string; style?: "default" | "destructive" };

const SAID = "notice";

/** Shows a message without leaving the page, for an answer that brought one with it. */
export function sayNotice(notice: Notice): void {
  window.dispatchEvent(new CustomEvent<Notice>(SAID, { detail: notice }));
}

/** Hears such messages; returns what stops the hearing. */
export function onNotice(hear: (notice: Notice) => void): () => void {
  const listener = (event: Event) => hear((event as CustomEvent<Notice>).detail);
  window.addEventListener(SAID, listener);
  return () => window.removeEventListener(SAID, listener);
}
