import type { AnyField } from "../ui/page-form.ts";
import { PasswordField } from "./password-field.tsx";
import { PASSWORD_HINT } from "./password-rule.ts";

type NewPasswordFieldsProps = { password: AnyField; confirm: AnyField; name?: string };

/** A password to be chosen, and once more so that a slip of the finger is noticed. */
export function NewPasswordFields({ password, confirm, name = "New Password" }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField field={password} label={name} hint={PASSWORD_HINT} autoComplete="new-password" />
      <PasswordField field={confirm} label={`Confirm ${name}`} autoComplete="new-password" />
    </>
  );
}
