/** Lets Escape hide a tooltip, so that it does not cover content, until the pointer enters its element again. */
export function enableTooltipDismissal(): () => void {
  const hideOnEscape = ({ key }: KeyboardEvent) => {
    const icon = key === "Escape" ? document.querySelector<HTMLElement>(".button-icon:hover") : null;
    icon?.setAttribute("data-dismissed", "");
    icon?.addEventListener("pointerleave", () => icon.removeAttribute("data-dismissed"), { once: true });
  };
  document.addEventListener("keydown", hideOnEscape);
  return () => document.removeEventListener("keydown", hideOnEscape);
}
