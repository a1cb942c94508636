import { redirect, redirectDocument, type RouterContextProvider } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import type { Person } from "../accounts/person.ts";
import { formError } from "../accounts/refuse.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { env } from "../env.server.ts";
import { outageRefusal, logError } from "../http/failure.server.ts";
import { fieldNames, type FormSubmission, parseForm, readFormData } from "../http/form.server.ts";
import { invalid, type Refusal } from "../http/outcome.ts";
import { hasIntakeForm } from "../intake/intake.server.ts";
import { formatDateTime } from "../ui/dates.ts";
import { INTAKE, LIST, NEW, PAY } from "./addresses.ts";
import type { Appointment } from "./appointments.server.ts";
import { book, whyNotFree } from "./book.server.ts";
import { endDraft, findDraft, formOf } from "./draft.server.ts";
import { dollars } from "./money.ts";
import { IN_THE_PAST } from "./rules.ts";
import { type BookingFields, bookingFormShape } from "./shapes.ts";

const BOOKING_FAILED = { title: "Booking Failed", description: "Failed to book appointment" };

/** What the dialog sends beside its fields: whether its title was preset, and which button was pressed. */
const NAMES = [...fieldNames(bookingFormShape(env.practice.timeZone)), "service", "intent"];

type Context = Readonly<RouterContextProvider>;

type Verdict = {
  submission: FormSubmission<ReturnType<typeof bookingFormShape>>;
  refusal: Refusal | null;
  fields: (BookingFields & { paymentMethod: "online" | "in-person" }) | null;
};

/** Reads the schedule dialog's form and checks its time once more (specification §4, booking flow). */
async function judge(person: Person, form: FormData): Promise<Verdict> {
  const submission = parseForm(form, bookingFormShape(env.practice.timeZone));
  if (submission.status !== "success") return { submission, refusal: null, fields: null };
  const fields = submission.value;
  const noCard = fields.paymentMethod === "online" && env.payments === "off";
  const refusal = noCard
    ? invalid("paymentMethod", "Card payment is not offered. Please choose to pay in person.")
    : await whyNotFree(fields, person.id);
  return { submission, refusal, fields: refusal ? null : fields };
}

/** The schedule dialog's form as it was sent. */
export function readBookingForm(request: Request): Promise<FormData> {
  return readFormData(request, NAMES);
}

/** The next step of a booking: the intake form where there is none, the card where it was chosen, or the booking itself. */
export async function continueBooking(context: Context, form: FormData) {
  const verdict = await judge(requirePerson(context), form);
  if (!verdict.fields) return refuseBooking(context, verdict);
  if (!(await hasIntakeForm(requirePerson(context)))) return redirect(INTAKE);
  // The paying page has a policy of its own, so it is loaded, not slipped in.
  if (verdict.fields.paymentMethod === "online") return redirectDocument(PAY);
  return bookInPerson(context, verdict, verdict.fields);
}

/** The same, from the kept draft, for a page that shows no booking form: what is refused is shown by the dialog again. */
export async function continueDraft(context: Context, { inPerson = false } = {}): Promise<Response> {
  const draft = await findDraft(requirePerson(context));
  if (!draft) return redirect(LIST);
  const answer = await continueBooking(context, formOf(inPerson ? { ...draft, paymentMethod: "in-person" } : draft));
  return answer instanceof Response ? answer : redirect(`${NEW}?again`);
}

/** What the dialog says about the kept draft when it is shown again. */
export async function refusedDraft(context: Context) {
  const person = requirePerson(context);
  const draft = await findDraft(person);
  const verdict = draft ? await judge(person, formOf(draft)) : null;
  return verdict && !verdict.fields ? refuseBooking(context, verdict).data : null;
}

/** The kept booking when it can go on to the payment; null when it has to be looked at again. */
export async function wishedBooking(person: Person): Promise<BookingFields | null> {
  const draft = await findDraft(person);
  if (!draft || !(await hasIntakeForm(person))) return null;
  return (await judge(person, formOf(draft))).fields;
}

async function bookInPerson(context: Context, verdict: Verdict, fields: BookingFields) {
  const person = requirePerson(context);
  const booked = await book(person, fields).catch(unbooked);
  if (!booked.ok) return refuseBooking(context, { ...verdict, refusal: bookingFailed(booked) }, BOOKING_FAILED.title);
  await endDraft(person);
  return redirectWithFlash(context, LIST, { title: "Appointment Booked!", description: receipt(booked.value) });
}

/** What was typed must not be lost where the records can't be reached just now. */
function unbooked(error: unknown): Refusal {
  const refusal = outageRefusal(error);
  if (!refusal) throw error;
  logError(error, "booking in person");
  return refusal;
}

/** A mistake in a field has its own words; whatever else stands in the way is said after the specification's. */
function bookingFailed(refusal: Refusal): Refusal {
  return refusal.errors ? refusal : { ...refusal, message: `${BOOKING_FAILED.description}. ${refusal.message}` };
}

function receipt({ id, appointmentDate, paymentAmountCents }: Appointment): string {
  const when = formatDateTime(appointmentDate, env.practice.timeZone);
  return `${when}. Payment of ${dollars(paymentAmountCents ?? 0)} is collected in person. Your reference is ${id}.`;
}

function refuseBooking(context: Context, { submission, refusal }: Verdict, otherwise = "Scheduling Failed") {
  const errors = refusal?.errors ?? (submission.status === "error" ? (submission.error ?? {}) : {});
  return formError(context, submission, refusal, { title: titleOf(refusal, errors) ?? otherwise });
}

/** The specification's catalogue has a title for each thing that can be wrong alone. */
function titleOf(refusal: Refusal | null, errors: object): string | null {
  if (refusal?.message === IN_THE_PAST) return "Invalid Date";
  if (refusal && "appointmentDate" in errors) return "Time Slot Unavailable";
  const [only, ...more] = Object.keys(errors);
  if (more.length === 0 && only === "paymentMethod") return "Payment Method Required";
  return more.length === 0 && only === "appointmentDate" ? "Invalid Date" : null;
}
