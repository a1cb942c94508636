import { Form } from "react-router";
import type { FormErrorData } from "../accounts/form-error.server.ts";
import { Button } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { RadioField } from "../ui/choice-fields.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { usePageForm } from "../ui/page-form.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { SelectField, TextField } from "../ui/text-fields.tsx";
import { APPOINTMENTS_PATH, NEW_APPOINTMENT_PATH } from "./paths.ts";
import { MAX_MINUTES, MIN_MINUTES, TYPE_LABELS, APPOINTMENT_TYPES } from "./rules.ts";
import type { ScheduleDialogData } from "./schedule-data.server.ts";
import { ServiceField } from "./service-field.tsx";
import { SlotPicker } from "./slot-picker.tsx";

const TYPE_OPTIONS = APPOINTMENT_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] }));
const IN_PERSON_OPTION = {
  value: "in-person",
  label: "Pay in person",
  hint: "You pay when we meet. The time is yours right away.",
};
const ONLINE_OPTION = {
  value: "online",
  label: "Pay online",
  hint: "By card, on the next page. The time is yours as soon as the payment is through.",
};

export type BookingFormFields = {
  title: string;
  service: string;
  description: string;
  date: string;
  slot: string;
  appointmentDate: string;
  duration: string;
  type: string;
  meetingLink: string;
  isLiveVideoCall: string;
  paymentMethod: string;
};

type ScheduleDialogProps = { data: ScheduleDialogData; formError?: FormErrorData | null };

/** The schedule dialog. It posts to NEW_APPOINTMENT_PATH wherever it is shown. */
export function ScheduleDialog({ data, formError }: ScheduleDialogProps) {
  const { values, hasIntake, acceptsCards } = data;
  const [form, fields] = usePageForm<BookingFormFields>({
    id: "booking",
    lastResult: formError?.result,
    defaultValue: values,
  });
  return (
    <Dialog title="Schedule Appointment" closeTo={APPOINTMENTS_PATH} size="lg">
      <PageTitle hasError={form.status === "error"}>Schedule Appointment</PageTitle>
      <ErrorSummary form={form} notice={formError?.notice} />
      <p className="notice">
        Intake Form must be filled out to proceed with appointment
        <span className="mt-2 block">
          {hasIntake
            ? "Yours is in. Thank you."
            : "We ask for it next, and then go on with your booking where you left it."}
        </span>
      </p>
      <Form
        method="post"
        action={NEW_APPOINTMENT_PATH}
        id={form.id}
        noValidate
        preventScrollReset
        className="grid gap-6"
      >
        <input type="hidden" name={fields.service.name} value={values.service ?? ""} />
        <ServiceField field={fields.title} duration={fields.duration} services={data.services} addOns={data.addOns} />
        <SelectField field={fields.type} label="Appointment Type" options={TYPE_OPTIONS} />
        <TextField
          field={fields.duration}
          label="Duration"
          hint={`In minutes, from ${MIN_MINUTES} to ${MAX_MINUTES}.`}
          type="number"
          inputMode="numeric"
          min={MIN_MINUTES}
          max={MAX_MINUTES}
          step={5}
          width="short"
        />
        <SlotPicker fields={fields} data={data} />
        <TextField
          field={fields.description}
          label="Description"
          hint="What you would like to talk about."
          optional
          rows={3}
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
        <CheckboxField
          field={fields.isLiveVideoCall}
          label="Live Video Call"
          hint="We meet by video on this site. The waiting room opens 10 minutes before the start."
          optional
        />
        <RadioField
          field={fields.paymentMethod}
          legend="Payment Method"
          hint="Payment is due at booking. Cancel 24 hours or more before the start and it costs nothing; later there is a 50% fee."
          options={acceptsCards ? [ONLINE_OPTION, IN_PERSON_OPTION] : [IN_PERSON_OPTION]}
        />
        <Button variant="primary" busyText={hasIntake ? "Booking…" : "One moment…"} className="justify-self-start">
          {hasIntake ? "Schedule Appointment" : "Proceed"}
        </Button>
      </Form>
    </Dialog>
  );
}
