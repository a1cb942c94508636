import { data, Link, redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import type { Person } from "../../accounts/person.ts";
import { redirectUnlessOutage, redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { nodeRequestContext } from "../../http/request-context.server.ts";
import { createFailureHandler } from "../../http/errors.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { phoneHref } from "../../practice/site-links.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/cancel-own-appointment";
import { APPOINTMENTS_PATH, familyMovePath } from "../../booking/appointment-paths.ts";
import { findAppointment, recordAppointmentOpened } from "../../booking/find-appointment.server.ts";
import { canCancel } from "../../booking/appointment-status.ts";
import { canFamilyMove } from "../../booking/self-service-deadline.ts";
import { amountChangedRefusal, cancelAppointmentByFamily } from "./cancel-appointment.server.ts";
import { findOnlinePayment } from "../online-payment.server.ts";
import {
  familyCancellationAmounts,
  cancellationTerms,
  CANCELLATION_CONSEQUENCE,
  refundNoticeSuffix,
} from "./cancellation-texts.ts";
import { shownCancellationAmountsSchema } from "./shown-cancellation-amounts-schema.ts";
import { ShownAmountFields } from "./shown-amount-fields.tsx";
import { AppointmentTitleAndTime } from "../../booking/appointment-title-and-time.tsx";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

const TITLE = "Cancel this appointment?";

export async function loader({ context, params }: Route.LoaderArgs) {
  return loadCancellationDialogData(requirePerson(context), params.id);
}

async function loadCancellationDialogData(person: Person, idParameter: string) {
  const found = await findAppointment(person, parseId(idParameter));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS[found.reason], statusText: "Not Found" });
  const appointment = found.value;
  const onlinePayment = await findOnlinePayment(appointment.id);
  const time = now();
  if (!canCancel(appointment, time)) throw redirect(APPOINTMENTS_PATH);
  await recordAppointmentOpened(appointment);
  return {
    title: appointment.title,
    movePath: canFamilyMove(appointment, time) ? familyMovePath(appointment.id) : null,
    start: appointment.appointmentDate.toISOString(),
    when: formatPracticeDateTime(appointment.appointmentDate),
    terms: cancellationTerms(appointment, onlinePayment, time, env.practice.timeZone),
    amounts: familyCancellationAmounts(appointment, onlinePayment, time),
  };
}

/** Shows the dialog again if the amounts in the form, which the dialog showed, differ from the current amounts. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const person = requirePerson(context);
  const submission = await readForm(request, shownCancellationAmountsSchema);
  const shownAmounts = submission.status === "success" ? submission.value : {};
  const done = await cancelAppointmentByFamily(person, parseId(params.id), { shown: shownAmounts }).catch(
    createFailureHandler("", "canceling by a family", context.get(nodeRequestContext)),
  );
  if (!done.ok && done === amountChangedRefusal) {
    const dialog = await loadCancellationDialogData(person, params.id);
    return data({ dialog, problem: done.message }, { status: HTTP_STATUS[done.reason] });
  }
  if (done.ok) {
    const { appointment } = done.value;
    const when = formatPracticeDateTime(appointment.appointmentDate);
    const description = `${appointment.title}, ${when}${refundNoticeSuffix(done.value) || "."}`;
    return redirectWithFlash(context, APPOINTMENTS_PATH, { title: "Appointment Cancelled", description });
  }
  if (done.reason === "notFound")
    throw new Response(done.message, { status: HTTP_STATUS.notFound, statusText: "Not Found" });
  const problem = `Failed to cancel appointment. ${done.message}`.trim();
  const notice = { title: "Cancellation Failed", description: problem, style: "destructive" } as const;
  const redirected = redirectUnlessOutage(context, APPOINTMENTS_PATH, notice, done);
  return redirected ?? data({ dialog: null, problem }, { status: HTTP_STATUS[done.reason] });
}

export default function CancelOwnAppointment({ loaderData, actionData }: Route.ComponentProps) {
  // After a refusal, the framework does not reload the data of the page.
  const { title, start, when, terms, amounts, movePath } = actionData?.dialog ?? loaderData;
  const { phone } = useSite().practice;
  return (
    <>
      <PageMeta hasError={Boolean(actionData)}>{`${TITLE} ${title}, ${when}`}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={<AppointmentTitleAndTime title={title} start={start} />}
        details={terms}
        consequence={CANCELLATION_CONSEQUENCE}
        alternative={
          movePath ? (
            <>
              Need another time instead?{" "}
              <Link to={movePath} preventScrollReset>
                Move this visit
              </Link>
              . It costs nothing.
            </>
          ) : (
            <>
              Need another time? Call <a href={phoneHref(phone)}>{phone}</a>.
            </>
          )
        }
        confirmText="Cancel appointment"
        busyText="Canceling…"
        cancelText="Keep appointment"
        closeTo={APPOINTMENTS_PATH}
      >
        <ShownAmountFields amounts={amounts} />
        {actionData && (
          <p role="alert" className="font-bold text-danger">
            {actionData.problem}
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
