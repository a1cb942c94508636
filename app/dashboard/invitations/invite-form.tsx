import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { RadioField } from "../../ui/choice-fields.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";

export type InviteFields = { firstName: string; lastName: string; email: string; appointmentId: string };

type InviteFormProps = {
  fields: Record<keyof InviteFields, AnyField>;
  /** Visits without an account of a person with the same name. Set by the response to the first submission. */
  offered: readonly { id: number; start: string }[];
  /** The visit without an account that the family will find in its new account. */
  visit: { appointmentId: number; visitAt: string } | null;
};

/** Shows the fields of a new invitation. */
export function InviteForm({ fields, visit, offered }: InviteFormProps) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <p>
        The family gets a link, makes its account with this address, and starts the intake form. The link works once,
        for 14 days. A new invitation to the same address replaces the one before.
      </p>
      {visit && (
        <p className="notice">
          The visit on <ZonedTime instant={visit.visitAt} zone={timeZone} inSentence /> will be in the account. A link
          for it that you made earlier ends.
          <input type="hidden" name="appointmentId" value={visit.appointmentId} />
        </p>
      )}
      {offered.length > 0 && (
        <div role="alert" className="notice">
          <input type="hidden" name="asked" value="yes" />
          <RadioField
            field={{ ...fields.appointmentId, initialValue: String(offered[0]?.id) }}
            legend={`${String(fields.firstName.initialValue)} ${String(fields.lastName.initialValue)} has a visit without an account: add it?`}
            hint="Nothing has been sent yet. It may be someone else with the same name."
            options={[
              ...offered.map(({ id, start }) => ({
                value: String(id),
                label: `Add the visit on ${formatDateTime(start, timeZone)}`,
              })),
              { value: "", label: "Invite without a visit" },
            ]}
            optional
          />
        </div>
      )}
      <TextField field={fields.firstName} label="First name" autoComplete="off" />
      <TextField field={fields.lastName} label="Last name" autoComplete="off" />
      <TextField field={fields.email} label="Email address" type="email" autoComplete="off" />
      <div className="actions">
        <Button variant="primary" busyText="Inviting…">
          Invite the family
        </Button>
        {visit && <LinkButton to={appointmentDetailsPath(visit.appointmentId)}>Back to the visit</LinkButton>}
      </div>
    </>
  );
}
