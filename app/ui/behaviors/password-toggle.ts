/**
 * Enables the show/hide button of a password field. The button is hidden until then because it needs JavaScript. The
 * password is hidden again when the form is submitted.
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
