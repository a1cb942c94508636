import { redirect } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { now } from "../clock.ts";
import { env } from "../env.server.ts";
import { LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/hosted-return";
import {
  HOSTED_CHECKOUT_PATH,
  APPOINTMENTS_PATH,
  bookingConfirmationPath,
  PAYMENT_PATH,
} from "../booking/appointment-paths.ts";
import { computePaymentHoldExpiry } from "./create-payment.server.ts";
import { parseStoredBooking } from "./find-payment.server.ts";
import { deleteDraftOfVisit } from "../booking/draft-version.server.ts";
import { isReplacedCheckout, refreshPaymentAfterRedirect } from "./hosted-checkout.server.ts";
import { PAID_NOTICE, paymentFailedNotice } from "./payment-notices.ts";
import { AppointmentTitleAndTime } from "../booking/appointment-title-and-time.tsx";
import { formatTimeWithZone } from "../ui/format-date-time.ts";
import { formatCents } from "../ui/format-currency.ts";

const TITLE = "Your payment";

/** Handles the return from the provider. The result is queried from the provider, not read from the URL. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const payment = await refreshPaymentAfterRedirect(person, parseId(url.searchParams.get("payment") ?? undefined));
  if (!payment) throw redirect(APPOINTMENTS_PATH);
  if (payment.state === "paid" && payment.appointmentId !== null) {
    const fields = parseStoredBooking(payment);
    const path = bookingConfirmationPath(payment.appointmentId);
    // For an earlier payment no notice is shown, and the draft is kept because the family may have started another
    // booking since.
    const isFirstReturn = fields !== null && (await deleteDraftOfVisit(person, fields));
    throw isFirstReturn ? redirectWithFlash(context, path, PAID_NOTICE) : redirect(path);
  }
  if (payment.state === "paid") {
    const refundReason = (await isReplacedCheckout(payment))
      ? "You had already left that payment page."
      : "The time was taken before your payment came through.";
    const description = `${refundReason} ${formatCents(payment.refundedCents)} goes back to your card.`;
    // The payment dialog would redirect to another page, which doesn't show the notice of this one.
    throw redirectWithFlash(context, APPOINTMENTS_PATH, paymentFailedNotice(description), true);
  }
  if (payment.state === "waiting" || payment.state === "booked") {
    const booking = parseStoredBooking(payment);
    if (!booking) throw redirect(APPOINTMENTS_PATH);
    const retryPath = url.pathname + url.search;
    const start = booking.appointmentDate.toISOString();
    const isWaiting = payment.state === "waiting";
    const heldUntil = computePaymentHoldExpiry(payment.createdAt);
    const until = isWaiting && heldUntil > now() ? formatTimeWithZone(heldUntil, env.practice.timeZone) : null;
    return { isWaiting, until, retryPath, title: booking.title, start };
  }
  const description = payment.mismatch
    ? "The card provider did not take the payment as we asked, so nothing is booked. Anything you were charged will be refunded to your card."
    : "That payment page is closed and nothing was charged.";
  throw redirectWithFlash(context, PAYMENT_PATH, paymentFailedNotice(description), true);
}

export default function HostedReturn({ loaderData }: Route.ComponentProps) {
  const { isWaiting, until, retryPath, title, start } = loaderData;
  return (
    <RouteDialog
      title={TITLE}
      description={<AppointmentTitleAndTime title={title} start={start} />}
      closeTo={APPOINTMENTS_PATH}
    >
      <PageMeta>{TITLE}</PageMeta>
      <p>
        {isWaiting
          ? "We haven't heard about a payment from the card provider yet. If you have paid, check again in a moment: you'll be charged only once, and we're keeping your time."
          : "Your time is booked and your payment is being confirmed. It will appear in your appointments in a minute."}
      </p>
      {until && <p>We hold your time until {until}. You can also pay another way.</p>}
      <p className="actions">
        <LinkButton href={retryPath} variant="primary">
          Check again
        </LinkButton>
        {isWaiting && <LinkButton href={HOSTED_CHECKOUT_PATH}>Go to the payment page</LinkButton>}
        {until && <LinkButton href={PAYMENT_PATH}>Other ways to pay</LinkButton>}
        <LinkButton to={APPOINTMENTS_PATH}>Your appointments</LinkButton>
      </p>
    </RouteDialog>
  );
}
