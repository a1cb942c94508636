import { type ComponentProps, useLayoutEffect, useRef, useState } from "react";
import { controlProps, Field, type FieldProps, stringOrUndefined } from "./field.tsx";

type NativeInputProps = Pick<
  ComponentProps<"input">,
  | "type"
  | "autoComplete"
  | "inputMode"
  | "min"
  | "max"
  | "step"
  | "maxLength"
  | "pattern"
  | "accept"
  | "spellCheck"
  | "autoCapitalize"
  | "list"
>;

type TextFieldProps = FieldProps &
  NativeInputProps & {
    /** The number of visible lines of a multi-line field. */
    rows?: number;
    /** Narrow, for short answers, because the width indicates the expected length. */
    width?: "short";
  };

export function TextField({ field, label, hint, optional, rows, width, ...nativeProps }: TextFieldProps) {
  const sharedProps = {
    ...controlProps({ field, hint, optional }),
    key: field.key,
    defaultValue: stringOrUndefined(field.initialValue),
    className: width === "short" ? "input max-w-56" : "input",
  };
  const { key, ...props } = sharedProps;
  return (
    <Field field={field} label={label} hint={hint} optional={optional}>
      {rows ? (
        <HydrationSafeTextArea
          key={key}
          {...props}
          rows={rows}
          maxLength={nativeProps.maxLength}
          autoComplete={nativeProps.autoComplete}
        />
      ) : (
        <input key={key} {...props} {...nativeProps} type={nativeProps.type ?? "text"} />
      )}
    </Field>
  );
}

let isHydrated = false;

/**
 * Keeps text that was typed before hydration: hydration resets a textarea to its default, so the typed text is the
 * default until then. Afterwards the server's text is the default again, so that the typed text counts as unsaved.
 */
function HydrationSafeTextArea({ defaultValue, ...props }: ComponentProps<"textarea">) {
  const [typedText, setTypedText] = useState(() => (isHydrated ? null : readTextTypedBeforeHydration(props.id)));
  const element = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    isHydrated = true;
    if (typedText === null || !element.current) return;
    // Set synchronously, because effects of the surrounding form run before the next rendering.
    element.current.defaultValue = String(defaultValue ?? "");
    setTypedText(null);
  }, [typedText, defaultValue]);
  return <textarea {...props} ref={element} defaultValue={typedText ?? defaultValue} />;
}

function readTextTypedBeforeHydration(id?: string): string | null {
  if (typeof document === "undefined") return null;
  const element = document.getElementById(id ?? "");
  return element instanceof HTMLTextAreaElement && element.value !== element.defaultValue ? element.value : null;
}
