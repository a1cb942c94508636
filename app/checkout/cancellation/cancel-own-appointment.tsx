import { Link, redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { now } from "../../clock.ts";
import { env } from "../../env.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { phoneLink } from "../../practice/site-links.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import type { Route } from "./+types/cancel-own-appointment";
import { APPOINTMENTS_PATH, familyMovePath } from "../../booking/paths.ts";
import { findAppointment } from "../../booking/appointments.server.ts";
import { canCancel } from "../../booking/appointment-status.ts";
import { canMove } from "../../booking/self-service-deadline.ts";
import { cancelByFamily } from "./cancel-appointment.server.ts";
import { findOnlinePayment } from "../paid-online.server.ts";
import { cancellationTerms, CANCELLATION_CONSEQUENCE, refundNoticeEnding } from "./cancellation-texts.ts";
import { AppointmentTitleAndTime } from "../../booking/appointment-title-and-time.tsx";
import { formatPracticeTime } from "../../practice/format-time.server.ts";

const TITLE = "Cancel this appointment?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const found = await findAppointment(requirePerson(context), parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: HTTP_STATUS[found.reason], statusText: "Not Found" });
  const appointment = found.value;
  if (!canCancel(appointment, now())) throw redirect(APPOINTMENTS_PATH);
  const paid = await findOnlinePayment(appointment.id);
  return {
    title: appointment.title,
    movePath: canMove(appointment, now()) ? familyMovePath(appointment.id) : null,
    start: appointment.appointmentDate.toISOString(),
    when: formatPracticeTime(appointment.appointmentDate),
    terms: cancellationTerms(appointment, paid, now(), env.practice.timeZone),
  };
}

export async function action({ context, params }: Route.ActionArgs) {
  const done = await cancelByFamily(requirePerson(context), parseId(params.id));
  if (done.ok) {
    const { appointment } = done.value;
    const when = formatPracticeTime(appointment.appointmentDate);
    const description = `${appointment.title}, ${when}. The time is open again${refundNoticeEnding(done.value) || "."}`;
    return redirectWithFlash(context, APPOINTMENTS_PATH, { title: "Appointment Cancelled", description });
  }
  if (done.reason === "notFound")
    throw new Response(done.message, { status: HTTP_STATUS.notFound, statusText: "Not Found" });
  const description = `Failed to cancel appointment. ${done.message}`;
  return redirectWithFlash(context, APPOINTMENTS_PATH, {
    title: "Cancellation Failed",
    description,
    style: "destructive",
  });
}

export default function CancelOwnAppointment({ loaderData }: Route.ComponentProps) {
  const { title, start, when, terms, movePath } = loaderData;
  const { phone } = useSite().practice;
  return (
    <>
      <PageMeta>{`${TITLE} ${title}, ${when}`}</PageMeta>
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
              Need another time? Call <a href={phoneLink(phone)}>{phone}</a>.
            </>
          )
        }
        confirmText="Cancel appointment"
        busyText="Canceling…"
        cancelText="Keep appointment"
        closeTo={APPOINTMENTS_PATH}
      />
    </>
  );
}
