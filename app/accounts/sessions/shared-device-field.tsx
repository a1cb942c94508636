import type { FieldMetadata } from "@conform-to/react";
import { CheckboxField } from "../../ui/checkbox-field.tsx";

/** Wherever somebody is signed in: a device of others forgets the session soon. */
export function SharedDeviceField({ field }: { field: FieldMetadata<boolean | null | undefined> }) {
  return (
    <CheckboxField
      field={field}
      label="This is not my device"
      hint="You are signed out when you close the browser, or after 30 minutes without activity."
      optional
    />
  );
}
