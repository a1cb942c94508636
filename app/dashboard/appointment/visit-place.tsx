import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import type { AnyField, AnyForm } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";

export const PLACE_INTENT = "place";

type VisitPlaceFormProps = { form: AnyForm; field: AnyField; hasPlace: boolean; hasAccount: boolean };

/** Form for the place of one visit, collapsed, because most visits take place where the practice usually meets families. */
export function VisitPlaceForm({ form, field, hasPlace, hasAccount }: VisitPlaceFormProps) {
  return (
    <details open={form.status === "error"} data-screen-only>
      <summary className="text-summary">{hasPlace ? "Change the place" : "Set the place of this visit"}</summary>
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-3 grid gap-3">
        <TextField
          field={field}
          label="Place"
          hint={`${hasAccount ? "The family gets a message with it. " : ""}Leave it empty for your usual place.`}
          optional
          autoComplete="off"
        />
        <Button name="intent" value={PLACE_INTENT} className="justify-self-start" busyText="Saving…">
          Save place
        </Button>
      </Form>
    </details>
  );
}
