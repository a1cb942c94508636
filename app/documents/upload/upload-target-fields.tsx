import { useSite } from "../../practice/site.ts";
import { RadioField, SelectField } from "../../ui/choice-fields.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import type { AnyField } from "../../ui/use-server-validated-form.ts";

export type UploadTargetFieldsProps = {
  isAdmin: boolean;
  families: { id: number; name: string }[];
  appointments: { id: number; title: string; start: string }[];
  fields: { userId: AnyField; appointmentId: AnyField };
};

/** Field for whether the family sees what the administrator uploads. */
export function VisibilityField({ field }: { field: AnyField }) {
  return (
    <RadioField
      field={field}
      legend="Who can see it?"
      options={[
        { value: "true", label: "The family and you" },
        { value: "false", label: "Only you" },
      ]}
    />
  );
}

/** Fields for the appointment of an upload and, for the administrator, its family. */
export function UploadTargetFields({ isAdmin, families, appointments, fields }: UploadTargetFieldsProps) {
  const { timeZone } = useSite().practice;
  const appointmentOptions = appointments.map(({ id, title, start }) => ({
    value: String(id),
    label: `${title}, ${formatDateTime(start, timeZone)}`,
  }));
  return (
    <>
      {isAdmin && (
        <SelectField
          field={fields.userId}
          label="Family"
          options={[
            { value: "", label: "Choose a family" },
            ...families.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
      {appointmentOptions.length > 0 && (
        <SelectField
          field={fields.appointmentId}
          label="Which visit is this for?"
          optional
          options={[{ value: "", label: "None" }, ...appointmentOptions]}
        />
      )}
    </>
  );
}
