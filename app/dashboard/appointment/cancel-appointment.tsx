import { isVisitKnownToPerson } from "../../booking/manual-notification/manual-notification.ts";
import { Form, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { toAdminAppointmentRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { canCancel } from "../../booking/appointment-status.ts";
import { findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { cancelAppointmentByPractice } from "../../checkout/cancellation/cancel-appointment.server.ts";
import { practiceRefundCents } from "../../booking/prices/cancellation-policy.ts";
import { findOnlinePayment } from "../../checkout/online-payment.server.ts";
import { refundNoticeSuffix } from "../../checkout/cancellation/cancellation-texts.ts";
import { now } from "../../clock.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readForm } from "../../http/form.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { FormAutosave } from "../../ui/form-autosave/form-autosave.tsx";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/cancel-appointment";
import { pickAppointmentFilterParams } from "../appointment-filters.ts";
import { dialogReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { accountNotificationText } from "../scheduling/notification-status.server.ts";
import { cancellationSchema } from "./appointment-schemas.ts";

const TITLE = "Cancel this visit?";
const ZERO_AMOUNT_TEXT = formatCents(0);
const FORM_ERROR_OPTIONS = { title: "The visit was not canceled" };

export async function loader({ context, params }: Route.LoaderArgs) {
  const outcome = await findAppointmentWithAudit(requirePerson(context), parseId(params.id));
  if (!outcome.ok) throw notFoundResponse(outcome.message);
  const appointment = outcome.value;
  if (!canCancel(appointment, now())) throw notFoundResponse("This visit can no longer be canceled.");
  const payment = await findOnlinePayment(appointment.id);
  return {
    id: appointment.id,
    subject: `${toAdminAppointmentRow(appointment, now()).client.name}: ${appointment.title}`,
    start: appointment.appointmentDate,
    refund: payment && formatCents(practiceRefundCents(appointment, payment, now())),
    notification: accountNotificationText(appointment, "The family"),
    isKnown: isVisitKnownToPerson(appointment),
  };
}

export async function action({ context, params, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, cancellationSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const result = await cancelAppointmentByPractice(requirePerson(context), parseId(params.id), submission.value.reason);
  if (!result.ok && result.reason === "notFound") throw notFoundResponse(result.message);
  if (!result.ok) return createFormErrorResponse(context, submission, result, FORM_ERROR_OPTIONS);
  return redirectWithFlash(context, dialogReturnPath(url.search), {
    title: "Visit canceled",
    description: `${describeVisitForAdmin(result.value.appointment)}. The time is open again${refundNoticeSuffix(result.value) || "."}`,
  });
}

export default function CancelAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const { id, subject, start, refund, notification, isKnown } = loaderData;
  const hasAccount = notification !== null;
  const { pathname, search } = useLocation();
  const { timeZone } = useSite().practice;
  const [form, fields] = useServerValidatedForm<{ reason: string }>({ lastResult: actionData?.result });
  const description = (
    <>
      {subject}, <ZonedTime instant={start} zone={timeZone} inSentence />
    </>
  );
  return (
    <RouteDialog title={TITLE} description={description} closeTo={dialogReturnPath(search)}>
      <PageMeta
        hasError={form.status === "error"}
      >{`${TITLE} ${subject}, ${formatDateTime(start, timeZone)}`}</PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <p>
        {notification && `${notification} Your reason is in their list of appointments, not in the message. `}
        {!hasAccount && isKnown && "Without an account, nobody gets our emails: please call or write. "}
        {refund ? `${refund} goes back to the card. ` : "Nothing was paid online, so nothing goes back. "}
        The time opens up again. You can&apos;t undo this.
      </p>
      <Form method="post" id={form.id} noValidate preventScrollReset className="mt-4 grid gap-5">
        <FormAutosave name={pathname} />
        <TextField
          field={fields.reason}
          label="Reason"
          hint={hasAccount ? "The family will see it in their list of appointments." : "It stays with the visit."}
          rows={3}
        />
        <div className="flex flex-wrap gap-3">
          <LinkButton to={`${appointmentDetailsPath(id)}${pickAppointmentFilterParams(search)}`} preventScrollReset>
            Keep the visit
          </LinkButton>
          <Button variant="danger" busyText="Canceling…">
            {refund && refund !== ZERO_AMOUNT_TEXT ? `Cancel and refund ${refund}` : "Cancel the visit"}
          </Button>
        </div>
      </Form>
    </RouteDialog>
  );
}
