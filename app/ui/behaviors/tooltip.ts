/** What a pointer rests on can be read without the name over it: Escape puts the name away until the pointer comes again. */
export function enableTooltipEscape(): () => void {
  const hideOnEscape = ({ key }: KeyboardEvent) => {
    const icon = key === "Escape" ? document.querySelector<HTMLElement>(".button-icon:hover") : null;
    icon?.setAttribute("data-tip-closed", "");
    icon?.addEventListener("pointerleave", () => icon.removeAttribute("data-tip-closed"), { once: true });
  };
  document.addEventListener("keydown", hideOnEscape);
  return () => document.removeEventListener("keydown", hideOnEscape);
}
