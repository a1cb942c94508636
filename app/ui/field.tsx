import type { ReactNode } from "react";
import { AlertIcon } from "./icons.tsx";
import type { AnyField } from "./use-server-validated-form.ts";

export type FieldProps = {
  field: AnyField;
  label: string;
  hint?: ReactNode;
  /** Adds "(optional)" to the label; other fields are required. */
  optional?: boolean;
};

/** Renders a control with its label, hint and error, in this order. */
export function Field({ field, label, hint, optional, children }: FieldProps & { children: ReactNode }) {
  return (
    <div className={fieldClass(field)}>
      <label className="label" htmlFor={field.id}>
        {label}
        {optional && <span className="label-note"> (optional)</span>}
      </label>
      <Hint field={field}>{hint}</Hint>
      <FieldError field={field} />
      {children}
    </div>
  );
}

/** Renders a group of controls like `Field`. */
export function FieldGroup({ field, label, hint, optional, children }: FieldProps & { children: ReactNode }) {
  return (
    <fieldset
      className={fieldClass(field)}
      aria-describedby={ariaDescribedBy(field, hint)}
      aria-invalid={ariaInvalid(field)}
    >
      <legend className="label mb-1.5">
        {label}
        {optional && <span className="label-note"> (optional)</span>}
      </legend>
      <Hint field={field}>{hint}</Hint>
      <FieldError field={field} />
      {children}
    </fieldset>
  );
}

export function Hint({ field, children }: { field: AnyField; children: ReactNode }) {
  if (!children) return null;
  return (
    <p className="hint" id={field.descriptionId}>
      {children}
    </p>
  );
}

export function FieldError({ field }: { field: AnyField }) {
  if (!field.errors) return null;
  return (
    <p className="field-error" id={field.errorId}>
      <AlertIcon className="mt-0.5 size-5" />
      <span>
        <span className="sr-only">Error: </span>
        {field.errors.join(" ")}
      </span>
    </p>
  );
}

/** Returns the attributes of every control of a field. */
export function controlProps({ field, hint, optional }: Omit<FieldProps, "label">) {
  return {
    id: field.id,
    name: field.name,
    required: !optional,
    "aria-invalid": ariaInvalid(field),
    "aria-describedby": ariaDescribedBy(field, hint),
  };
}

function ariaDescribedBy(field: AnyField, hint: ReactNode) {
  const ids = [hint ? field.descriptionId : "", field.errors ? field.errorId : ""].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
}

function ariaInvalid(field: AnyField) {
  return field.errors ? true : undefined;
}

function fieldClass(field: AnyField) {
  return field.errors ? "field field-invalid" : "field";
}

/** Returns the text of a control's initial value, which Conform types as unknown. */
export function stringOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
