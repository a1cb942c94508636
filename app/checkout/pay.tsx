import { randomUUID } from "node:crypto";
import { useMemo, useState } from "react";
import { data, Form, redirect, redirectDocument, useNavigation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import type { Person } from "../accounts/person.ts";
import { flashNow, keepFlashes, redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { env } from "../env.server.ts";
import { clientIpContext, nodeRequestContext } from "../http/request-context.server.ts";
import { createFailureHandler } from "../http/errors.server.ts";
import { isDataRequest } from "../http/request-guard.server.ts";
import { readNamedFormFields } from "../http/form.server.ts";
import { type Refusal, HTTP_STATUS, refused } from "../http/outcome.ts";
import { getPaymentGateway } from "../payments/payment-gateway.server.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import type { Route } from "./+types/pay";
import {
  HOSTED_CHECKOUT_PATH,
  APPOINTMENTS_PATH,
  bookingConfirmationPath,
  NEW_APPOINTMENT_PATH,
  PAYMENT_PATH,
} from "../booking/appointment-paths.ts";
import { CardPaymentForm } from "./card-payment-form.tsx";
import { findPaidVisitId } from "./find-payment.server.ts";
import { payByCard } from "./pay-by-card.server.ts";
import {
  validateDraftForPayment,
  isDraftChangedSince,
  redirectToChangedDraft,
  continueBookingFromDraft,
  resumeLapsedHold,
} from "../booking/booking-flow.server.ts";
import { findRecentBooking } from "../booking/booking-dialog/recent-booking.server.ts";
import { findBookingDraft } from "../booking/booking-draft.server.ts";
import { cardFormSchema } from "./payment-schemas.ts";
import { deleteDraftOfVisit, draftVersion } from "../booking/draft-version.server.ts";
import { isSlotUnavailableRefusal } from "../booking/rollback.server.ts";
import { findActiveHoldAt, holdChosenSlot, renewHold } from "../booking/holds/chosen-slot-hold.server.ts";
import { HoldNotice } from "../booking/holds/hold-notice.tsx";
import { useHoldRenewal } from "../booking/holds/use-hold-renewal.ts";
import { loadChosenSlotStatus } from "../booking/holds/chosen-slot-status.server.ts";
import { startHostedPayment } from "./hosted-checkout.server.ts";
import { OrderSummary } from "./order-summary.tsx";
import { NO_CONFIG_NOTICE, PAID_NOTICE, paymentFailedNotice, PROCESSING_FAILED_MESSAGE } from "./payment-notices.ts";
import { visitLengthText, priceInclusionsText, priceInCents } from "../booking/prices/service-catalog.ts";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { formatCents } from "../ui/format-currency.ts";
import { showToast } from "../ui/toast.ts";
import { now } from "../clock.ts";
import { lateCancellationCostText, refundRuleTextWithDeadline } from "../booking/prices/cancellation-policy.ts";
import { offlinePaymentText } from "../booking/prices/offline-payment-text.ts";
import { visitKind } from "../booking/visit-kind.ts";

export const handle: PageHandle = { payment: true };

/** Where the family chooses another time when this one is taken. All other fields of the booking are kept. */
const SLOT_UNAVAILABLE_PATH = `${NEW_APPOINTMENT_PATH}?again=payment`;

export async function loader({ context, request }: Route.LoaderArgs) {
  const person = requirePerson(context);
  await renewHold(person);
  // The page requests its data by itself when the hold lapses, which is no sign that the family is at work.
  if (!isDataRequest(new URL(request.url).pathname)) await resumeLapsedHold(person, context.get(clientIpContext));
  const draft = await findBookingDraft(person);
  const booking = draft && (await validateDraftForPayment(person, draft));
  if (!booking) throw redirect(draft ? `${NEW_APPOINTMENT_PATH}?again` : await findPathWithoutDraft(person));
  const { title, appointmentDate } = booking;
  const cents = priceInCents(title);
  const length = visitLengthText({ ...booking, consultationRequestId: null });
  const lateNote = (isPaidOnline: boolean) =>
    lateCancellationCostText({ start: appointmentDate, priceCents: cents, isPaidOnline }, now());
  const gateway = await getPaymentGateway();
  return {
    details: {
      title,
      start: appointmentDate.toISOString(),
      length,
      amount: formatCents(cents),
      covers: priceInclusionsText(title),
    },
    refundRule: lateNote(true) ?? refundRuleTextWithDeadline(appointmentDate, env.practice.timeZone),
    inPerson: offlinePaymentText(visitKind({ ...booking, meetingLink: booking.meetingLink ?? null }), cents),
    inPersonLateNote: lateNote(false),
    hold: await loadChosenSlotStatus(person, draft),
    cents,
    config: gateway?.config ?? null,
    version: draftVersion(draft),
    key: randomUUID(),
  };
}

/** Returns the confirmation of a recent booking, so that Back from the confirmation page leads to it again. */
async function findPathWithoutDraft(person: Person): Promise<string> {
  const visit = await findRecentBooking(person);
  return visit ? bookingConfirmationPath(visit.id) : NEW_APPOINTMENT_PATH;
}

/**
 * Pays by card, pays on the provider's page, or switches to paying in person. With the intent `hold`, only extends the
 * hold of the chosen time, or holds it again.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const person = requirePerson(context);
  const ip = context.get(clientIpContext);
  const form = await readNamedFormFields(request, ["intent", "sourceId", "cents", "key", "version"]);
  const intent = form.get("intent");
  const shownVersion = form.get("version");
  if (intent === "in-person") return continueBookingFromDraft(context, { inPerson: true, shownVersion });
  if (intent === "hold") {
    keepFlashes(context);
    await renewHold(person);
    await resumeLapsedHold(person, ip);
    return null;
  }
  // Nothing is booked without a known intent.
  if (intent !== "card" && intent !== "hosted") return redirect(PAYMENT_PATH);
  const card = cardFormSchema.safeParse(Object.fromEntries(form));
  if (!card.success)
    return paymentError(refused("invalid", card.error.issues[0]?.message ?? PROCESSING_FAILED_MESSAGE));
  const { sourceId = "", key, cents } = card.data;
  const paidVisitId = intent === "card" && key ? await findPaidVisitId(person, key) : null;
  if (paidVisitId !== null) return redirectWithFlash(context, bookingConfirmationPath(paidVisitId), PAID_NOTICE, true);
  const draft = await findBookingDraft(person);
  if (draft && isDraftChangedSince(draft, shownVersion)) return redirectToChangedDraft(context, PAYMENT_PATH);
  const fields = draft && (await validateDraftForPayment(person, draft));
  if (!fields) return redirectDocument(SLOT_UNAVAILABLE_PATH);
  if (intent === "hosted") {
    const checkout = await startHostedPayment(person, fields, ip);
    if (!checkout.ok && isSlotUnavailableRefusal(checkout)) return redirectDocument(SLOT_UNAVAILABLE_PATH);
    return checkout.ok ? redirectDocument(HOSTED_CHECKOUT_PATH) : paymentError(checkout);
  }
  const activeHold = await findActiveHoldAt(person, fields.appointmentDate);
  const order = { sourceId, amount: Number(cents) / 100, fields };
  const paid = await payByCard(person, { ...order, idempotencyKey: key }, ip).catch((error: unknown) => ({
    ...createFailureHandler("", "card payment", context.get(nodeRequestContext))(error),
    message: PROCESSING_FAILED_MESSAGE,
  }));
  if (!paid.ok) {
    if (isSlotUnavailableRefusal(paid)) return redirectDocument(SLOT_UNAVAILABLE_PATH);
    // The family can try another card: the hold that ended with this payment is renewed.
    if (paid.message !== PROCESSING_FAILED_MESSAGE)
      await holdChosenSlot(person, fields, ip, activeHold && { ...activeHold, isLapsed: false });
    return paymentError(paid);
  }
  await deleteDraftOfVisit(person, fields);
  return redirectWithFlash(context, bookingConfirmationPath(paid.value.appointment.id), PAID_NOTICE, true);

  function paymentError({ reason, message, retryAfterSeconds }: Refusal) {
    const notice = paymentFailedNotice(message);
    flashNow(context, notice, retryAfterSeconds);
    // A retry after a refusal is a new payment with a new key.
    return data({ notice, key: randomUUID() }, { status: HTTP_STATUS[reason] });
  }
}

export default function Pay({ loaderData, actionData }: Route.ComponentProps) {
  const { details, hold, cents, config, version, refundRule, inPerson, inPersonLateNote } = loaderData;
  // Reloaded data has another key, but an attempt that got no answer is repeated with its own.
  const [firstKey] = useState(loaderData.key);
  // Loading the page's data again, as after each renewal of the hold, removes `actionData`.
  const [answer, setAnswer] = useState(actionData);
  if (actionData && actionData !== answer) setAnswer(actionData);
  useHoldRenewal(PAYMENT_PATH);
  const isBusy = useNavigation().state !== "idle";
  // When the next attempt begins, the error of the last one is hidden together with its toast.
  const [ended, setEnded] = useState<typeof actionData>();
  function clearLastAttempt() {
    setEnded(answer);
    showToast(null);
  }
  const failure = answer === ended ? undefined : answer;
  const notice = failure?.notice ?? (config ? null : NO_CONFIG_NOTICE);
  const errors = notice ? [notice.description] : undefined;
  // Only another error takes the focus.
  const allErrors = useMemo((): Record<string, string[]> => (notice ? { "": [notice.description] } : {}), [notice]);
  return (
    <RouteDialog title="Complete Payment" closeTo={APPOINTMENTS_PATH} size="full" reloadDocument>
      <PageMeta hasError={errors !== undefined}>Complete Payment</PageMeta>
      <ErrorSummary form={{ id: "payment", errors, allErrors, status: errors && "error" }} notice={notice} />
      {hold && <HoldNotice hold={hold} />}
      <h3 className="text-xl">Payment Required</h3>
      <OrderSummary {...details} />
      <p className="hint">{refundRule}</p>
      {config && (
        <CardPaymentForm
          config={config}
          cents={cents}
          paymentKey={answer?.key ?? firstKey}
          version={version}
          onAttempt={clearLastAttempt}
        />
      )}
      <p id="in-person" className="hint">
        “Pay in person instead” books your visit now, without a card. {inPerson} {inPersonLateNote}
      </p>
      <p className="hint">
        “Change the booking” and “Cancel” cost nothing: what you chose stays saved
        {hold?.state === "held" && `, and your time stays yours until ${hold.until}`}.
      </p>
      <Form method="post" preventScrollReset className="actions" onSubmit={clearLastAttempt}>
        <input type="hidden" name="version" value={version} />
        <Button name="intent" value="in-person" busyText="Booking…" aria-describedby="in-person" aria-disabled={isBusy}>
          Pay in person instead
        </Button>
        <LinkButton href={NEW_APPOINTMENT_PATH}>Change the booking</LinkButton>
        <LinkButton href={APPOINTMENTS_PATH} variant="quiet" className="max-sm:w-full sm:-ml-3">
          Cancel
        </LinkButton>
      </Form>
    </RouteDialog>
  );
}
