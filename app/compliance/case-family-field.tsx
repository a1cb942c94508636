import { SelectField } from "../ui/choice-fields.tsx";
import type { AnyField } from "../ui/use-server-validated-form.ts";

type CaseFamilyFieldProps = { field: AnyField; families: readonly { id: number; name: string }[] };

/**
 * Shows the field for the family that a case is about. The case is included in the family's data copy, and its texts
 * are removed when the account is erased.
 */
export function CaseFamilyField({ field, families }: CaseFamilyFieldProps) {
  return (
    <SelectField
      field={field}
      label="Which family is it about?"
      hint="A request goes into the family's own copy of everything, with what you did; an incident only into the copy that you make. If the family deletes its account, every word here is removed with it. Choose none for several families, or one without an account: then the words stay until their time is over."
      optional
      options={[{ value: "", label: "None" }, ...families.map(({ id, name }) => ({ value: String(id), label: name }))]}
    />
  );
}
