import type { AnyField } from "../../ui/page-form.ts";
import { PasswordField } from "./password-field.tsx";
import { PASSWORD_HINT } from "./password-rule.ts";

type NewPasswordFieldsProps = { password: AnyField; confirmation: AnyField; label?: string };

/** Fields for a new password and its repetition. */
export function NewPasswordFields({ password, confirmation, label = "New Password" }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField field={password} label={label} hint={PASSWORD_HINT} autoComplete="new-password" />
      <PasswordField field={confirmation} label={`Confirm ${label}`} autoComplete="new-password" />
    </>
  );
}
