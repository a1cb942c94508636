import { type FormEvent, useRef } from "react";
import { Form, Link } from "react-router";
import type { FormErrorData } from "../../accounts/form-error-response.server.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { type AnyField, useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { useSite } from "../../practice/site.ts";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { useLocalTimeConverter } from "../availability/use-local-time-converter.ts";
import type { ChosenSlotStatus, LostSlot } from "../holds/chosen-slot-status.server.ts";
import { APPOINTMENTS_PATH, bookingConfirmationPath, NEW_APPOINTMENT_PATH } from "../appointment-paths.ts";
import { BookingSubmitBar, BookingStep } from "./booking-step.tsx";
import { DetailsStep } from "./details-step.tsx";
import type { BookingDialogData } from "./booking-dialog-data.server.ts";
import { ServiceStep } from "./service-step.tsx";
import { TimeStep } from "./time-step.tsx";
import { STEP_COUNT, useBookingSteps } from "./use-booking-steps.ts";
import { useBookingSummary } from "./use-booking-summary.ts";
import { useDraftAutosaveWithHold } from "./use-draft-autosave-with-hold.ts";

export type BookingFormFields = {
  title: string;
  ownTitle: string;
  service: string;
  description: string;
  notes: string;
  date: string;
  slot: string;
  appointmentDate: string;
  duration: string;
  type: string;
  meetingLink: string;
  place: string;
  isLiveVideoCall: string;
  paymentMethod: string;
};
export type BookingDialogFields = { [Name in keyof BookingFormFields]: AnyField };

type BookingDialogProps = {
  data: BookingDialogData;
  formError?: FormErrorData | null;
  refusedTime?: LostSlot | null;
  /** Whether the family comes from its intake form, which was submitted although the booking failed. */
  isIntakeSent?: boolean;
  /** Whether the time was lost during the payment, so that nothing was charged. */
  isUncharged?: boolean;
};

/**
 * Shows the schedule dialog: one form in three steps, all on one page without scripts, one at a time with scripts. It
 * posts to NEW_APPOINTMENT_PATH wherever it is shown.
 */
