import { data, Form, useLocation } from "react-router";
import { SHORT_VISIT_KIND_LABELS } from "../../booking/visit-kind.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { mergeUnsentFormIntoQuery } from "../../accounts/sessions/unsent-form.server.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { toAdminAppointmentRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { findAppointment, findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { clientVisitLabel } from "../../booking/describe-visit.server.ts";
import { schedulingWarning } from "../../booking/availability/availability.server.ts";
import { loadNextFreeDays } from "../../booking/availability/day-picker-data.server.ts";
import { parseWallTimeToInstant } from "../../booking/start-time.ts";
import type { AppointmentType } from "../../booking/booking-rules.ts";
import { moveAppointment } from "../../booking/move/move-appointment.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { clientIpContext, nodeRequestContext } from "../../http/request-context.server.ts";
import { createFailureHandler } from "../../http/errors.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import {
  formatDate,
  formatDateTime,
  formatShortDateTime,
  formatTime,
  zoneAbbreviation,
} from "../../ui/format-date-time.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/reschedule";
import { hiddenFilterFields, pickAppointmentFilterParams } from "../appointment-filters.ts";
import { dialogReturnPath, readReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { SchedulingWarning } from "./scheduling-warning.tsx";
import { DefaultSubmitButton } from "./default-submit-button.tsx";
import { NearestTimes } from "./nearest-times.tsx";
import { MISSING_DETAILS_ERROR_OPTIONS } from "./scheduling-error-options.ts";
import { RescheduleTimeFields } from "./reschedule-time-fields.tsx";
import "./move-times.css";
import { accountNotificationText, notificationStatusText } from "./notification-status.server.ts";
import { schedulingErrorResponse } from "./scheduling-form-error.server.ts";
import { rescheduleSchema } from "./scheduling-schemas.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

const TITLE = "Move this visit";
const RESCHEDULE_ERROR_OPTIONS = { title: "Visit Not Moved", failureText: "The visit stays where it is." };

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const outcome = await findAppointmentWithAudit(requirePerson(context), parseId(params.id));
  if (!outcome.ok) throw notFoundResponse(outcome.message);
  const { id, appointmentDate: start, duration } = outcome.value;
  const row = toAdminAppointmentRow(outcome.value, now());
  const query = await mergeUnsentFormIntoQuery(context, request, url);
  const type = outcome.value.type as AppointmentType;
  const search = { duration, type, excludedAppointmentId: id, ignoresNotice: true };
  return {
    id,
    name: row.client.name,
    title: row.title,
    kind: SHORT_VISIT_KIND_LABELS[row.visitKind].toLowerCase(),
    start: start.toISOString(),
    duration,
    message: accountNotificationText(outcome.value, row.client.name),
    week: await loadNextFreeDays(query, search, start),
    time: query.get("time") ?? "",
    proposed: await loadProposedTime(query, outcome.value),
  };
}

/** Returns the time in the address, chosen in the calendar, with a warning about conflicts; null without a time. */
async function loadProposedTime(query: URLSearchParams, { id, duration }: { id: number; duration: number }) {
  const [date, time] = [query.get("date") ?? "", query.get("time") ?? ""];
  const start = parseWallTimeToInstant(date, time, env.practice.timeZone);
  if (typeof start === "string") return null;
  if (query.has("show")) return null;
  return { date, time, start: start.toISOString(), warning: await schedulingWarning({ start, duration }, id) };
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, rescheduleSchema(env.practice.timeZone));
  if (submission.status !== "success")
    return createFormErrorResponse(context, submission, null, MISSING_DETAILS_ERROR_OPTIONS);
  const person = requirePerson(context);
  const { start, anyway } = submission.value;
  const outcome = await findAppointment(person, parseId(params.id));
  if (!outcome.ok) throw notFoundResponse(outcome.message);
  const warningText = await schedulingWarning({ start, duration: outcome.value.duration }, outcome.value.id);
  if (warningText && anyway !== start.toISOString()) {
    const warning = { text: warningText, start: start.toISOString() };
    return data({ result: submission.reply(), notice: null, warning }, { status: 422 });
  }
  const rescheduled = await moveAppointment(
    person,
    outcome.value.id,
    { appointmentDate: start },
    { ip: context.get(clientIpContext), ignoresSchedulingRules: true },
  ).catch(createFailureHandler("Please try again.", "moving a visit", context.get(nodeRequestContext)));
  if (!rescheduled.ok)
    return schedulingErrorResponse(
      context,
      submission,
      rescheduled,
      RESCHEDULE_ERROR_OPTIONS,
      { start, duration: outcome.value.duration },
      outcome.value,
    );
  const detailsPath = `${appointmentDetailsPath(outcome.value.id)}${pickAppointmentFilterParams(url.search)}`;
  return redirectWithFlash(context, readReturnPath(url.search, detailsPath), {
    title: "Visit Moved",
    description: `${clientVisitLabel(rescheduled.value)} moved to ${formatPracticeDateTime(start)}. ${notificationStatusText(rescheduled.value)}`,
  });
}

