import { redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import type { Person } from "../accounts/person.ts";
import { formError } from "../accounts/form-error.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { env } from "../env.server.ts";
import { clientIpContext } from "../http/context.server.ts";
import { failureHandler } from "../http/errors.server.ts";
import { type FormSubmission, parseForm } from "../http/form.server.ts";
import { invalidField, type Refusal } from "../http/outcome.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { INTAKE_SUBMITTED } from "../intake/sections.ts";
import { formatCents } from "../ui/format-currency.ts";
import type { Notice } from "../ui/toast.ts";
import {
  BOOKING_INTAKE_PATH,
  APPOINTMENTS_PATH,
  bookingConfirmationPath,
  NEW_APPOINTMENT_PATH,
  PAYMENT_PATH,
} from "./paths.ts";
import type { Appointment } from "./appointments.server.ts";
import { bookToPayInPerson, checkSlot } from "./book.server.ts";
import { isSlotUnavailableRefusal } from "./rollback.server.ts";
import { checkAvailability } from "./availability/availability.server.ts";
import { parseDraftSlot } from "./booking-form.server.ts";
import { type BookingDraft, deleteDraftAndHold, findBookingDraft, toFormData } from "./draft.server.ts";
import { draftVersion } from "./draft-version.server.ts";
import { findLapsedHold, holdSlot, releaseChosenSlotHold } from "./holds/chosen-slot-hold.server.ts";
import { AVAILABILITY_UNKNOWN, IN_THE_PAST, PAYMENT_METHOD_TITLE } from "./rules.ts";
import { type BookingFields, bookingFormSchema } from "./schemas.ts";

const BOOKING_FAILED = { title: "Booking Failed", description: "Failed to book appointment" };
const DRAFT_CHANGED: Notice = {
  title: "Your booking has changed",
  description:
    "It was changed in another tab or on another device. Nothing is booked or paid yet: please check what it says now.",
  style: "destructive",
};

type Context = Readonly<RouterContextProvider>;

type Validation = {
  submission: FormSubmission<ReturnType<typeof bookingFormSchema>>;
  refusal: Refusal | null;
  fields: (BookingFields & { paymentMethod: "online" | "in-person" }) | null;
};

/** Validates the schedule dialog's form and re-checks its slot. */
async function validateDraftForm(person: Person, form: FormData): Promise<Validation> {
  const submission = parseForm(form, bookingFormSchema(env.practice.timeZone));
  if (submission.status !== "success") return { submission, refusal: null, fields: null };
  const fields = submission.value;
  const isCardUnavailable = fields.paymentMethod === "online" && env.payments === "off";
  const refusal = isCardUnavailable
    ? invalidField("paymentMethod", "Card payment is not offered. Please choose to pay in person.")
    : await checkSlot(fields, person.id).catch(toAvailabilityRefusal);
  return { submission, refusal, fields: refusal ? null : fields };
}

/**
 * Continues a booking: to the intake form if there is none, once it is chosen how to pay; to the paying page for cards;
 * else books it. On the way the chosen time is held.
 */
export async function continueBooking(context: Context, form: FormData, { afterIntake = false } = {}) {
  const person = requirePerson(context);
  const ip = context.get(clientIpContext);
  if (!(await hasIntakeForm(person))) {
    const refused = await refusalBeforeIntake(person, form);
    if (refused) return bookingFormError(context, refused);
    await holdDraftSlot(person, form, ip);
    return redirect(BOOKING_INTAKE_PATH);
  }
  const validation = await validateDraftForm(person, form);
  const { fields } = validation;
  if (!fields) return bookingFormError(context, validation);
  if (fields.paymentMethod === "in-person") return completeInPersonBooking(context, validation, fields, afterIntake);
  const refusal = await holdSlot(person, fields, ip).catch(
    failureHandler("Failed to schedule appointment.", "holding a time"),
  );
  if (refusal?.reason === "failed") return bookingFormError(context, { ...validation, refusal });
  // Whoever may not hold a time may still pay for it at once.
  if (refusal?.reason === "conflict") return bookingFormError(context, { ...validation, refusal });
  // A document load, because the paying page has its own CSP.
  return redirectDocument(PAYMENT_PATH);
}

/**
 * What is wrong with a form that lacks a payment choice, or asks for a time that nobody could book; null otherwise,
 * whatever else is unfinished. A time that is taken is no mistake of the family's: the intake form offers others.
 */
async function refusalBeforeIntake(person: Person, form: FormData): Promise<Validation | null> {
  const validation = await validateDraftForm(person, form);
  const { submission, refusal } = validation;
  const errors = refusal?.errors ?? (submission.status === "error" ? submission.error : null);
  const isUnpaid = errors !== null && "paymentMethod" in errors;
  return isUnpaid || (refusal !== null && refusal.reason !== "conflict") ? validation : null;
}

/** Holds the time of a form that may not be complete yet; a time that can't be booked ends the hold before it. */
async function holdDraftSlot(person: Person, form: FormData, ip: string): Promise<void> {
  const slot = parseDraftSlot(Object.fromEntries(form));
  const isFree = slot !== null && (await checkAvailability(slot, person.id)).available;
  if (isFree) await holdSlot(person, { ...slot, appointmentDate: slot.start }, ip);
  else await releaseChosenSlotHold(person);
}

/** Holds the draft's time again where its hold has lapsed, its 45 minutes are not over, and it is still free. */
export async function resumeLapsedHold(person: Person, ip: string): Promise<void> {
  const draft = await findBookingDraft(person);
  const slot = draft && parseDraftSlot(draft);
  const heldSince = slot && (await findLapsedHold(person, slot.start));
  if (!heldSince || !(await checkAvailability(slot, person.id)).available) return;
  await holdSlot(person, { ...slot, appointmentDate: slot.start }, ip, heldSince);
}

type ResumeOptions = {
  inPerson?: boolean;
  afterIntake?: boolean;
  /** The draft's version that the page showed. */
  shownVersion: FormDataEntryValue | null;
};

/**
 * Continues the booking from the saved draft, for pages without a booking form. A draft that is refused, or is not the
 * one that was shown, leads back to a page that shows it.
 */
export async function resumeDraft(context: Context, options: ResumeOptions): Promise<Response> {
  const { inPerson = false, afterIntake = false, shownVersion } = options;
  const draft = await findBookingDraft(requirePerson(context));
  if (!draft) return redirect(APPOINTMENTS_PATH);
  if (isChangedSince(draft, shownVersion))
    return redirectToChangedDraft(context, inPerson ? PAYMENT_PATH : `${NEW_APPOINTMENT_PATH}?again`);
  const response = await continueBooking(
    context,
    toFormData(inPerson ? { ...draft, paymentMethod: "in-person" } : draft),
    { afterIntake },
  );
  if (response instanceof Response) return response;
  return redirect(`${NEW_APPOINTMENT_PATH}?again${afterIntake ? "=intake" : ""}`);
}

/**
 * The errors of the saved draft, for the dialog when it is shown again; null when it is valid. That its time was taken or
 * has begun is no mistake of the family's: where the dialog offers others instead (`isTimeOffered`), it is no error.
 */
export async function draftErrors(context: Context, { isTimeOffered }: { isTimeOffered: boolean }) {
  const person = requirePerson(context);
  const draft = await findBookingDraft(person);
  const validation = draft ? await validateDraftForm(person, toFormData(draft)) : null;
  if (!validation || validation.fields) return null;
  if (isTimeOffered && validation.refusal && isSlotUnavailableRefusal(validation.refusal)) return null;
  return bookingFormError(context, validation).data;
}

/** Whether this is another booking than the one that was shown. A request that names no version was shown none. */
export function isChangedSince(draft: BookingDraft, shownVersion: FormDataEntryValue | null): boolean {
  return shownVersion !== null && shownVersion !== draftVersion(draft);
}

/** To a page that shows what would be booked now. */
export function redirectToChangedDraft(context: Context, path: string): Response {
  return redirectWithFlash(context, path, DRAFT_CHANGED, true);
}

/** What a draft would book, where it can be paid for; null when it must be corrected first. */
export async function bookableFields(person: Person, draft: BookingDraft): Promise<BookingFields | null> {
  if (!(await hasIntakeForm(person))) return null;
  return (await validateDraftForm(person, toFormData(draft))).fields;
}

async function completeInPersonBooking(
  context: Context,
  validation: Validation,
  fields: BookingFields,
  afterIntake: boolean,
) {
  const person = requirePerson(context);
  const ip = context.get(clientIpContext);
  const booked = await bookToPayInPerson(person, fields, { ip }).catch(
    failureHandler("Please try again.", "booking in person"),
  );
  if (!booked.ok)
    return bookingFormError(context, { ...validation, refusal: withFailurePrefix(booked) }, BOOKING_FAILED.title);
  await deleteDraftAndHold(person);
  return redirectWithFlash(context, bookingConfirmationPath(booked.value.id), {
    title: "Appointment Booked!",
    description: `${afterIntake ? `${INTAKE_SUBMITTED} ` : ""}${confirmationText(booked.value)}`,
  });
}

/** Whether the time is free could not be found out: an error of the time, whatever the cause. */
function toAvailabilityRefusal(error: unknown): Refusal {
  const refusal = failureHandler(AVAILABILITY_UNKNOWN, "availability of a booking")(error);
  return { ...refusal, message: AVAILABILITY_UNKNOWN, errors: { appointmentDate: [AVAILABILITY_UNKNOWN] } };
}

/** Refusals without field errors get the general failure text in front. */
function withFailurePrefix(refusal: Refusal): Refusal {
  return refusal.errors ? refusal : { ...refusal, message: `${BOOKING_FAILED.description}. ${refusal.message}` };
}

function confirmationText({ paymentAmountCents }: Appointment): string {
  return `Payment of ${formatCents(paymentAmountCents ?? 0)} is collected in person.`;
}

function bookingFormError(context: Context, { submission, refusal }: Validation, fallbackTitle = "Scheduling Failed") {
  const errors = refusal?.errors ?? (submission.status === "error" ? (submission.error ?? {}) : {});
  return formError(context, submission, refusal, { title: failureTitle(refusal, errors) ?? fallbackTitle });
}

/** Titles for a single error; null for several. Texts from docs/product.md, Screens. */
function failureTitle(refusal: Refusal | null, errors: object): string | null {
  if (refusal?.message === IN_THE_PAST) return "Invalid Date";
  if (refusal && "appointmentDate" in errors) return "Time Slot Unavailable";
  const [only, ...others] = Object.keys(errors);
  if (others.length === 0 && only === "paymentMethod") return PAYMENT_METHOD_TITLE;
  return others.length === 0 && only === "appointmentDate" ? "Invalid Date" : null;
}