export function BookingDialog({
  data,
  formError,
  refusedTime = null,
  isIntakeSent = false,
  isUncharged = false,
}: BookingDialogProps) {
  const { values, hasIntake, addOns } = data;
  const [form, fields] = useServerValidatedForm<BookingFormFields>({
    id: "booking",
    lastResult: formError?.result,
    defaultValue: values,
  });
  const { choices, readChoices } = useBookingSummary(fields, data);
  const ownTime = useLocalTimeConverter()?.(choices.startText);
  const formRef = useRef<HTMLFormElement>(null);
  const steps = useBookingSteps(formRef, form.allErrors, {
    hasService: data.unavailableTime !== null || Boolean(values.title),
    hasTime: data.unavailableTime === null && Boolean(values.slot || values.appointmentDate),
    isPaymentOptional: !hasIntake,
  });
  const isLastStep = steps.isStepped && steps.current === STEP_COUNT;
  const draft = useDraftAutosaveWithHold(
    formRef,
    steps.isStepped ? steps.current : 0,
    data.hold,
    ({ when, statusText, reason, nearest }) =>
      steps.showTimeError(`${when} ${statusText}.${reason ? ` ${reason}` : ""} Please choose another time.`, nearest),
  );
  function onChange(event: { currentTarget: HTMLFormElement }) {
    readChoices(event);
    steps.onChange();
    draft.onChange();
  }
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    steps.onSubmit(event);
    if (!event.defaultPrevented) draft.onSubmit();
  }
  const action = addOns
    ? `${NEW_APPOINTMENT_PATH}?${new URLSearchParams({ service: String(values.service) })}`
    : NEW_APPOINTMENT_PATH;
  const submitText = hasIntake ? "Schedule Appointment" : "Proceed";
  return (
    <RouteDialog title="Schedule Appointment" closeTo={APPOINTMENTS_PATH} size="lg">
      <PageMeta hasError={form.status === "error"}>Schedule Appointment</PageMeta>
      {isIntakeSent && (
        <p role="status" className="notice">
          Thank you. {Object.keys(form.allErrors).length > 1 ? "A few things are" : "One thing is"} left for your
          booking.
        </p>
      )}
      {data.recentBooking && <RecentBookingNotice visit={data.recentBooking} />}
      <div onClickCapture={steps.onSummaryClick} className="empty:hidden">
        <ErrorSummary form={form} notice={formError?.notice} />
      </div>
      <Form
        method="post"
        action={action}
        id={form.id}
        noValidate
        preventScrollReset
        className="booking-steps"
        ref={formRef}
        onChange={onChange}
        onSubmit={onSubmit}
        onKeyDown={steps.onKeyDown}
      >
        <input type="hidden" name={fields.service.name} value={values.service ?? ""} />
        {!steps.isStepped && (
          // Enter in a field presses the first button of a form. That must not be a button that requests another day.
          <button className="sr-only" tabIndex={-1} aria-hidden="true">
            {submitText}
          </button>
        )}
        <BookingStep steps={steps} number={1} title="What do you need?">
          <ServiceStep fields={fields} data={data} error={steps.stepError} />
        </BookingStep>
        <BookingStep
          steps={steps}
          number={2}
          title="When?"
          choices={steps.isStepped ? [choices.service, choices.price, choices.covers] : []}
          // The last step has a status of its own.
          status={draft.hold && !isLastStep && !refusedTime ? <HoldStatusWithTime hold={draft.hold} /> : undefined}
        >
          <TimeStep
            fields={fields}
            data={data}
            error={steps.stepError}
            refusedTime={refusedTime}
            isUncharged={isUncharged}
            onCleared={onChange}
            onTimeChosen={() => void steps.showNext()}
          />
        </BookingStep>
        <BookingStep
          steps={steps}
          number={3}
          title="How?"
          choices={
            steps.isStepped
              ? [choices.time, ownTime && `Your time: ${ownTime.long}`, choices.service, choices.price, choices.covers]
              : []
          }
          status={isLastStep ? draft.hold && <HoldStatus hold={draft.hold} /> : undefined}
        >
          <DetailsStep fields={fields} data={data} choices={choices} error={steps.stepError} />
        </BookingStep>
        <p className="hint">
          <strong>Intake Form must be filled out to proceed with appointment.</strong>{" "}
          {hasIntake
            ? "We have yours, so there is nothing to fill in."
            : "It comes next and takes about 10 minutes. We hold your time for you meanwhile."}
        </p>
        <BookingSubmitBar
          steps={steps}
          submitText={submitText}
          busyText={hasIntake ? "Booking…" : "One moment…"}
          time={choices.shortTime}
        />
      </Form>
    </RouteDialog>
  );
}

/** Names the time, because another one may be selected in the same step. */
function HoldStatusWithTime({ hold }: { hold: ChosenSlotStatus }) {
  return hold.state === "held"
    ? `${hold.when} is held for you until ${hold.until}.`
    : `${hold.when} isn't held for you. Finish booking soon.`;
}

function HoldStatus({ hold }: { hold: ChosenSlotStatus }) {
  return hold.state === "held"
    ? `Held for you until ${hold.until}`
    : "This time isn't held for you. Finish booking soon.";
}

/** Tells a family that navigated back from its confirmation that the visit is already booked. */
function RecentBookingNotice({
  visit: { id, title, start },
}: {
  visit: NonNullable<BookingDialogData["recentBooking"]>;
}) {
  const { timeZone } = useSite().practice;
  return (
    <p className="notice wrap-anywhere">
      You have just booked {title}, <ZonedTime instant={start} zone={timeZone} inSentence />.{" "}
      <Link to={bookingConfirmationPath(id)}>See your visit</Link>
    </p>
  );
}
