import { normalizeUnicode } from "../../normalize-unicode.ts";

/**
 * Shows before a form is submitted that the repetition of a new password differs, and keeps both as typed. `message` is
 * the hidden error text at the repetition.
 */
export function enablePasswordMatchValidation(message: HTMLElement): void {
  const form = message.closest("form");
  const inputs = form?.querySelectorAll<HTMLInputElement>("input[autocomplete=new-password]");
  const [password, repetition] = inputs ?? [];
  if (!form || !password || !repetition) return;
  const field = message.closest(".field");
  const isSame = () => normalizeUnicode(password.value, "NFC") === normalizeUnicode(repetition.value, "NFC");

  const showMismatch = (isShown: boolean) => {
    // Replaces the server's error of the last attempt.
    for (const error of field?.querySelectorAll<HTMLElement>(".field-error") ?? []) error.hidden = true;
    message.hidden = !isShown;
    field?.classList.toggle("field-invalid", isShown);
    repetition.ariaInvalid = isShown ? "true" : null;
    repetition.setAttribute("aria-describedby", isShown ? message.id : "");
  };
  const onSubmit = (event: Event) => {
    // The server reports an empty repetition, and a different one beside all other errors.
    if (!repetition.value || isSame() || !form.checkValidity()) return;
    event.preventDefault();
    showMismatch(true);
    repetition.focus();
  };
  const onInput = () => {
    if (!message.hidden && isSame()) showMismatch(false);
  };
  form.addEventListener("submit", onSubmit);
  form.addEventListener("input", onInput);
}
