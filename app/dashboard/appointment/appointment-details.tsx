import { type ReactNode, Suspense } from "react";
import { Form, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { appointmentDetailsPath, invitationsPath, adminReschedulePath } from "../../booking/appointment-paths.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { setAppointmentStatus } from "../../booking/set-appointment-status.server.ts";
import { isMovable, SETTABLE_STATUSES, NO_STATUS_LABEL } from "../../booking/appointment-status.ts";
import { listVisitNotes } from "../../booking/notes/family-notes.server.ts";
import { VisitAnswerList } from "../../booking/visit-answers/visit-answer-list.tsx";
import { findVisitAnswers } from "../../booking/visit-answers/visit-answers.server.ts";
import { listAppointmentDocuments } from "../../documents/documents.server.ts";
import { CompactDocumentList } from "../../documents/compact-document-list.tsx";
import { parseId } from "../../http/field-schemas.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { VideoIcon } from "../../ui/icons.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { SelectField } from "../../ui/choice-fields.tsx";
import type { Route } from "./+types/appointment-details";
import { AppointmentFacts } from "./appointment-facts.tsx";
import { AppointmentHeader, IntakeAndNoteLinks } from "./appointment-header.tsx";
import { loadAppointmentDetails } from "./appointment-details.server.ts";
import { ManualNotificationSection } from "./manual-notification-section.tsx";
import { findRequestedVisitIntakeWithAudit, type VisitIntake } from "./visit-intake.server.ts";
import { isIntakeRequested, addIntakeToQuery } from "./visit-intake-query.ts";
import { AppointmentNoteList } from "./appointment-note-list.tsx";
import { pickAppointmentFilterParams } from "../appointment-filters.ts";
import { dialogReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { placeSchema, statusSchema } from "./appointment-schemas.ts";
import { PLACE_INTENT, VisitPlaceForm } from "./visit-place.tsx";
import { handleVisitPlaceForm } from "./visit-place.server.ts";

const TITLE = "Appointment details";
const STATUS_OPTIONS = SETTABLE_STATUSES.map((value) => ({ value, label: value as string }));
/** The statuses that a past visit can have. */
const OUTCOME_OPTIONS = STATUS_OPTIONS.filter(({ value }) => value !== "rescheduled").map(({ value, label }) => ({
  value,
  label: value === "scheduled" ? NO_STATUS_LABEL : label,
}));

/** Loaded on demand, because most visits are opened without their form. */
const VisitIntakeForm = lazyComponent(async () => (await import("./visit-intake-form.tsx")).VisitIntakeForm);

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const details = await loadAppointmentDetails(person, params.id);
  if (!details.ok) throw notFoundResponse(details.message);
  const [documents, notes, answers, intake] = await Promise.all([
    listAppointmentDocuments(person, details.value.id),
    listVisitNotes(person, details.value.id),
    findVisitAnswers(person, details.value.id),
    findRequestedVisitIntakeWithAudit(person, details.value.client.id, url.searchParams),
  ]);
  return { details: details.value, documents, notes, answers, intake };
}

/** Sets the status of the appointment, or its place. */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const id = parseId(params.id);
  const filters = pickAppointmentFilterParams(url.search);
  const query = isIntakeRequested(url.searchParams) ? addIntakeToQuery(filters) : filters;
  const returnPath = `${appointmentDetailsPath(id ?? 0)}${query}`;
  const form = await readNamedFormFields(request, [...fieldNames(statusSchema), ...fieldNames(placeSchema), "intent"]);
  if (form.get("intent") === PLACE_INTENT) return handleVisitPlaceForm(context, { form, id, returnPath });
  const formErrorOptions = { title: "The status was not saved" };
  const submission = parseForm(form, statusSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, formErrorOptions);
  const result = await setAppointmentStatus(requirePerson(context), id, submission.value.status);
  if (!result.ok) return createFormErrorResponse(context, submission, result, formErrorOptions);
  return redirectWithFlash(context, returnPath, {
    title: "Status saved",
    description: `${describeVisitForAdmin(result.value)} is marked ${result.value.status}.`,
  });
}

