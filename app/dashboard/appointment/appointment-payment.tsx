import { randomUUID } from "node:crypto";
import { Form, useLocation } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import type { Person } from "../../accounts/person.ts";
import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requireRecentAuthentication } from "../../accounts/step-up/recent-authentication.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { toAdminAppointmentRow } from "../../booking/appointment-list/admin-appointment-row-data.ts";
import { findAppointment, findAppointmentWithAudit } from "../../booking/find-appointment.server.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { computeBalance } from "../../booking/prices/appointment-balance.ts";
import { IN_PERSON_OPTIONS, METHOD_LABELS } from "../../checkout/payment-methods.ts";
import {
  inPersonPaymentSchema,
  refundSchema,
  undoPaymentSchema,
  waiverSchema,
} from "../../checkout/payment-schemas.ts";
import {
  canUndoInPersonPayment,
  issueAdminRefund,
  listAppointmentPayments,
  recordInPersonPayment,
  undoInPersonPayment,
} from "../../checkout/admin-payments.server.ts";
import { now } from "../../clock.ts";
import { parseId } from "../../http/field-schemas.ts";
import { fieldNames, parseForm, readNamedFormFields } from "../../http/form.server.ts";
import { useSite } from "../../practice/site.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { RadioField } from "../../ui/choice-fields.tsx";
import { formatDateTime } from "../../ui/format-date-time.ts";
import { RouteDialog } from "../../ui/route-dialog.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { formatCents } from "../../ui/format-currency.ts";
import { useServerValidatedForm } from "../../ui/use-server-validated-form.ts";
import { PageMeta } from "../../ui/page-meta.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ZonedTime } from "../../ui/zoned-time.tsx";
import type { Route } from "./+types/appointment-payment";
import { dialogReturnPath } from "../return-path.ts";
import { notFoundResponse } from "../not-found-response.ts";
import { PaymentList } from "./payment-list.tsx";
import { handleWaiverForm } from "./payment-waiver.server.ts";
import { RevokeWaiverForm, WaiveForm } from "./payment-waiver.tsx";
import { unrefundedCents } from "../../booking/prices/cancellation-policy.ts";

const TITLE = "Payment";
const RECORD_ERROR_OPTIONS = { title: "The payment was not recorded" } satisfies FormErrorOptions;
const UNDO_ERROR_OPTIONS = { title: "The payment was not undone" } satisfies FormErrorOptions;
const REFUND_ERROR_OPTIONS = { title: "Nothing was refunded" } satisfies FormErrorOptions;

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const outcome = await findAppointmentWithAudit(person, parseId(params.id));
  if (!outcome.ok) throw notFoundResponse(outcome.message);
  const payments = await listAppointmentPayments(person, outcome.value.id);
  const { client, title, dueCents, unpaidCents, money } = toAdminAppointmentRow(outcome.value, now());
  const { waivedCents } = computeBalance(outcome.value);
  return {
    id: outcome.value.id,
    subject: `${client.name}: ${title}`,
    start: outcome.value.appointmentDate,
    unpaidText: unpaidCents > 0 ? money : null,
    canWaive: dueCents > 0,
    waived: waivedCents > 0 ? { amount: formatCents(waivedCents), reason: outcome.value.waiveReason } : null,
    payments: payments.map((payment) => ({
      ...payment,
      refundableCents: unrefundedCents(payment),
      canUndo: canUndoInPersonPayment(payment, outcome.value.status),
    })),
    key: randomUUID(),
  };
}

/**
 * Records an in-person payment or undoes it, waives the amount or revokes the waiver, or refunds the amount that the administrator
 * enters.
 */
