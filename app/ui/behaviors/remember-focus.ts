/**
 * Remembers which element has the focus. The function that it returns gives the focus back: to the element itself; when
 * its row is gone, to the row that took its place; when none is left, to the heading of its card.
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
