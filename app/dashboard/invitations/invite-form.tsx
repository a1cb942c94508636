import { appointmentDetailsPath } from "../../booking/paths.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import type { AnyField } from "../../ui/page-form.ts";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";

export type InviteFields = { firstName: string; lastName: string; email: string };

type InviteFormProps = {
  fields: Record<keyof InviteFields, AnyField>;
  /** The visit without an account that the family will find in its account. */
  visit: { appointmentId: number; visitAt: string } | null;
};

/** The fields of a new invitation. */
export function InviteForm({ fields, visit }: InviteFormProps) {
  const { timeZone } = useSite().practice;
  return (
    <>
      <p>
        The family gets a link, makes its account with this address, and starts the intake form. The link works once,
        for 14 days. A new invitation to the same address ends the one before.
      </p>
      {visit && (
        <p className="notice">
          The visit on <ZonedTime instant={visit.visitAt} zone={timeZone} inSentence /> will be in the account. A link
          for it that you made earlier ends.
          <input type="hidden" name="appointmentId" value={visit.appointmentId} />
        </p>
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
