import { normalizeUnicode } from "../../normalize-unicode.ts";

/**
 * Says before a form is sent that the repetition of a new password differs, and keeps both as they were typed. `message`
 * is the hidden text at the repetition.
 */
export function enablePasswordMatch(message: HTMLElement): void {
  const form = message.closest("form");
  const inputs = form?.querySelectorAll<HTMLInputElement>("input[autocomplete=new-password]");
  const [password, repetition] = inputs ?? [];
  if (!form || !password || !repetition) return;
  const field = message.closest(".field");
  const isSame = () => normalizeUnicode(password.value, "NFC") === normalizeUnicode(repetition.value, "NFC");

  const show = (isShown: boolean) => {
    // In place of what the server said of the last try.
    for (const error of field?.querySelectorAll<HTMLElement>(".field-error") ?? []) error.hidden = true;
    message.hidden = !isShown;
    field?.classList.toggle("field-invalid", isShown);
    repetition.ariaInvalid = isShown ? "true" : null;
    repetition.setAttribute("aria-describedby", isShown ? message.id : "");
  };
  const onSubmit = (event: Event) => {
    // What was left out is the server's to say, with everything else that is wrong.
    if (!repetition.value || isSame()) return;
    event.preventDefault();
    show(true);
    repetition.focus();
  };
  const onInput = () => {
    if (!message.hidden && isSame()) show(false);
  };
  form.addEventListener("submit", onSubmit);
  form.addEventListener("input", onInput);
}
