import { Form, redirect, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { toAdminAppointmentRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import {
  findAlreadyBookedText,
  bookNextVisit,
  type NextVisitChoice,
  findNextVisitChoices,
} from "../../booking/next-visit/next-visit.server.ts";
import { appointmentDetailsPath, adminBookNextVisitPath } from "../../booking/appointment-paths.ts";
import { practiceDayInOneWeek, practiceToday } from "../../booking/practice-today.server.ts";
import { toDateTimeFields } from "../../booking/start-time.ts";
import { NOTE_PRIVACY_HINT } from "../../booking/notes/note-privacy.ts";
import { listVisitNotes } from "../../booking/notes/family-notes.server.ts";
import { IN_PERSON_METHODS, type InPersonMethod, METHOD_LABELS } from "../../checkout/payment-methods.ts";
import { now } from "../../clock.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { env } from "../../env.server.ts";
import { clientIpContext } from "../../http/request-context.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { RadioField } from "../../ui/choice-fields.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import { type AnyField, useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import { pickAppointmentFilterParams } from "../appointment-filters.ts";
import { dialogReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import type { Route } from "./+types/record-visit-outcome";
import { FOLLOW_UP_LINES, visitOutcomeSchema, NO_NEXT_VISIT_VALUE, WAIVED_VALUE } from "./visit-outcome-schema.ts";
import { recordVisitOutcome, getPreselectedOutcome } from "./record-visit-outcome.server.ts";
import { FollowUpFields } from "./follow-up-fields.tsx";
import { AppointmentNoteList } from "./appointment-note-list.tsx";

const TITLE = "After the visit";
const FORM_ERROR_OPTIONS = { title: "Nothing was saved" };

/** Redirects to the details of a visit that is canceled or has not begun. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findAppointmentWithAudit(person, parseId(params.id));
  if (!found.ok) throw notFoundResponse(found.message);
  const row = toAdminAppointmentRow(found.value, now());
  if (row.isCancelled || !row.hasStarted)
    throw redirect(`${appointmentDetailsPath(row.id)}${pickAppointmentFilterParams(url.search)}`);
  return {
    subject: `${row.client.name}: ${row.title}`,
    start: row.start,
    hasAccount: row.client.id !== null,
    ...getPreselectedOutcome(found.value, row),
    due: row.dueCents > 0 ? formatCents(row.dueCents) : null,
    methods: [
      { value: "no", label: "Not yet" },
      ...IN_PERSON_METHODS.map((value) => ({ value, label: `Yes, ${METHOD_LABELS[value]}` })),
      { value: WAIVED_VALUE, label: "Nothing is owed" },
    ],
    notes: await listVisitNotes(person, row.id),
    today: practiceToday(),
    lines: [...FOLLOW_UP_LINES],
    nextWeek: practiceDayInOneWeek(),
    alreadyBooked: row.client.id === null ? null : await findAlreadyBookedText(row.client.id),
    nextVisits: row.client.id === null ? [] : toNextVisitOptions(await findNextVisitChoices(row)),
  };
}

function toNextVisitOptions(choices: readonly NextVisitChoice[]) {
  return [
    { value: NO_NEXT_VISIT_VALUE, label: "Not now" },
    ...choices.map(({ value, label, when }) => ({ value, label, hint: when })),
  ];
}

/**
 * Stores the form and books the next visit at `nextStart`. Redirects to the family's booking page with `next`, or if
 * that time is no longer free.
 */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const schema = visitOutcomeSchema(practiceToday());
  const form = await readNamedFormFields(request, [...fieldNames(schema), "next"]);
  const submission = parseForm(form, schema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const person = requirePerson(context);
  const result = await recordVisitOutcome(person, parseId(params.id), submission.value);
  if (!result.ok && result.reason === "notFound") throw notFoundResponse(result.message);
  if (!result.ok) return createFormErrorResponse(context, submission, result, FORM_ERROR_OPTIONS);
  const { id, userId, status } = result.value;
  const { nextStart } = submission.value;
  const returnPath = dialogReturnPath(url.search);
  const saved = savedText(`${describeVisitForAdmin(result.value)} is marked ${status}.`, submission.value);
  const nextBookingPath =
    userId === null
      ? returnPath
      : adminBookNextVisitPath({
          id,
          userId,
          ...(nextStart && toDateTimeFields(nextStart, env.practice.timeZone)),
          ...(url.searchParams.has("from") ? { from: returnPath } : {}),
        });
  if (form.has("next") || nextStart === null) {
    const notice = { title: "Visit saved", description: saved };
    return redirectWithFlash(context, form.has("next") ? nextBookingPath : returnPath, notice);
  }
  const booked = await bookNextVisit(person, { id, start: nextStart }, context.get(clientIpContext));
  if (!booked.ok) {
    const description = `${saved} The next visit is not booked yet: ${booked.message}`;
    return redirectWithFlash(context, nextBookingPath, { title: "Visit saved", description, style: "destructive" });
  }
  return redirectWithFlash(context, returnPath, {
    title: "Visit saved",
    description: `${saved} The next one is booked: ${formatPracticeDateTime(nextStart)}.`,
  });
}

type SavedParts = {
  paid: InPersonMethod | null;
  waiveReason: string | null;
  note: string | null;
  followUps: readonly unknown[];
};

/** Returns what was recorded, in one or two sentences. */
function savedText(status: string, { paid, waiveReason, note, followUps }: SavedParts): string {
  const parts = [
    paid && `paid ${METHOD_LABELS[paid]}`,
    waiveReason !== null && "nothing is owed",
    note !== null && "a note",
    followUps.length > 0 && formatCountWithNoun(followUps.length, "follow-up"),
  ].filter(Boolean);
  return parts.length > 0 ? `${status} Saved: ${parts.join(", ")}.` : status;
}

type Fields = Record<"status" | "note" | "paid" | "waiveReason" | "nextStart", string>;

export default function RecordVisitOutcome({ loaderData, actionData }: Route.ComponentProps) {
  const {
    subject,
    start,
    hasAccount,
    status,
    absence,
    due,
    methods,
    notes,
    today,
    lines,
    nextWeek,
    nextVisits,
    alreadyBooked,
  } = loaderData;
  const { pathname, search } = useLocation();
  const { timeZone } = useSite().practice;
  const [form, fields] = useServerValidatedForm<Fields>({
    lastResult: actionData?.result,
    defaultValue: {
      status,
      paid: "no",
      nextStart: nextVisits[0]?.value ?? "",
      ...Object.fromEntries(lines.map((line) => [`dueDay${line}`, nextWeek])),
    },
  });
  const field = (name: string) => (fields as Record<string, AnyField>)[name] as AnyField;
  const description = (
    <>
      {subject}, <ZonedTime instant={start} zone={timeZone} inSentence />
    </>
  );
  return (
    <RouteDialog title={TITLE} description={description} closeTo={dialogReturnPath(search)} size="lg">
      <PageMeta
        hasError={form.status === "error"}
      >{`${TITLE}: ${subject}, ${formatDateTime(start, timeZone)}`}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <Form method="post" id={form.id} noValidate preventScrollReset className="grid gap-6">
        <FormAutosave name={pathname} />
        <RadioField field={fields.status} legend="How did it go?" hint={absence} options={OUTCOME_OPTIONS} isInline />
        {due && (
          <div className="group/paid grid gap-4">
            <RadioField field={fields.paid} legend={`Is the ${due} paid?`} options={methods} isInline />
            {/* Shown by CSS, so that it needs no script. Always shown in browsers without :has(). */}
            <div className="supports-[selector(:has(*))]:hidden group-has-[[value=waived]:checked]/paid:block!">
              <TextField
                field={fields.waiveReason}
                label="Why nothing is owed"
                hint="The family doesn't see the reason on any page."
              />
            </div>
          </div>
        )}
        {hasAccount && (
          <>
            <AppointmentNoteList notes={notes} />
            <TextField field={fields.note} label="Note" hint={NOTE_PRIVACY_HINT} optional rows={4} />
            <FollowUpFields lines={lines} field={field} today={today} />
            {nextVisits.length > 0 && (
              <RadioField
                field={fields.nextStart}
                legend="Book the next visit"
                hint={[alreadyBooked, "The same service, length, and way to meet. The family is told right away."]
                  .filter(Boolean)
                  .join(" ")}
                options={nextVisits}
                isInline
              />
            )}
          </>
        )}
        {!hasAccount && (
          <p>No family&apos;s account has this visit, so there is no place for notes and follow-ups yet.</p>
        )}
        <div className="sheet-footer">
          <Button variant="primary" busyText="Saving…">
            Save
          </Button>
          {hasAccount && (
            <Button name="next" value="book" busyText="Saving…">
              Save and choose another time
            </Button>
          )}
        </div>
      </Form>
    </RouteDialog>
  );
}

const OUTCOME_OPTIONS = [
  { value: "completed", label: "Completed" },
  { value: "no-show", label: "No-show" },
];
