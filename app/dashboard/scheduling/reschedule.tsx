import { data, Form, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { prefillQuery } from "../../accounts/sessions/unsent-form.server.ts";
import { formError } from "../../accounts/form-error.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { appointmentDetailsPath } from "../../booking/paths.ts";
import { toAdminRow } from "../../booking/appointment-list/admin-row-data.ts";
import { findAppointment } from "../../booking/appointments.server.ts";
import { schedulingWarning } from "../../booking/availability/availability.server.ts";
import { moveAppointment } from "../../booking/move/move.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { clientIpContext } from "../../http/context.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button } from "../../ui/button.tsx";
import { formatDateTime } from "../../ui/dates.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { usePageForm } from "../../ui/page-form.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/reschedule";
import { loadFreeSlots } from "./free-slots.server.ts";
import { FreeSlotFields } from "./free-slot-fields.tsx";
import { hiddenFilterFields, filterQuery } from "../appointment-filters.ts";
import { dialogReturnPath, returnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found.ts";
import { SchedulingWarning } from "./scheduling-warning.tsx";
import { DefaultSubmitButton } from "./default-submit-button.tsx";
import { NearestTimes } from "./nearest-times.tsx";
import { MISSING_DETAILS } from "./scheduling-errors.ts";
import { timeRefusal } from "./time-refusal.server.ts";
import { rescheduleSchema } from "../schemas.ts";
import { formatPracticeTime } from "../../practice/format-time.server.ts";

const TITLE = "Reschedule appointment";
const RESCHEDULING_FAILED = { title: "Rescheduling Failed", failureText: "The appointment stays where it is." };

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const outcome = await findAppointment(requirePerson(context), parseId(params.id));
  if (!outcome.ok) throw notFoundResponse(outcome.message);
  const { id, appointmentDate, duration } = outcome.value;
  const query = await prefillQuery(context, request, url);
  return {
    id,
    subject: `${toAdminRow(outcome.value, now()).client.name}: ${outcome.value.title}`,
    start: appointmentDate,
    duration,
    freeSlots: await loadFreeSlots(query, duration, id),
    time: query.get("time") ?? "",
  };
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, rescheduleSchema(env.practice.timeZone));
  if (submission.status !== "success") return formError(context, submission, null, MISSING_DETAILS);
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
    { address: context.get(clientIpContext), ignoreOfficeHours: true },
  );
  if (!rescheduled.ok)
    return timeRefusal(
      context,
      submission,
      rescheduled,
      RESCHEDULING_FAILED,
      { start, duration: outcome.value.duration },
      outcome.value,
    );
  const detailsPath = `${appointmentDetailsPath(outcome.value.id)}${filterQuery(url.search)}`;
  return redirectWithFlash(context, returnPath(url.search, detailsPath), {
    title: "Appointment Rescheduled",
    description: `${rescheduled.value.title} is now ${formatPracticeTime(start)}. Please tell the family.`,
  });
}

export default function Reschedule({ loaderData, actionData }: Route.ComponentProps) {
  const { subject, start, duration, freeSlots, time } = loaderData;
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  const [form, fields] = usePageForm<{ date: string; time: string }>({
    lastResult: actionData?.result,
    defaultValue: { date: freeSlots.day, time },
  });
  const warning = actionData && "warning" in actionData ? actionData.warning : null;
  const description = (
    <>
      {subject}, now <ZonedTime instant={start} zone={timeZone} inSentence />, {duration} minutes
    </>
  );
  return (
    <RouteDialog title={TITLE} description={description} closeTo={dialogReturnPath(search)} size="lg">
      <PageTitle
        hasError={form.status === "error"}
      >{`${TITLE}: ${subject}, ${formatDateTime(start, timeZone)}`}</PageTitle>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>It stays the same appointment: what was paid, its notes and its documents move with it.</p>
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-4 grid gap-6">
        <DefaultSubmitButton />
        <NearestTimes actionData={actionData} minutes={duration} />
        {warning && <SchedulingWarning warning={warning} confirmText="Move it there anyway" />}
        <FreeSlotFields
          date={fields.date}
          time={fields.time}
          freeSlots={freeSlots}
          hiddenFields={hiddenFilterFields(search)}
        />
        <Button variant="primary" busyText="Moving…" className="justify-self-start">
          Move the appointment
        </Button>
      </Form>
    </RouteDialog>
  );
}
