import { controlProps, FieldError, type FieldProps } from "./field.tsx";

/** A single checkbox. */
export function CheckboxField({ field, label, hint, optional }: FieldProps) {
  const control = controlProps({ field, hint, optional });
  return (
    <div className={field.errors ? "field field-invalid" : "field"}>
      <FieldError field={field} />
      <label className="choice">
        <input key={field.key} {...control} type="checkbox" value="on" defaultChecked={field.initialValue === "on"} />
        <span>
          {label}
          {hint && (
            <span className="hint block" id={field.descriptionId}>
              {hint}
            </span>
          )}
        </span>
      </label>
    </div>
  );
}
