import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";

/** Form that waives the amount that is owed for a visit. */
export function WaiveForm({ field }: { field: AnyField }) {
  return (
    <section className="grid gap-4">
      <h3 className="text-lg">Nothing is owed</h3>
      <Form method="post" noValidate preventScrollReset>
        <TextField field={field} label="Why nothing is owed" hint="The family doesn't see the reason on any page." />
        <Button name="intent" value="waive" busyText="Saving…">
          Nothing is owed
        </Button>
      </Form>
    </section>
  );
}

/** Shows the waived amount, and a form that revokes the waiver. */
export function RevokeWaiverForm({ amount, reason }: { amount: string; reason: string | null }) {
  return (
    <section className="grid gap-4">
      <h3 className="text-lg">Nothing is owed</h3>
      <p className="wrap-anywhere">
        {amount} waived{reason && `: ${reason}`}
      </p>
      <Form method="post" preventScrollReset>
        <Button name="intent" value="unwaive" busyText="Saving…">
          To be paid after all
        </Button>
      </Form>
    </section>
  );
}
