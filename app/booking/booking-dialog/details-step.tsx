import { RadioField, SelectField } from "../../ui/choice-fields.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { APPOINTMENT_TYPES, LENGTH_TO_CONFIRM, MAX_MINUTES, MIN_MINUTES, TYPE_LABELS } from "../rules.ts";
import type { BookingDialogFields } from "./booking-dialog.tsx";
import type { BookingDialogData } from "./booking-dialog-data.server.ts";
import type { BookingSummary } from "./use-booking-summary.ts";
import type { Missing } from "./use-booking-steps.ts";

const TYPE_OPTIONS = APPOINTMENT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));
const MEETING_OPTIONS = [
  { value: "on", label: "Live Video Call" },
  { value: "", label: "In person" },
];
const IN_PERSON_OPTION = { value: "in-person", label: "Pay in person" };
const ONLINE_OPTION = { value: "online", label: "Pay online" };

/** What the practice presets, out of the way unless something there needs a correction. */
const MORE_OPTIONS = ["type", "duration", "description", "meetingLink"] as const;

type DetailsStepProps = {
  fields: BookingDialogFields;
  data: BookingDialogData;
  choices: BookingSummary;
  error: Missing;
};

/** How we meet and how it is paid, a note, and what usually stays as it is. */
export function DetailsStep({ fields, data, choices, error }: DetailsStepProps) {
  const hasErrorInMore = MORE_OPTIONS.some((name) => fields[name].errors);
  return (
    <>
      <RadioField
        field={fields.isLiveVideoCall}
        legend="How we meet"
        hint="Here on this site, or in the Long Branch area."
        options={MEETING_OPTIONS}
        isInline
      />
      <RadioField
        field={error?.step === 3 ? { ...fields.paymentMethod, errors: [error.text] } : fields.paymentMethod}
        legend="Payment Method"
        hint={`${data.acceptsCards ? "By card on the next page, or by check or cash. For a video visit your consultant arranges that with you. " : ""}Cancel 24 hours or more before the start for a full refund; after that there is a 50% fee.`}
        options={data.acceptsCards ? [ONLINE_OPTION, IN_PERSON_OPTION] : [IN_PERSON_OPTION]}
        isInline
      />
      {choices.lateNote && (
        <p role="status" className="notice">
          {choices.lateNote}
        </p>
      )}
      <TextField field={fields.notes} label="Note" hint="What you'd like to talk about." optional rows={2} />
      <details open={hasErrorInMore}>
        <summary className="text-summary">More options</summary>
        <div className="mt-3 grid gap-5">
          <SelectField field={fields.type} label="Appointment Type" options={TYPE_OPTIONS} />
          <div>
            <input type="hidden" name="presetDuration" defaultValue={data.values.duration} />
            <TextField
              field={fields.duration}
              label="Duration"
              hint={`In minutes, from ${MIN_MINUTES} to ${MAX_MINUTES}. If it is longer than usual for the service, ${LENGTH_TO_CONFIRM}.`}
              type="number"
              inputMode="numeric"
              min={MIN_MINUTES}
              max={MAX_MINUTES}
              step={5}
              width="short"
            />
            {choices.isLongerThanSold && (
              <p role="status" className="notice mt-2">
                Longer than usual for this service: {LENGTH_TO_CONFIRM}.
              </p>
            )}
          </div>
          <TextField field={fields.description} label="Description" optional rows={2} />
          <TextField
            field={fields.meetingLink}
            label="Meeting Link"
            hint="Only if you want to meet on a page of your own. It begins with https://"
            optional
            type="url"
            inputMode="url"
            autoComplete="off"
          />
        </div>
      </details>
    </>
  );
}
