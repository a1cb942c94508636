import { Form, redirect, type ShouldRevalidateFunctionArgs, useLocation } from "react-router";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { mergeUnsentFormIntoQuery } from "../../accounts/sessions/unsent-form.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { clientIpContext } from "../../http/request-context.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { formatDateTime, formatShortDateTime } from "../../ui/format-date-time.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/move-own-appointment";
import "./move.css";
import { MoveTimeComparison, useChosenTime } from "./move-time-comparison.tsx";
import { canCancel } from "../appointment-status.ts";
import { canFamilyMove, SELF_SERVICE_DEADLINE_HOURS } from "../self-service-deadline.ts";
import { findAppointment, recordAppointmentOpened } from "../find-appointment.server.ts";
import { FreeDayStrip } from "../availability/free-day-strip.tsx";
import { loadDayPicker } from "../availability/day-picker-data.server.ts";
import { lateMoveWarning } from "./late-move.server.ts";
import { moveAppointment } from "./move-appointment.server.ts";
import { createMoveFormSchema } from "./move-schema.ts";
import { APPOINTMENTS_PATH, bookingConfirmationPath, familyCancelPath, familyMovePath } from "../appointment-paths.ts";
import type { AppointmentType } from "../booking-rules.ts";
import { toWallTime } from "../wall-time.ts";

const TITLE = "Move this visit";

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findAppointment(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS.notFound, statusText: "Not Found" });
  const { id, title, appointmentDate, duration, type, payments } = found.value;
  if (!canCancel(found.value, now())) throw redirect(APPOINTMENTS_PATH);
  await recordAppointmentOpened(found.value);
  const search = { duration, type: type as AppointmentType, userId: person.id, excludedAppointmentId: id };
  const query = await mergeUnsentFormIntoQuery(context, request, url);
  if (!query.has("date") && !query.has("from"))
    query.set("date", toWallTime(appointmentDate, env.practice.timeZone).day);
  const freeDays = canFamilyMove(found.value, now())
    ? await loadDayPicker(query, search, { currentStart: appointmentDate })
    : null;
  return {
    id,
    title,
    start: appointmentDate.toISOString(),
    isPaid: payments.length > 0,
    freeDays,
    late: lateMoveWarning(found.value),
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const submission = await readForm(request, createMoveFormSchema(env.practice.timeZone));
  const formErrorOptions = { title: "Visit Not Moved" };
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, formErrorOptions);
  const ip = context.get(clientIpContext);
  const moved = await moveAppointment(requirePerson(context), parseId(params.id), submission.value, { ip });
  // No flash message, because the heading of the confirmation already says it.
  if (moved.ok) return redirect(bookingConfirmationPath(moved.value.id));
  if (moved.reason === "notFound")
    throw new Response(moved.message, { status: HTTP_STATUS.notFound, statusText: "Not Found" });
  return createFormErrorResponse(context, submission, moved, formErrorOptions);
}

/** A refused time is probably taken by now, so the open times are read again. By default a refusal reads nothing. */
export function shouldRevalidate({ actionStatus = 0, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate || actionStatus >= 400;
}

/** Shows the dialog in which a family moves its visit to another open time. The record and the payment are kept. */
export default function MoveAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { id, title, start, isPaid, freeDays, late } = loaderData;
  const { timeZone, phone } = useSite().practice;
  const { search } = useLocation();
  const path = familyMovePath(id);
  const [form, fields] = useServerValidatedForm<{ slot: string; appointmentDate: string }>({
    lastResult: actionData?.result,
  });
  const [chosen, readChosen] = useChosenTime(form.id, fields, { freeDays, late, timeZone });
  const hasLateTime = freeDays?.chosen?.parts.some(({ times }) => times.some(({ value }) => value < late.before));
  return (
    <RouteDialog title={TITLE} description={title} closeTo={APPOINTMENTS_PATH} size="lg">
      <PageMeta hasError={form.status === "error"}>{`${TITLE}: ${title}, ${formatDateTime(start, timeZone)}`}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      {freeDays ? (
        <>
          <Form
            method="post"
            action={path + search}
            id={form.id}
            noValidate
            preventScrollReset
            className="mt-4 grid gap-6"
            onInput={readChosen}
          >
            <FreeDayStrip freeDays={freeDays} fields={fields} path={path} />
            <div className="move-confirm">
              <MoveTimeComparison start={start} chosen={chosen?.when ?? null} />
              <p role="status" className="scripted move-late">
                {chosen?.isLate && late.note}
              </p>
              {hasLateTime && (
                <p className="unscripted notice notice-warning">
                  Before {formatShortDateTime(late.before, timeZone)}: {late.note}
                </p>
              )}
              <Button variant="primary" busyText="Moving…">
                Move to this time
              </Button>
            </div>
            <p>Moving is free{isPaid && ", and what you paid moves with the visit"}.</p>
            <p className="-mt-3">
              <LinkButton to={APPOINTMENTS_PATH} variant="quiet" preventScrollReset className="-ml-[min(0.75rem,3vw)]">
                Keep my current time
              </LinkButton>
            </p>
          </Form>
        </>
      ) : (
        <>
          <p className="notice">
            This visit starts in less than {SELF_SERVICE_DEADLINE_HOURS} hours, so it can't be moved here. Please call
            us at <a href={phoneHref(phone)}>{phone}</a>. We'll do our best to find another time.
          </p>
          <p className="actions">
            <LinkButton to={APPOINTMENTS_PATH} preventScrollReset>
              Back to appointments
            </LinkButton>
            <LinkButton to={familyCancelPath(id)} variant="quiet" preventScrollReset>
              Cancel it instead
            </LinkButton>
          </p>
        </>
      )}
    </RouteDialog>
  );
}
