import { redirect } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { LinkButton } from "../ui/button.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { Route } from "./+types/hosted-redirect";
import { APPOINTMENTS_PATH, PAYMENT_PATH } from "../booking/appointment-paths.ts";
import { env } from "../env.server.ts";
import { formatTimeWithZone } from "../ui/format-date-time.ts";
import { formatCents } from "../ui/format-currency.ts";
import { computePaymentHoldExpiry } from "./create-payment.server.ts";
import { findOpenCheckout } from "./hosted-checkout.server.ts";

const TITLE = "To the payment page";

export async function loader({ context }: Route.LoaderArgs) {
  const checkout = await findOpenCheckout(requirePerson(context));
  if (!checkout?.checkoutUrl) throw redirect(PAYMENT_PATH);
  return {
    url: checkout.checkoutUrl,
    amount: formatCents(checkout.amountCents),
    heldUntil: formatTimeWithZone(computePaymentHoldExpiry(checkout.createdAt), env.practice.timeZone),
  };
}

/**
 * Redirects to the provider's page. A form that posts there directly would require every host of the provider in the
 * CSP.
 */
export default function HostedRedirect({ loaderData: { url, amount, heldUntil } }: Route.ComponentProps) {
  return (
    <RouteDialog title={TITLE} closeTo={APPOINTMENTS_PATH} reloadDocument>
      <PageMeta>{TITLE}</PageMeta>
      <meta httpEquiv="refresh" content={`0; url=${url}`} />
      <p>
        You pay {amount} on the card provider&apos;s own page and come back here. Your time is held for you until{" "}
        {heldUntil}.
      </p>
      <p className="actions">
        <LinkButton href={url} variant="primary" rel="noreferrer">
          Go to the payment page
        </LinkButton>
        <LinkButton href={PAYMENT_PATH}>Choose another way to pay</LinkButton>
      </p>
    </RouteDialog>
  );
}
