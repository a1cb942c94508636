import { redirect } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash } from "../accounts/session.server.ts";
import { parseId } from "../http/fields.ts";
import { LinkButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/pay-return";
import { CHECKOUT, LIST, PAY } from "./addresses.ts";
import { bookingOf } from "./attempts.server.ts";
import { endDraft } from "./draft.server.ts";
import { returnedPayment } from "./hosted.server.ts";
import { PAID, paymentFailed } from "./payment-notices.ts";
import { dollars } from "./money.ts";
import { WhichVisit } from "./which-visit.tsx";

const TITLE = "Your payment";

/** Back from the provider's page. Whether it was paid is asked of the provider, not of this address. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const payment = await returnedPayment(person, parseId(url.searchParams.get("payment") ?? undefined));
  if (!payment) throw redirect(LIST);
  if (payment.state === "paid" && payment.appointmentId !== null) {
    await endDraft(person);
    throw redirectWithFlash(context, LIST, PAID);
  }
  if (payment.state === "paid") {
    const description = `The time was no longer free when your payment came. ${dollars(payment.refundedCents)} goes back to your card.`;
    throw redirectWithFlash(context, PAY, paymentFailed(description), true);
  }
  if (payment.state === "waiting" || payment.state === "booked") {
    const { title, appointmentDate } = bookingOf(payment);
    const again = url.pathname + url.search;
    return { isWaiting: payment.state === "waiting", again, title, start: appointmentDate.toISOString() };
  }
  const description = payment.mismatch
    ? "The card provider did not take the payment as we asked, so nothing is booked. Whatever was taken goes back to your card."
    : "That payment page is closed and nothing was charged.";
  throw redirectWithFlash(context, PAY, paymentFailed(description), true);
}

export default function PayReturn({ loaderData: { isWaiting, again, title, start } }: Route.ComponentProps) {
  return (
    <Dialog title={TITLE} description={<WhichVisit title={title} start={start} />} closeTo={LIST}>
      <PageTitle>{TITLE}</PageTitle>
      <p>
        {isWaiting
          ? "The card provider has not told us of a payment yet. If you have paid, look again in a moment: you are charged once, and your time is kept."
          : "Your time is booked and your payment is being confirmed. It stands in your appointments in a minute."}
      </p>
      <p className="actions">
        <LinkButton href={again} variant="primary">
          Look again
        </LinkButton>
        {isWaiting && <LinkButton href={CHECKOUT}>Go to the payment page</LinkButton>}
        <LinkButton to={LIST}>Your appointments</LinkButton>
      </p>
    </Dialog>
  );
}