export async function action({ context, params, request, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const id = parseId(params.id);
  const form = await readNamedFormFields(request, [
    ...fieldNames(inPersonPaymentSchema),
    ...fieldNames(refundSchema),
    ...fieldNames(waiverSchema),
    "intent",
  ]);
  const returnPath = `${url.pathname}${url.search}`;
  if (form.get("intent") === "taken") {
    const submission = parseForm(form, inPersonPaymentSchema);
    if (submission.status !== "success")
      return createFormErrorResponse(context, submission, null, RECORD_ERROR_OPTIONS);
    const recorded = await recordInPersonPayment(person, id, submission.value);
    if (!recorded.ok) return createFormErrorResponse(context, submission, recorded, RECORD_ERROR_OPTIONS);
    return redirectWithFlash(context, dialogReturnPath(url.search), {
      title: "Payment recorded",
      description: `${await visitPrefix(person, id)}${formatCents(recorded.value.amountCents)} ${METHOD_LABELS[submission.value.method]}.`,
      link: { href: returnPath, text: "Undo" },
    });
  }
  if (form.get("intent") === "undo") {
    const submission = parseForm(form, undoPaymentSchema);
    if (submission.status !== "success") return createFormErrorResponse(context, submission, null, UNDO_ERROR_OPTIONS);
    const undone = await undoInPersonPayment(person, id, submission.value.paymentId);
    if (!undone.ok) return createFormErrorResponse(context, submission, undone, UNDO_ERROR_OPTIONS);
    return redirectWithFlash(context, returnPath, {
      title: "Payment undone",
      description: `${await visitPrefix(person, id)}${formatCents(undone.value.amountCents)} to be paid.`,
    });
  }
  const changed = await handleWaiverForm(context, { form, id, url });
  if (changed) return changed;
  await requireRecentAuthentication(context, { request, url, form });
  const submission = parseForm(form, refundSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, REFUND_ERROR_OPTIONS);
  const refunded = await issueAdminRefund(person, id, submission.value);
  if (!refunded.ok) return createFormErrorResponse(context, submission, refunded, REFUND_ERROR_OPTIONS);
  const { amountCents, isRefundPending } = refunded.value;
  const ending = isRefundPending ? "goes back as soon as the provider answers." : "goes back.";
  const description = `${await visitPrefix(person, id)}${formatCents(amountCents)} ${ending}`;
  return redirectWithFlash(context, returnPath, { title: "Refund on its way", description });
}

/** Returns the description of the visit for the start of a message. Empty if the visit was deleted in the meantime. */
async function visitPrefix(person: Person, id: number | null): Promise<string> {
  const visit = await findAppointment(person, id);
  return visit.ok ? `${describeVisitForAdmin(visit.value)}: ` : "";
}

export default function AppointmentPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { search } = useLocation();
  const { timeZone } = useSite().practice;
  const refundable = loaderData.payments.filter(
    ({ refundableCents, state }) => state === "paid" && refundableCents > 0,
  );
  const [form, fields] = useServerValidatedForm<{
    method: string;
    note: string;
    paymentId: string;
    amount: string;
    reason: string;
    waiveReason: string;
  }>({
    id: "payment",
    lastResult: actionData?.result,
    defaultValue: { paymentId: String(refundable[0]?.id ?? "") },
  });
  const refundOptions = refundable.map(({ id, refundableCents, method }) => ({
    value: String(id),
    label: `Payment ${id}, ${METHOD_LABELS[method] ?? method}: at most ${formatCents(refundableCents)}`,
  }));
  return (
    <RouteDialog
      title={TITLE}
      description={
        <>
          {loaderData.subject}, <ZonedTime instant={loaderData.start} zone={timeZone} inSentence />
        </>
      }
      closeTo={dialogReturnPath(search)}
    >
      <PageMeta hasError={form.status === "error"}>
        {`${TITLE}: ${loaderData.subject}, ${formatDateTime(loaderData.start, timeZone)}`}
      </PageMeta>
      <ErrorSummary form={form} notice={actionData?.notice} />
      <PaymentList payments={loaderData.payments} />
      {loaderData.unpaidText && (
        <section className="grid gap-4">
          <h3 className="text-lg">{loaderData.unpaidText}</h3>
          <LinkButton to={`/invoices/${loaderData.id}`} className="justify-self-start">
            Invoice
          </LinkButton>
          <Form method="post" noValidate preventScrollReset>
            <RadioField field={fields.method} legend="How it was paid" options={IN_PERSON_OPTIONS} />
            <TextField field={fields.note} label="Note" optional />
            <Button name="intent" value="taken" variant="primary" busyText="Saving…">
              Mark as paid
            </Button>
          </Form>
        </section>
      )}
      {loaderData.canWaive && <WaiveForm field={fields.waiveReason} />}
      {loaderData.waived && <RevokeWaiverForm {...loaderData.waived} />}
      {refundOptions.length > 0 && (
        <section className="grid gap-4">
          <h3 className="text-lg">Refund</h3>
          <p>Canceling sends money back automatically, as the terms say. Use this for anything else.</p>
          <Form method="post" noValidate preventScrollReset>
            <input type="hidden" name="key" value={loaderData.key} />
            <RadioField field={fields.paymentId} legend="Payment to refund" options={refundOptions} />
            <TextField field={fields.amount} label="Amount in dollars" inputMode="decimal" width="short" />
            <TextField field={fields.reason} label="Reason" hint="For your own records." />
            <Button name="intent" value="refund" variant="danger" busyText="Refunding…">
              Refund this amount
            </Button>
          </Form>
        </section>
      )}
    </RouteDialog>
  );
}
