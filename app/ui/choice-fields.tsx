import { controlProps, Field, FieldGroup, type FieldProps, stringOrUndefined } from "./field.tsx";
import type { AnyField } from "./use-server-validated-form.ts";

export type Choice = { value: string; label: string; hint?: string };

type ChoiceFieldProps = Omit<FieldProps, "label"> & {
  legend: string;
  options: readonly Choice[];
  /** Places short choices next to each other if there is room. */
  isInline?: boolean;
};

/** A group of radio buttons. */
export function RadioField(props: ChoiceFieldProps) {
  return <ChoiceGroup {...props} type="radio" required={!props.optional} selected={[props.field.initialValue]} />;
}

/** A group of checkboxes, submitted under one name as a list. */
export function CheckboxListField({ optional = true, ...props }: ChoiceFieldProps) {
  const { initialValue } = props.field;
  const selected: unknown[] = Array.isArray(initialValue) ? initialValue : [initialValue];
  return <ChoiceGroup {...props} optional={optional} type="checkbox" selected={selected} />;
}

type ChoiceGroupProps = ChoiceFieldProps & { type: "radio" | "checkbox"; required?: boolean; selected: unknown[] };

/** Renders the group. The first control has the field's id, so that the link in the error summary leads to it. */
function ChoiceGroup({
  field,
  legend,
  hint,
  optional,
  options,
  type,
  required,
  selected,
  isInline = false,
}: ChoiceGroupProps) {
  return (
    <FieldGroup field={field} label={legend} hint={hint} optional={optional}>
      <div className={isInline ? "choices-inline" : "grid gap-2"}>
        {options.map((option, index) => (
          <ChoiceRow
            key={option.value}
            type={type}
            id={choiceId(field, index)}
            name={field.name}
            choice={option}
            required={required}
            isChecked={selected.includes(option.value)}
          />
        ))}
      </div>
    </FieldGroup>
  );
}

type ChoiceRowProps = {
  type: "radio" | "checkbox";
  id: string;
  name: string;
  choice: Choice;
  isChecked: boolean;
  required?: boolean;
};

function ChoiceRow({ type, id, name, choice, isChecked: checked, required }: ChoiceRowProps) {
  const hintId = choice.hint ? `${id}-hint` : undefined;
  return (
    <label className="choice" htmlFor={id}>
      <input
        type={type}
        id={id}
        name={name}
        value={choice.value}
        defaultChecked={checked}
        required={required}
        aria-describedby={hintId}
      />
      <span>
        {choice.label}
        {choice.hint && (
          <span className="hint block" id={hintId}>
            {choice.hint}
          </span>
        )}
      </span>
    </label>
  );
}

function choiceId(field: AnyField, index: number) {
  return index === 0 ? field.id : `${field.id}-${index + 1}`;
}

type SelectFieldProps = FieldProps & { options: readonly { value: string; label: string }[] };

export function SelectField({ field, label, hint, optional, options }: SelectFieldProps) {
  // Without an empty first option, one is always selected, so `required` would have no effect.
  const canBeEmpty = options[0]?.value === "";
  return (
    <Field field={field} label={label} hint={hint} optional={optional}>
      <select
        key={field.key}
        {...controlProps({ field, hint, optional })}
        required={!optional && canBeEmpty}
        className="input"
        defaultValue={stringOrUndefined(field.initialValue)}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
