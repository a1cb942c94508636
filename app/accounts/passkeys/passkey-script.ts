/* Script of static pages on which a passkey can be used. */
import { enablePasskeyForm } from "./enable-passkey-form.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey-form]")) enablePasskeyForm(form);
