import { randomUUID } from "node:crypto";
import { data, Form, redirect, redirectDocument, useNavigation } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { redirectWithFlash, flashNow } from "../accounts/session.server.ts";
import { clientIpContext } from "../http/context.server.ts";
import { readFormData } from "../http/form.server.ts";
import { type Refusal, HTTP_STATUS } from "../http/outcome.ts";
import { findGateway } from "../payments/gateway.server.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorSummary } from "../ui/form.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import type { Route } from "./+types/pay";
import { CHECKOUT, LIST, NEW, PAY } from "./addresses.ts";
import { CardPayment } from "./card-payment.tsx";
import { payByCard } from "./checkout.server.ts";
import { continueDraft, wishedBooking } from "./continue.server.ts";
import { endDraft } from "./draft.server.ts";
import { openHostedPage } from "./hosted.server.ts";
import { PaymentDetails } from "./payment-details.tsx";
import { NO_CONFIG, PAID, paymentFailed } from "./payment-notices.ts";
import { dollars } from "./money.ts";
import { priceInCents } from "./prices.ts";

export const handle = { paying: true };

export async function loader({ context }: Route.LoaderArgs) {
  const wished = await wishedBooking(requirePerson(context));
  if (!wished) throw redirect(NEW);
  const { title, appointmentDate, duration } = wished;
  const cents = priceInCents(title);
  const gateway = await findGateway();
  return {
    details: { title, start: appointmentDate.toISOString(), duration, amount: dollars(cents) },
    cents,
    config: gateway?.config ?? null,
    key: randomUUID(),
  };
}

/** By card, on the provider's page, or at the meeting after all. */
export async function action({ request, context }: Route.ActionArgs) {
  const person = requirePerson(context);
  const address = context.get(clientIpContext);
  const form = await readFormData(request, ["intent", "sourceId", "cents", "key"]);
  const intent = form.get("intent");
  if (intent === "in-person") return continueDraft(context, { inPerson: true });
  // Nothing is booked that no button asked for.
  if (intent !== "card" && intent !== "hosted") return redirect(PAY);
  const fields = await wishedBooking(person);
  if (!fields) return redirect(`${NEW}?again`);
  if (intent === "hosted") {
    const opened = await openHostedPage(person, fields, address);
    return opened.ok ? redirectDocument(CHECKOUT) : fail(opened);
  }
  const text = (name: string) => String(form.get(name) ?? "");
  const order = { sourceId: text("sourceId"), amount: Number(text("cents")) / 100, fields };
  const paid = await payByCard(person, { ...order, idempotencyKey: text("key") || undefined }, address);
  if (!paid.ok) return fail(paid);
  await endDraft(person);
  return redirectWithFlash(context, LIST, PAID, true);

  function fail({ reason, message }: Refusal) {
    const notice = paymentFailed(message);
    flashNow(context, notice);
    // After a refusal a new try is a new payment.
    return data({ notice, key: randomUUID() }, { status: HTTP_STATUS[reason] });
  }
}

export default function Pay({ loaderData, actionData }: Route.ComponentProps) {
  const { details, cents, config } = loaderData;
  const isBusy = useNavigation().state !== "idle";
  const notice = actionData?.notice ?? (config ? null : NO_CONFIG);
  const errors = notice ? [notice.description] : undefined;
  return (
    <Dialog title="Complete Payment" closeTo={LIST} reloadDocument>
      <PageTitle hasError={errors !== undefined}>Complete Payment</PageTitle>
      <ErrorSummary
        form={{ id: "payment", errors, allErrors: errors ? { "": errors } : {}, status: errors && "error" }}
        notice={notice}
      />
      <h3 className="text-xl">Payment Required</h3>
      <PaymentDetails {...details} />
      {config && <CardPayment config={config} cents={cents} paymentKey={actionData?.key ?? loaderData.key} />}
      <Form method="post" preventScrollReset className="actions">
        <Button name="intent" value="in-person" busyText="Booking…" aria-disabled={isBusy}>
          Pay in person instead
        </Button>
        <LinkButton href={NEW}>Change the booking</LinkButton>
        <LinkButton href={LIST} variant="quiet" className="max-sm:w-full sm:-ml-3">
          Cancel
        </LinkButton>
      </Form>
    </Dialog>
  );
}
