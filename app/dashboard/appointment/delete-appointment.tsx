import { data, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectUnlessOutage, redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { toAdminAppointmentRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { canCancel } from "../../booking/appointment-status.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { practiceRefundCents } from "../../booking/prices/cancellation-policy.ts";
import { deleteAppointment } from "../../checkout/cancellation/delete-appointment.server.ts";
import { findOnlinePayment } from "../../checkout/online-payment.server.ts";
import { refundNoticeSuffix } from "../../checkout/cancellation/cancellation-texts.ts";
import { now } from "../../clock.ts";
import { nodeRequestContext } from "../../http/request-context.server.ts";
import { createFailureHandler } from "../../http/errors.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { HTTP_STATUS } from "../../http/outcome.ts";
import { useSite } from "../../practice/site.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/delete-appointment";
import { dialogReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";

const TITLE = "Delete this appointment?";

export async function loader({ context, params }: Route.LoaderArgs) {
  const outcome = await findAppointmentWithAudit(requirePerson(context), parseId(params.id));
  if (!outcome.ok) throw notFoundResponse(outcome.message);
  const { client, title } = toAdminAppointmentRow(outcome.value, now());
  const name = client.account ? `${client.name} (account: ${client.account})` : client.name;
  const onlinePayment = await findOnlinePayment(outcome.value.id);
  const refundCents = onlinePayment ? practiceRefundCents(outcome.value, onlinePayment, now()) : 0;
  const refundText =
    refundCents > 0
      ? ` ${formatCents(refundCents)} goes back to the card.`
      : onlinePayment
        ? " Nothing goes back to the card."
        : "";
  // Whoever could still cancel the visit is told.
  const isFamilyNotified = outcome.value.userId !== null && canCancel(outcome.value, now());
  return {
    subject: `${name}: ${title}`,
    start: outcome.value.appointmentDate,
    consequence: `This action cannot be undone. It also disappears from the family's list, and ${isFamilyNotified ? "we tell them that it is canceled" : "nobody is told"}.${refundText}`,
  };
}

export async function action({ context, params, url }: Route.ActionArgs) {
  const result = await deleteAppointment(requirePerson(context), parseId(params.id)).catch(
    createFailureHandler("", "deleting an appointment", context.get(nodeRequestContext)),
  );
  const returnPath = dialogReturnPath(url.search);
  if (result.ok) {
    return redirectWithFlash(context, returnPath, {
      title: "Appointment Deleted",
      description: `${describeVisitForAdmin(result.value.appointment)}${refundNoticeSuffix(result.value) || "."}`,
    });
  }
  const failureMessage = `Failed to delete appointment. Please try again. ${result.message}`.trim();
  const notice = { title: "Delete Failed", description: failureMessage, style: "destructive" } as const;
  const redirected = redirectUnlessOutage(context, returnPath, notice, result);
  return redirected ?? data({ failed: failureMessage }, { status: HTTP_STATUS[result.reason] });
}

export default function DeleteAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { subject, start, consequence } = loaderData;
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  return (
    <>
      <PageMeta hasError={Boolean(actionData)}>{`${TITLE} ${subject}, ${formatDateTime(start, timeZone)}`}</PageMeta>
      <ConfirmDialog
        title={TITLE}
        subject={
          <>
            {subject}, <ZonedTime instant={start} zone={timeZone} inSentence />
          </>
        }
        consequence={consequence}
        confirmText="Delete appointment"
        busyText="Deleting…"
        cancelText="Keep appointment"
        closeTo={dialogReturnPath(search)}
      >
        {actionData && (
          <p role="alert" className="font-bold text-danger">
            {actionData.failed}
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
