/**
 * Gives a password field its show/hide button. The button is in the page from the start but hidden: without a script
 * it could do nothing. The password is hidden again whenever its form is sent.
 */
export function enablePasswordToggle(button: HTMLButtonElement): () => void {
  const input = document.getElementById(button.getAttribute("aria-controls") ?? "");
  const status = button.parentElement?.querySelector<HTMLElement>("[role=status]");
  if (!(input instanceof HTMLInputElement)) return () => {};
  const field = input;

  function show(visible: boolean) {
    field.type = visible ? "text" : "password";
    button.textContent = visible ? "Hide" : "Show";
    button.setAttribute("aria-label", visible ? "Hide password" : "Show password");
  }
  function press() {
    const visible = field.type === "password";
    show(visible);
    if (status) status.textContent = visible ? "Your password is visible" : "Your password is hidden";
  }
  const hide = () => show(false);

  button.hidden = false;
  show(false);
  button.addEventListener("click", press);
  field.form?.addEventListener("submit", hide);
  return () => {
    button.removeEventListener("click", press);
    field.form?.removeEventListener("submit", hide);
  };
}
