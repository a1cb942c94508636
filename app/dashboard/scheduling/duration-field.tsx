import { TextField } from "../../ui/text-field.tsx";
import type { ComponentProps } from "react";

/** Shows the field for the length of a visit, which the administrator types. */
export function DurationField({ field }: Pick<ComponentProps<typeof TextField>, "field">) {
  return (
    <TextField
      field={field}
      label="Duration"
      hint="In minutes, from 15 to 240."
      type="number"
      inputMode="numeric"
      width="short"
    />
  );
}
