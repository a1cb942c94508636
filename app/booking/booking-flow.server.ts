import { redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import type { Person } from "../accounts/person.ts";
import { createFormErrorResponse } from "../accounts/form-error-response.server.ts";
import { flash, redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { env } from "../env.server.ts";
import { clientIpContext } from "../http/request-context.server.ts";
import { createFailureHandler } from "../http/errors.server.ts";
import { type FormSubmission, parseForm } from "../http/form.server.ts";
import { invalidField, type Refusal } from "../http/outcome.ts";
import { hasSubmittedIntakeForm } from "../intake/intake-forms.server.ts";
import { INTAKE_SUBMITTED_TITLE } from "../intake/intake-sections.ts";
import { formatCents } from "../ui/format-currency.ts";
import type { Notice } from "../ui/toast.ts";
import {
  BOOKING_INTAKE_PATH,
  APPOINTMENTS_PATH,
  bookingConfirmationPath,
  NEW_APPOINTMENT_PATH,
  PAYMENT_PATH,
} from "./appointment-paths.ts";
import type { Appointment } from "./find-appointment.server.ts";
import { bookToPayInPerson, checkSlot } from "./book-appointment.server.ts";
import { isSlotUnavailableRefusal } from "./rollback.server.ts";
import { checkAvailability } from "./availability/availability.server.ts";
import { parseDraftSlot } from "./booking-form.server.ts";
import {
  type BookingDraft,
  deleteDraftAndHold,
  findBookingDraft,
  convertDraftToFormData,
} from "./booking-draft.server.ts";
import { draftVersion } from "./draft-version.server.ts";
import { findLapsedHoldStart, holdChosenSlot, releaseChosenSlotHold } from "./holds/chosen-slot-hold.server.ts";
import { AVAILABILITY_UNKNOWN_MESSAGE, IN_THE_PAST_MESSAGE, PAYMENT_METHOD_TITLE } from "./booking-rules.ts";
import { type BookingValues, createBookingFormSchema } from "./booking-schemas.ts";

const BOOKING_FAILED_NOTICE = { title: "Booking Failed", description: "Failed to book appointment" };
const DRAFT_CHANGED_NOTICE = {
  title: "Your booking has changed",
  description:
    "It was changed in another tab or on another device. Nothing is booked or paid yet: please check what it says now.",
  style: "destructive",
} satisfies Notice;

type Context = Readonly<RouterContextProvider>;

type BookingValidation = {
  submission: FormSubmission<ReturnType<typeof createBookingFormSchema>>;
  refusal: Refusal | null;
  fields: (BookingValues & { paymentMethod: "online" | "in-person" }) | null;
};

/** Validates the form of the schedule dialog and checks its slot again. */
async function validateBookingForm(person: Person, form: FormData): Promise<BookingValidation> {
  const submission = parseForm(form, createBookingFormSchema(env.practice.timeZone));
  if (submission.status !== "success") return { submission, refusal: null, fields: null };
  const fields = submission.value;
  const isCardUnavailable = fields.paymentMethod === "online" && env.payments === "off";
  const refusal = isCardUnavailable
    ? invalidField("paymentMethod", "Card payment is not offered. Please choose to pay in person.")
    : await checkSlot(fields, person.id).catch(toAvailabilityRefusal);
  return { submission, refusal, fields: refusal ? null : fields };
}

/**
 * Continues a booking. Redirects to the intake form if the family has none, even if the form is incomplete or invalid,
 * and to the payment page for card payments; otherwise books the visit. The first two cases hold the chosen time.
 */
export async function continueBooking(context: Context, form: FormData, { isAfterIntake = false } = {}) {
  const person = requirePerson(context);
  const ip = context.get(clientIpContext);
  if (!(await hasSubmittedIntakeForm(person))) {
    await holdDraftSlotOrRelease(person, form, ip).catch(
      createFailureHandler(AVAILABILITY_UNKNOWN_MESSAGE, "holding a time"),
    );
    return redirect(BOOKING_INTAKE_PATH);
  }
  const validation = await validateBookingForm(person, form);
  const { fields } = validation;
  if (!fields) {
    // Other fields are corrected first. Meanwhile the time is held, unless it was itself refused.
    if (!("appointmentDate" in fieldErrors(validation)))
      await holdSlotIfFree(person, form, ip).catch(
        createFailureHandler(AVAILABILITY_UNKNOWN_MESSAGE, "holding a time"),
      );
    return bookingErrorResponse(context, validation);
  }
  if (fields.paymentMethod === "in-person") return completeInPersonBooking(context, validation, fields, isAfterIntake);
  const refusal = await holdChosenSlot(person, fields, ip).catch(
    createFailureHandler("Failed to schedule appointment.", "holding a time"),
  );
  if (refusal?.reason === "failed") return bookingErrorResponse(context, { ...validation, refusal });
  // A family that may not hold a time (tooMany) may still pay for it right away.
  if (refusal?.reason === "conflict") return bookingErrorResponse(context, { ...validation, refusal });
  // Loads a new document, because the payment page has its own CSP.
  return redirectDocument(PAYMENT_PATH);
}

/** Holds the time of a form that may be incomplete. A time that can't be booked releases the previous hold. */
export async function holdDraftSlotOrRelease(person: Person, form: FormData, ip: string): Promise<void> {
  if (!(await holdSlotIfFree(person, form, ip))) await releaseChosenSlotHold(person);
}

/** Holds the time of a form that may be incomplete. Returns false, and holds nothing, if it can't be booked. */
async function holdSlotIfFree(person: Person, form: FormData, ip: string): Promise<boolean> {
  const slot = parseDraftSlot(Object.fromEntries(form));
  if (!slot || !(await checkAvailability(slot, person.id)).available) return false;
  await holdChosenSlot(person, { ...slot, appointmentDate: slot.start }, ip);
  return true;
}

/** Holds the draft's time again if its hold has lapsed, its 45 minutes are not used up, and it is still free. */
export async function resumeLapsedHold(person: Person, ip: string): Promise<void> {
  const draft = await findBookingDraft(person);
  const slot = draft && parseDraftSlot(draft);
  const heldSince = slot && (await findLapsedHoldStart(person, slot.start));
  if (!heldSince || !(await checkAvailability(slot, person.id)).available) return;
  await holdChosenSlot(person, { ...slot, appointmentDate: slot.start }, ip, { heldSince, isLapsed: true });
}

type ResumeOptions = {
  inPerson?: boolean;
  isAfterIntake?: boolean;
  /** Version of the draft that the page showed. */
  shownVersion: FormDataEntryValue | null;
};

/**
 * Continues the booking from the saved draft, for pages without a booking form. With `isAfterIntake`, stores the message
 * that the intake form was submitted. If the draft is refused or differs from the version that was shown, redirects to
 * a page that shows it.
 */
export async function continueBookingFromDraft(context: Context, options: ResumeOptions): Promise<Response> {
  const { inPerson = false, isAfterIntake = false, shownVersion } = options;
  const draft = await findBookingDraft(requirePerson(context));
  const isChanged = draft !== null && isDraftChangedSince(draft, shownVersion);
  const fields: BookingDraft = inPerson ? { ...draft, paymentMethod: "in-person" } : { ...draft };
  const response =
    draft && !isChanged ? await continueBooking(context, convertDraftToFormData(fields), { isAfterIntake }) : null;
  const isBooked = response instanceof Response && fields.paymentMethod === "in-person";
  // The messages of a booked visit and of a changed draft say that too.
  if (isAfterIntake && !isBooked && !isChanged) flash(context, { title: INTAKE_SUBMITTED_TITLE });
  if (!draft) return redirect(APPOINTMENTS_PATH);
  if (isChanged)
    return redirectToChangedDraft(context, inPerson ? PAYMENT_PATH : `${NEW_APPOINTMENT_PATH}?again`, {
      isAfterIntake,
    });
  if (response instanceof Response) return response;
  return redirect(`${NEW_APPOINTMENT_PATH}?again${isAfterIntake ? "=intake" : ""}`);
}

/**
 * Returns the errors of the saved draft for the dialog that shows it again; null when it is valid. A time that was
 * taken or has begun is not reported as an error if the dialog offers other times instead (`isTimeOffered`).
 */
export async function findDraftErrors(context: Context, { isTimeOffered }: { isTimeOffered: boolean }) {
  const person = requirePerson(context);
  const draft = await findBookingDraft(person);
  const validation = draft ? await validateBookingForm(person, convertDraftToFormData(draft)) : null;
  if (!validation || validation.fields) return null;
  if (isTimeOffered && validation.refusal && isSlotUnavailableRefusal(validation.refusal)) return null;
  return bookingErrorResponse(context, validation).data;
}

/** Checks whether the draft differs from the version that was shown. False when the request names no version. */
export function isDraftChangedSince(draft: BookingDraft, shownVersion: FormDataEntryValue | null): boolean {
  return shownVersion !== null && shownVersion !== draftVersion(draft);
}

/**
 * Redirects to a page that shows the current draft, with a notice that it has changed; with `isAfterIntake` also that the
 * intake form was submitted.
 */
export function redirectToChangedDraft(context: Context, path: string, { isAfterIntake = false } = {}): Response {
  const description = `${DRAFT_CHANGED_NOTICE.description}${isAfterIntake ? ` ${INTAKE_SUBMITTED_TITLE}` : ""}`;
  return redirectWithFlash(context, path, { ...DRAFT_CHANGED_NOTICE, description }, true);
}

/**
 * Returns the fields of the booking that a draft describes if it is ready for payment; null when it must be corrected
 * first.
 */
export async function validateDraftForPayment(person: Person, draft: BookingDraft): Promise<BookingValues | null> {
  if (!(await hasSubmittedIntakeForm(person))) return null;
  return (await validateBookingForm(person, convertDraftToFormData(draft))).fields;
}

async function completeInPersonBooking(
  context: Context,
  validation: BookingValidation,
  fields: BookingValues,
  isAfterIntake: boolean,
) {
  const person = requirePerson(context);
  const ip = context.get(clientIpContext);
  const booked = await bookToPayInPerson(person, fields, { ip }).catch(
    createFailureHandler("Please try again.", "booking in person"),
  );
  if (!booked.ok)
    return bookingErrorResponse(
      context,
      { ...validation, refusal: withFailurePrefix(booked) },
      BOOKING_FAILED_NOTICE.title,
    );
  await deleteDraftAndHold(person);
  return redirectWithFlash(context, bookingConfirmationPath(booked.value.id), {
    title: "Appointment Booked!",
    description: `${isAfterIntake ? `${INTAKE_SUBMITTED_TITLE} ` : ""}${paymentCollectedInPersonText(booked.value)}`,
  });
}

/** Converts a failed availability check to an error of the time field, whatever the cause. */
function toAvailabilityRefusal(error: unknown): Refusal {
  const refusal = createFailureHandler(AVAILABILITY_UNKNOWN_MESSAGE, "availability of a booking")(error);
  return {
    ...refusal,
    message: AVAILABILITY_UNKNOWN_MESSAGE,
    errors: { appointmentDate: [AVAILABILITY_UNKNOWN_MESSAGE] },
  };
}

/** Puts the general failure text in front of refusals without field errors. */
function withFailurePrefix(refusal: Refusal): Refusal {
  return refusal.errors ? refusal : { ...refusal, message: `${BOOKING_FAILED_NOTICE.description}. ${refusal.message}` };
}

function paymentCollectedInPersonText({ paymentAmountCents }: Appointment): string {
  return `Payment of ${formatCents(paymentAmountCents ?? 0)} is collected in person.`;
}

function bookingErrorResponse(context: Context, validation: BookingValidation, fallbackTitle = "Scheduling Failed") {
  const { submission, refusal } = validation;
  const title = bookingErrorTitle(refusal, fieldErrors(validation)) ?? fallbackTitle;
  return createFormErrorResponse(context, submission, refusal, { title });
}

function fieldErrors({ submission, refusal }: BookingValidation): object {
  return refusal?.errors ?? (submission.status === "error" ? (submission.error ?? {}) : {});
}

/** Returns the title for a single error; null for several errors. Texts from docs/product.md, Screens. */
function bookingErrorTitle(refusal: Refusal | null, errors: object): string | null {
  if (refusal?.message === IN_THE_PAST_MESSAGE) return "Invalid Date";
  if (refusal && "appointmentDate" in errors) return "Time Slot Unavailable";
  const [only, ...others] = Object.keys(errors);
  if (others.length === 0 && only === "paymentMethod") return PAYMENT_METHOD_TITLE;
  return others.length === 0 && only === "appointmentDate" ? "Invalid Date" : null;
}
