import { invalidField, type Refusal } from "../../http/outcome.ts";
import { QUESTIONED_EMAIL_FIELD } from "./questioned-email-field.tsx";

/**
 * Mistyped domains of common mail providers. None of them is itself a provider, so it has no `mail.com`, `ymail.com` or
 * `comcast.com`.
 */
const TYPOS_BY_PROVIDER = {
  "gmail.com":
    "gmial.com gmai.com gamil.com gmal.com gmil.com gnail.com gmaill.com gmail.co gmail.cm gmail.con gmail.cmo",
  "yahoo.com": "yaho.com yahooo.com yhoo.com yaoo.com yahoo.co yahoo.cm yahoo.con",
  "hotmail.com": "hotmial.com hotmal.com hotmai.com hotmil.com hotmail.co hotmail.cm hotmail.con",
  "outlook.com": "outlok.com outloo.com outlook.co outlook.cm outlook.con",
  "icloud.com": "iclod.com icoud.com icloud.co icloud.cm icloud.con",
  "aol.com": "aol.co aol.cm aol.con",
  "comcast.net": "comcast.nt comcast.ne",
  "verizon.net": "verizon.nt verizon.ne",
  "optonline.net": "optonline.nt optonline.ne",
};
const PROVIDER_BY_TYPO = new Map(
  Object.entries(TYPOS_BY_PROVIDER).flatMap(([provider, typos]) => typos.split(" ").map((typo) => [typo, provider])),
);

/** Splits an address; the local part has at most 64 characters (RFC 5321, 4.5.3.1.1). */
const ADDRESS = /^([^\s@]{1,64})@([^\s@]+)$/;

/**
 * Asks whether an address with a mistyped provider is right, unless it was already questioned. Depends on the form
 * alone, so it reveals nothing about accounts. `button` is the label of the button that sends the form.
 */
export function questionLikelyEmailTypo(form: FormData, button: string): Refusal | null {
  const email = readEmail(form, "email");
  const [, localPart, domain = ""] = ADDRESS.exec(email) ?? [];
  const provider = PROVIDER_BY_TYPO.get(domain);
  if (!provider || readEmail(form, QUESTIONED_EMAIL_FIELD) === email) return null;
  return invalidField("email", `Did you mean ${localPart}@${provider}? If ${email} is right, press ${button} again.`);
}

/** Lower case is enough to compare with the table. The form's schema normalizes Unicode after it has checked the length. */
function readEmail(form: FormData, name: string): string {
  return String(form.get(name) ?? "")
    .trim()
    .toLowerCase();
}
