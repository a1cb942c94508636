/**
 * Records which element has the focus. Returns a function that restores it: to the element itself; when its row is
 * gone, to the row in the same position; when no row is left, to the heading of its card.
 */
export function rememberFocus(): () => void {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return () => {};
  const row = element.closest("li");
  const list = row?.parentElement;
  const position = row && list ? [...list.children].indexOf(row) : -1;
  const heading = element.closest(".card")?.querySelector<HTMLElement>("h2");
  return () => {
    if (element.isConnected) return element.focus();
    const next = list?.isConnected ? (list.children[position] ?? list.lastElementChild) : null;
    const target = next?.querySelector<HTMLElement>("a, button") ?? (heading?.isConnected ? heading : null);
    target?.focus();
  };
}
