/**
 * Gives a password field its show/hide button. The button is in the page from the start but hidden: without a script
 * it could do nothing. The password is hidden again whenever its form is sent.
 */
export function enablePasswordToggle(button: HTMLButtonElement): () => void {
  const input = document.getElementById(button.getAttribute("aria-controls") ?? "");
  const status = button.parentElement?.querySelector<HTMLElement>("[role=status]");
  if (!(input instanceof HTMLInputElement)) return () => {};
  const field = input;

  function setVisible(visible: boolean) {
    field.type = visible ? "text" : "password";
    button.textContent = visible ? "Hide" : "Show";
    button.setAttribute("aria-label", visible ? "Hide password" : "Show password");
  }
  function onClick() {
    const visible = field.type === "password";
    setVisible(visible);
    if (status) status.textContent = visible ? "Your password is visible" : "Your password is hidden";
  }
  const hide = () => setVisible(false);

  button.hidden = false;
  setVisible(false);
  button.addEventListener("click", onClick);
  field.form?.addEventListener("submit", hide);
  return () => {
    button.removeEventListener("click", onClick);
    field.form?.removeEventListener("submit", hide);
  };
}