export default function AppointmentDetailsDialog({
  loaderData: { details, documents, notes, answers, intake },
  actionData,
}: Route.ComponentProps) {
  const { search } = useLocation();
  const filters = pickAppointmentFilterParams(search);
  const isCanceled = details.status === "cancelled";
  const isPlaceResult = actionData?.result.initialValue?.intent === PLACE_INTENT;
  const [statusFormState, fields] = useServerValidatedForm<{ status: string }>({
    lastResult: isPlaceResult ? null : actionData?.result,
    defaultValue: { status: details.needsOutcome ? "scheduled" : details.status },
  });
  const [placeForm, placeFields] = useServerValidatedForm<{ place: string }>({
    // Another id after each change, so that the form starts with what is stored.
    id: `place-${details.calendarSequence}`,
    lastResult: isPlaceResult ? actionData.result : null,
    defaultValue: { place: details.ownPlace ?? "" },
  });
  const form = isPlaceResult ? placeForm : statusFormState;
  const statusForm = (
    <Form
      method="post"
      id={statusFormState.id}
      noValidate
      preventScrollReset
      className="flex flex-wrap items-end gap-3"
      data-screen-only
    >
      <SelectField
        key={details.status}
        field={fields.status}
        label="Set the status"
        options={details.isOver ? OUTCOME_OPTIONS : STATUS_OPTIONS}
      />
      <Button busyText="Saving…">Save status</Button>
    </Form>
  );
  return (
    <RouteDialog title={TITLE} closeTo={dialogReturnPath(search)} size={intake ? "split" : "lg"}>
      <PageMeta hasError={form.status === "error"}>{`${TITLE}: ${details.client.name}, ${details.title}`}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <DetailsWithIntakeForm intake={intake}>
        <AppointmentHeader details={details} />
        <div className="actions actions-short">
          {details.offeredMeetingLink && (
            <LinkButton variant="primary" href={details.offeredMeetingLink} target="_blank" rel="noopener noreferrer">
              Open meeting link<span className="sr-only"> with {details.client.name} (opens in a new tab)</span>
            </LinkButton>
          )}
          {details.callLabel && !details.roomOpensAt && (
            <LinkButton variant={details.needsOutcome ? "secondary" : "primary"} to={`/video-call/${details.id}`}>
              <VideoIcon /> {details.callLabel}
            </LinkButton>
          )}
          {details.canReopenCall && (
            <LinkButton to={`/video-call/${details.id}`}>
              <VideoIcon /> {details.status === "no-show" ? "Reopen the call" : "Reopen the ended call"}
            </LinkButton>
          )}
          {details.hasStarted && !isCanceled && (
            <LinkButton
              variant={details.needsOutcome ? "primary" : "secondary"}
              to={`${appointmentDetailsPath(details.id)}/after${filters}`}
              preventScrollReset
            >
              {details.needsOutcome || details.isOngoing ? "Finish visit" : "After the visit"}
            </LinkButton>
          )}
          {isMovable(details) && (
            <LinkButton to={`${adminReschedulePath(details.id)}${filters}`} preventScrollReset>
              Move
            </LinkButton>
          )}
          <LinkButton to={`${appointmentDetailsPath(details.id)}/payment${filters}`} preventScrollReset>
            Payment and receipts
          </LinkButton>
          {details.canCancel && (
            <LinkButton to={`${appointmentDetailsPath(details.id)}/cancel${filters}`} preventScrollReset>
              Cancel the visit
            </LinkButton>
          )}
        </div>
        <ManualNotificationSection details={details} />
        {!isCanceled && details.hasStarted && statusForm}
        <IntakeAndNoteLinks details={details} query={filters} isIntakeOpen={intake !== null} />
        {answers && (
          <section>
            <h3 className="mb-1 text-lg">What the family wrote before the visit</h3>
            <VisitAnswerList answers={answers} />
          </section>
        )}
        <AppointmentNoteList notes={notes} />
        {documents.rows.length > 0 && (
          <section>
            <h3 className="mb-1 text-lg">Documents</h3>
            <CompactDocumentList documents={documents} />
          </section>
        )}
        <AppointmentFacts details={details} />
        {details.canSetPlace && (
          <VisitPlaceForm
            key={placeForm.id}
            form={placeForm}
            field={placeFields.place}
            hasPlace={details.ownPlace !== null}
            hasAccount={details.client.id !== null}
          />
        )}
        {details.client.id === null && !isCanceled && (
          <section data-screen-only>
            <h3 className="mb-1 text-lg">Account</h3>
            <p className="mb-2">
              No family&apos;s account has this visit yet. With a link, the family can add it to its own. A family
              without an account can be invited to make one.
            </p>
            <div className="actions">
              <LinkButton to={`${appointmentDetailsPath(details.id)}/claim-link${filters}`} preventScrollReset>
                Link for the family
              </LinkButton>
              <LinkButton to={invitationsPath(details.id)}>Invite the family</LinkButton>
            </div>
          </section>
        )}
        {!isCanceled && !details.hasStarted && statusForm}
        <div className="actions border-t border-line pt-4">
          <LinkButton variant="danger" to={`${appointmentDetailsPath(details.id)}/delete${filters}`} preventScrollReset>
            Delete
          </LinkButton>
          <p className="text-sm text-muted">Reference {details.id}</p>
        </div>
      </DetailsWithIntakeForm>
    </RouteDialog>
  );
}

/** Shows the details of a visit, with its family's intake form beside them if that is open. */
function DetailsWithIntakeForm({ intake, children }: { intake: VisitIntake | null; children: ReactNode }) {
  return (
    <div className={intake ? "visit-with-intake" : undefined}>
      <div className="visit-details">{children}</div>
      {intake && (
        <Suspense>
          <VisitIntakeForm intake={intake} />
        </Suspense>
      )}
    </div>
  );
}
