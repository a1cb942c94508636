/** Closes a `<details>` menu on Escape, on a click outside, and when the focus leaves it. */
export function enableMenuDismissal(menu: HTMLDetailsElement): () => void {
  const controller = new AbortController();
  const listenerOptions = { signal: controller.signal };
  const close = () => (menu.open = false);
  menu.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      close();
      menu.querySelector("summary")?.focus();
    },
    listenerOptions,
  );
  menu.addEventListener(
    "focusout",
    (event) => {
      if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) close();
    },
    listenerOptions,
  );
  menu.addEventListener(
    "click",
    (event) => {
      if (event.target instanceof Element && event.target.closest("a")) close();
    },
    listenerOptions,
  );
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (event.target instanceof Node && !menu.contains(event.target)) close();
    },
    listenerOptions,
  );
  return () => controller.abort();
}
