import { requirePerson } from "../accounts/guards.server.ts";
import { env } from "../env.server.ts";
import { parseId } from "../http/field-schemas.ts";
import "../intake/print.css";
import { useSite } from "../practice/site.ts";
import { Button, LinkButton } from "../ui/button.tsx";
import { formatDate, formatDateTime } from "../ui/dates.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import type { Route } from "./+types/receipt";
import { formatCents } from "../ui/money.ts";
import { METHOD_LABELS } from "./payment-messages.ts";
import { findReceipt } from "./receipts.server.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findReceipt(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: 404, statusText: "Not Found" });
  const { timeZone } = env.practice;
  const { id, name, title, appointmentDate, method, amountCents, refundedCents, paidAt, refunds } = found.value;
  return {
    number: id,
    name,
    title,
    when: formatDateTime(appointmentDate, timeZone),
    method: METHOD_LABELS[method] ?? method,
    amount: formatCents(amountCents),
    paidOn: paidAt && formatDate(paidAt, timeZone),
    refunds: refunds.map((refund) => ({
      id: refund.id,
      amount: formatCents(refund.amountCents),
      refundedOn: formatDate(refund.createdAt, timeZone),
      isDone: refund.state === "done",
    })),
    netAmount: formatCents(amountCents - refundedCents),
    backPath: person.isAdmin ? "/dashboard" : "/receipts",
  };
}

/** A receipt for the family's records. */
export default function Receipt({ loaderData: receipt }: Route.ComponentProps) {
  const { practice } = useSite();
  return (
    <main id="main" tabIndex={-1} className="account-page">
      <PageTitle>{`Receipt ${receipt.number}`}</PageTitle>
      <div data-print-alone className="grid gap-4">
        <h1>Receipt {receipt.number}</h1>
        <p className="wrap-anywhere">
          <SeparatedList items={[practice.name, practice.phone, practice.email]} />
        </p>
        <dl className="facts">
          {receipt.name && (
            <>
              <dt>For</dt>
              <dd>{receipt.name}</dd>
            </>
          )}
          <dt>Service</dt>
          <dd className="wrap-anywhere">{receipt.title}</dd>
          <dt>Appointment</dt>
          <dd>{receipt.when}</dd>
          <dt>Paid</dt>
          <dd>
            {receipt.amount}, {receipt.paidOn}, {receipt.method}
          </dd>
          {receipt.refunds.map((refund) => (
            <RefundLine key={refund.id} refund={refund} />
          ))}
          <dt>Total</dt>
          <dd className="font-bold">{receipt.netAmount}</dd>
        </dl>
      </div>
      <div className="actions">
        <Button type="button" variant="primary" className="scripted" onClick={() => window.print()}>
          Print
        </Button>
        <LinkButton to={receipt.backPath}>Back</LinkButton>
      </div>
    </main>
  );
}

function RefundLine({ refund }: { refund: { amount: string; refundedOn: string; isDone: boolean } }) {
  return (
    <>
      <dt>Refunded</dt>
      <dd>
        {refund.amount}, {refund.refundedOn}
        {!refund.isDone && " (on its way)"}
      </dd>
    </>
  );
}
