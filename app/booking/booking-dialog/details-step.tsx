import { RadioField, SelectField } from "../../ui/choice-fields.tsx";
import { TextField } from "../../ui/text-field.tsx";
import {
  APPOINTMENT_TYPES,
  LENGTH_TO_CONFIRM_NOTE,
  MAX_VISIT_MINUTES,
  MIN_VISIT_MINUTES,
  PAYMENT_METHOD_TITLE,
  TYPE_LABELS,
} from "../booking-rules.ts";
import type { BookingDialogFields } from "./booking-dialog.tsx";
import type { BookingDialogData } from "./booking-dialog-data.server.ts";
import type { BookingSummary } from "./use-booking-summary.ts";
import type { IncompleteStepError } from "./use-booking-steps.ts";

const TYPE_OPTIONS = APPOINTMENT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));
const MEETING_OPTIONS = [
  { value: "on", label: "Live Video Call", hint: "On this site" },
  { value: "", label: "In person", hint: "Long Branch area" },
];

/** Fields that the practice presets. They are collapsed unless one of them needs a correction. */
const COLLAPSED_FIELDS = ["type", "duration", "description", "place", "meetingLink"] as const;

type DetailsStepProps = {
  fields: BookingDialogFields;
  data: BookingDialogData;
  choices: BookingSummary;
  error: IncompleteStepError | null;
};

/** Shows the fields for the kind of meeting, the payment and a note, and those that usually keep their presets. */
export function DetailsStep({ fields, data, choices, error }: DetailsStepProps) {
  const amount = choices.price ? `${choices.price} by` : "By";
  const online = {
    value: "online",
    label: "Pay online",
    hint: `${amount} card, ${data.hasIntake ? "on the next page" : "after the intake form"}`,
  };
  const inPerson = {
    value: "in-person",
    label: "Pay in person",
    hint: `${amount} check or cash. For a video visit, your consultant tells you how.`,
  };
  const isPaymentMethodMissing = error?.step === 3;
  const hasErrorInCollapsedFields = COLLAPSED_FIELDS.some((name) => fields[name].errors);
  return (
    <>
      <RadioField field={fields.isLiveVideoCall} legend="How we meet" options={MEETING_OPTIONS} isInline />
      <RadioField
        field={isPaymentMethodMissing ? { ...fields.paymentMethod, errors: [error.text] } : fields.paymentMethod}
        legend="Payment Method"
        hint={isPaymentMethodMissing && <strong className="text-danger">{PAYMENT_METHOD_TITLE}</strong>}
        options={data.acceptsCards ? [online, inPerson] : [inPerson]}
      />
      <p role="status" className={choices.lateNote ? "notice" : "hint"}>
        {choices.lateNote ?? choices.refundRule}
      </p>
      <TextField field={fields.notes} label="Note" hint="What you'd like to talk about." optional rows={2} />
      <details open={hasErrorInCollapsedFields}>
        <summary className="text-summary">More options</summary>
        <div className="mt-3 grid gap-5">
          <SelectField field={fields.type} label="Appointment Type" options={TYPE_OPTIONS} />
          <div>
            <input type="hidden" name="presetDuration" defaultValue={data.values.duration} />
            <TextField
              field={fields.duration}
              label="Duration"
              hint={`In minutes, from ${MIN_VISIT_MINUTES} to ${MAX_VISIT_MINUTES}. If it is longer than usual for the service, ${LENGTH_TO_CONFIRM_NOTE}.`}
              type="number"
              inputMode="numeric"
              min={MIN_VISIT_MINUTES}
              max={MAX_VISIT_MINUTES}
              step={5}
              width="short"
            />
            {choices.isLongerThanSold && (
              <p role="status" className="notice mt-2">
                Longer than usual for this service: {LENGTH_TO_CONFIRM_NOTE}.
              </p>
            )}
          </div>
          <TextField field={fields.description} label="Description" optional rows={2} />
          <TextField
            field={fields.place}
            label="Where should we meet?"
            hint="Only for a visit in person: a school or a clinic, for example. We'll call you if we can't come there."
            optional
            autoComplete="off"
          />
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
