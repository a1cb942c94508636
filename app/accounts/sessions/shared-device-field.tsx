import type { FieldMetadata } from "@conform-to/react";
import { CheckboxField } from "../../ui/checkbox-field.tsx";

/** Shown wherever a person signs in. A session on a shared device ends sooner. */
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
