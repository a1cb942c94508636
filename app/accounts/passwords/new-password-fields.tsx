import type { AnyField } from "../../ui/page-form.ts";
import { PasswordField } from "./password-field.tsx";
import { passwordHint } from "./password-rule.ts";

type NewPasswordFieldsProps = { password: AnyField; confirmation: AnyField; label?: string; isAdmin?: boolean };

/** Fields for a new password and its repetition. */
export function NewPasswordFields({ password, confirmation, label = "New Password", isAdmin }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField field={password} label={label} hint={passwordHint(isAdmin)} autoComplete="new-password" />
      <PasswordField field={confirmation} label={`Confirm ${label}`} autoComplete="new-password" />
    </>
  );
}
