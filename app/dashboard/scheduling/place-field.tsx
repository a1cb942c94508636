import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";

/** The place of a visit in person, collapsed, because most visits take place where the practice usually meets families. */
export function PlaceField({ field }: { field: AnyField }) {
  return (
    <details open={Boolean(field.errors ?? field.initialValue)}>
      <summary className="text-summary">Place of an in-person visit</summary>
      <div className="mt-3">
        <TextField
          field={field}
          label="Place"
          hint="A school or a clinic, for example. Leave it empty for your usual place."
          optional
          autoComplete="off"
        />
      </div>
    </details>
  );
}