export default function Reschedule({ loaderData, actionData }: Route.ComponentProps) {
  const { name, title, kind, start, duration, message, week, time, proposed } = loaderData;
  const { pathname, search } = useLocation();
  const { timeZone } = useSite().practice;
  const [form, fields] = useServerValidatedForm<{ date: string; time: string; slot: string }>({
    id: `move-${proposed?.start ?? week.from}`,
    lastResult: actionData?.result,
    defaultValue: { date: proposed?.date ?? week.days[0]?.day ?? week.from, time },
  });
  const warning = actionData && "warning" in actionData ? actionData.warning : null;
  // After a refusal the form shows the other times.
  const question = actionData && !warning ? null : proposed;
  const closePath = dialogReturnPath(search);
  const pathOf = (date: string | null) => {
    const query = new URLSearchParams(pickAppointmentFilterParams(search));
    if (date) query.set("date", date);
    return query.size > 0 ? `${pathname}?${query}` : pathname;
  };
  return (
    <RouteDialog
      title={question ? `Move ${name}?` : TITLE}
      description={
        question
          ? `${describeTimeChange(start, question.start, timeZone)} (${duration} minutes, ${kind})`
          : `${name}: ${title}, now ${formatDateTime(start, timeZone)}, ${duration} minutes`
      }
      closeTo={closePath}
      size={question ? "md" : "lg"}
    >
      <PageMeta hasError={form.status === "error"}>
        {`${TITLE}: ${name}: ${title}, ${formatDateTime(start, timeZone)}`}
      </PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>{message && `${message} `}Payment, notes and documents stay with the visit.</p>
      <Form key={form.id} method="post" id={form.id} noValidate preventScrollReset className="move-form">
        <DefaultSubmitButton />
        <NearestTimes actionData={actionData} minutes={duration} />
        {warning && <SchedulingWarning warning={warning} confirmText="Move it there anyway" />}
        {question ? (
          <ConfirmMoveFields
            {...question}
            keepText={`Keep ${formatTime(start, timeZone)}`}
            keepPath={closePath}
            pathOf={pathOf}
          />
        ) : (
          <>
            <RescheduleTimeFields
              week={week}
              fields={fields}
              pathOf={pathOf}
              hiddenFields={hiddenFilterFields(search)}
            />
            <p className="move-footer">
              <Button variant="primary" busyText="Moving…">
                Move visit
              </Button>
            </p>
          </>
        )}
      </Form>
    </RouteDialog>
  );
}

type QuestionProps = NonNullable<Awaited<ReturnType<typeof loadProposedTime>>> & {
  keepText: string;
  keepPath: string;
  pathOf: (date: string | null) => string;
};

/** Asks for confirmation to move the visit to the time that was chosen in the calendar, even if there is a warning. */
function ConfirmMoveFields({ date, time, start, warning, keepText, keepPath, pathOf }: QuestionProps) {
  return (
    <>
      <input type="hidden" name="date" value={date} />
      <input type="hidden" name="time" value={time} />
      {warning && (
        <p role="note" className="notice">
          {warning}
        </p>
      )}
      <div className="actions">
        <Button variant="primary" busyText="Moving…" {...(warning ? { name: "anyway", value: start } : {})}>
          {warning ? "Move visit anyway" : "Move visit"}
        </Button>
        <LinkButton to={keepPath} preventScrollReset>
          {keepText}
        </LinkButton>
        <LinkButton to={pathOf(date)} variant="quiet" preventScrollReset replace>
          Choose another time
        </LinkButton>
      </div>
    </>
  );
}

/** Returns the current time and the new one. The day is included once if it is the same. */
function describeTimeChange(from: string, to: string, zone: string): string {
  const [before, after] = [formatShortDateTime(from, zone), formatShortDateTime(to, zone)];
  const isSameDay = formatDate(from, zone) === formatDate(to, zone);
  return `${before} → ${isSameDay ? formatTime(to, zone) : after} ${zoneAbbreviation(to, zone)}`;
}
