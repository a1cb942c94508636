import { data, Form, redirectDocument } from "react-router";
import { env } from "../env.server.ts";
import { readNamedFormFields } from "../http/form.server.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { PageMeta } from "../ui/page-meta.tsx";
import type { PageHandle } from "../ui/page-handle.ts";
import type { Route } from "./+types/simulated-checkout";
import { getPaymentGateway } from "./payment-gateway.server.ts";
import { SIMULATED_CARDS } from "./simulated-cards.ts";
import type { Simulator } from "./simulator.server.ts";

export const handle: PageHandle = { unhydrated: true };

/** Shows the simulator's checkout page instead of the provider's. Responds with 404 unless PAYMENTS=simulator. */
export async function loader({ params }: Route.LoaderArgs) {
  const checkout = (await requireSimulator()).findCheckout(params.id);
  if (!checkout) throw pageNotFound();
  return { amount: (checkout.amountCents / 100).toFixed(2), returnTo: checkout.returnTo, cards: SIMULATED_CARDS };
}

export async function action({ request, params }: Route.ActionArgs) {
  const enteredNumber = (await readNamedFormFields(request, ["number"])).get("number");
  const paymentResult = await (
    await requireSimulator()
  ).payAtCheckout(params.id, typeof enteredNumber === "string" ? enteredNumber : "");
  return paymentResult.ok
    ? redirectDocument(paymentResult.value.returnTo)
    : data({ failed: paymentResult.detail }, { status: 402 });
}

async function requireSimulator(): Promise<Simulator> {
  const gateway = env.payments === "simulator" ? await getPaymentGateway() : null;
  if (!gateway) throw pageNotFound();
  return gateway as Simulator;
}

function pageNotFound() {
  return new Response("There is no such page.", { status: 404, statusText: "Not Found" });
}

export default function SimulatedCheckoutPage({
  loaderData: { amount, returnTo, cards },
  actionData,
}: Route.ComponentProps) {
  const errors = actionData ? [actionData.failed] : undefined;
  return (
    <main id="main" tabIndex={-1} className="narrow-page">
      <PageMeta hasError={errors !== undefined}>Simulated checkout</PageMeta>
      <ErrorSummary
        form={{ id: "checkout", errors, allErrors: errors ? { "": errors } : {}, status: errors && "error" }}
      />
      <h1>Simulated checkout</h1>
      <p className="notice">This page stands in for the card provider&apos;s. No real card is charged.</p>
      <Form method="post" noValidate>
        <div className="field">
          <label className="label" htmlFor="number">
            Card number
          </label>
          <p className="hint" id="number-hint">
            One of the simulator&apos;s cards below.
          </p>
          <input
            className="input"
            id="number"
            name="number"
            inputMode="numeric"
            autoComplete="off"
            required
            aria-describedby="number-hint"
          />
        </div>
        <Button variant="primary">Pay ${amount}</Button>
      </Form>
      <ul className="rows">
        {cards.map(({ number, description: about }) => (
          <li key={number} className="row">
            <strong>{number}</strong> {about}
          </li>
        ))}
      </ul>
      <p>
        <a href={returnTo}>Go back without paying</a>
      </p>
    </main>
  );
}
