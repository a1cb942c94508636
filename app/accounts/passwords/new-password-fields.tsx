import { useEffect, useRef } from "react";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { PasswordField } from "./password-field.tsx";
import { minPasswordLength, getPasswordRequirementText, PASSWORDS_DIFFER_MESSAGE } from "./password-rule.ts";

type NewPasswordFieldsProps = {
  password: AnyField;
  confirmation: AnyField;
  label?: string;
  isAdmin?: boolean;
  /** Whether the form was refused: both fields are empty then. */
  isRefused: boolean;
};

/**
 * Fields for a new password and its repetition. With JavaScript, a repetition that differs is reported before the form
 * is sent, if it is the only fault that the browser can find.
 */
export function NewPasswordFields({
  password,
  confirmation,
  label = "New Password",
  isAdmin,
  isRefused,
}: NewPasswordFieldsProps) {
  const mismatch = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const message = mismatch.current;
    const form = message?.closest("form");
    // Few people change their password, so the script that compares the fields is loaded when a field is first focused.
    const load = async () => {
      const loaded = await import("../../ui/behaviors/password-match.ts").catch(ignoreLoadError);
      if (loaded && message?.isConnected) loaded.enablePasswordMatchValidation(message);
    };
    const onFocus = () => void load();
    form?.addEventListener("focusin", onFocus, { once: true });
    return () => form?.removeEventListener("focusin", onFocus);
  }, []);
  const hint = getPasswordRequirementText(isAdmin);
  return (
    <>
      <PasswordField
        field={password}
        label={label}
        hint={isRefused ? `Type both passwords again: we never send them back. ${hint}` : hint}
        autoComplete="new-password"
        minLength={minPasswordLength(isAdmin)}
      />
      <PasswordField field={confirmation} label={`Confirm ${label}`} autoComplete="new-password">
        <p
          ref={mismatch}
          id={`${confirmation.id}-mismatch`}
          className="field-error"
          role="alert"
          hidden
          data-password-mismatch
        >
          {PASSWORDS_DIFFER_MESSAGE}. Press “Show” to see what you typed.
        </p>
      </PasswordField>
    </>
  );
}

/** Returns null: the server compares the passwords too. */
function ignoreLoadError(): null {
  return null;
}
