import { type ReactNode, useEffect, useRef } from "react";
import { enablePasswordToggle } from "../../ui/behaviors/password-toggle.ts";
import { controlProps, Field, type FieldProps } from "../../ui/field.tsx";

type PasswordFieldProps = FieldProps & {
  autoComplete: "current-password" | "new-password";
  /** The script that compares two passwords leaves a shorter one to the server. */
  minLength?: number;
  /** Shown before the control. */
  children?: ReactNode;
};

/** A password field. Allows pasting and password managers. The value is never sent back to the page. */
export function PasswordField({ field, label, hint, optional, autoComplete, minLength, children }: PasswordFieldProps) {
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => (toggle.current ? enablePasswordToggle(toggle.current) : undefined), []);
  return (
    <Field field={field} label={label} hint={hint} optional={optional}>
      {children}
      <div className="relative">
        <input
          {...controlProps({ field, hint, optional })}
          className="input pr-24"
          type="password"
          autoComplete={autoComplete}
          minLength={minLength}
          autoCapitalize="none"
          spellCheck={false}
        />
        <button
          ref={toggle}
          hidden
          type="button"
          className="button button-quiet absolute inset-y-0 right-0 my-auto mr-0.5 min-h-11"
          aria-controls={field.id}
          data-password-toggle
        >
          Show
        </button>
        <span className="sr-only" role="status" />
      </div>
    </Field>
  );
}
