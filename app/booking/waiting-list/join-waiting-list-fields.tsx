import { Button } from "../../ui/button.tsx";
import { RadioField } from "../../ui/choice-fields.tsx";
import type { AnyField } from "../../ui/use-server-validated-form.ts";
import { TextField } from "../../ui/text-field.tsx";
import { WAITING_LIST_VISIT_MINUTES } from "./waiting-list-visit-lengths.ts";

export type JoinFields = { day: string; duration: string };

const DURATIONS = WAITING_LIST_VISIT_MINUTES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 90 ? "90 minutes, for a first consultation" : `${minutes} minutes`,
}));

type JoinFormProps = {
  fields: Record<keyof JoinFields, AnyField>;
  /** Service of the booking that the family came from. */
  service: string | null;
  firstDay: string;
  lastDay: string;
  isEstablished: boolean;
  /** Without email, nobody is notified of an offer or can confirm an address. */
  hasMail: boolean;
};

/** Shows the fields for joining the waiting list of a day. */
export function JoinWaitingListFields({ fields, service, firstDay, lastDay, isEstablished, hasMail }: JoinFormProps) {
  return (
    <>
      <p>
        Tell us the day. When a time opens,{" "}
        {hasMail ? "we'll email you and hold it" : "it shows up on this page, and we'll hold it"} for you for two hours.
        The night, from 9 PM to 8 AM, doesn't count.
      </p>
      <TextField field={fields.day} label="Day" type="date" width="short" min={firstDay} max={lastDay} />
      <RadioField
        field={fields.duration}
        legend="How long"
        hint={service && `For your visit: ${service}.`}
        options={DURATIONS}
      />
      <Button variant="primary" busyText="One moment…" className="justify-self-start">
        Tell me when a time opens
      </Button>
      <p className="hint">
        If you don&apos;t take it by then, it goes to the next family on the list. You can wait for up to five days at a
        time.
        {!isEstablished &&
          hasMail &&
          " Once you have confirmed your email address and sent in your intake form, we'll ask you before families who haven't."}
      </p>
    </>
  );
}
