import { sum } from "../sum.ts";
import { requirePerson } from "../accounts/guards.server.ts";
import { env } from "../env.server.ts";
import { LinkButton } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { formatDate, formatDateTime } from "../ui/format-date-time.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatCents } from "../ui/format-currency.ts";
import { PageMeta } from "../ui/page-meta.tsx";
import { SeparatedList } from "../ui/separated-list.tsx";
import type { Route } from "./+types/receipt-list";
import { paymentInstructionsText, listUnpaidVisits } from "./billing/invoices.server.ts";
import { METHOD_LABELS } from "./payment-methods.ts";
import { listReceipts } from "./find-receipts.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { timeZone } = env.practice;
  const person = requirePerson(context);
  const [receipts, unpaid] = await Promise.all([listReceipts(person), listUnpaidVisits(person)]);
  return {
    unpaid: unpaid.map((visit) => ({
      id: visit.id,
      title: visit.title,
      when: formatDateTime(visit.appointmentDate, timeZone),
      amount: formatCents(visit.paymentAmountCents ?? 0),
      paymentInstructions: paymentInstructionsText(visit),
    })),
    totalDue: formatCents(sum(unpaid.map(({ paymentAmountCents }) => paymentAmountCents ?? 0))),
    totalPaid: formatCents(sum(receipts.map(({ amountCents }) => amountCents))),
    totalRefunded: formatCents(sum(receipts.map(({ refundedCents }) => refundedCents))),
    hasRefunds: receipts.some(({ refundedCents }) => refundedCents > 0),
    receipts: receipts.map(({ id, title, appointmentDate, method, amountCents, refundedCents, paidAt }) => ({
      id,
      title: title ?? "Visit",
      when: appointmentDate && formatDateTime(appointmentDate, timeZone),
      method: METHOD_LABELS[method] ?? method,
      amount: formatCents(amountCents),
      refunded: refundedCents > 0 ? `refunded ${formatCents(refundedCents)}` : null,
      paidOn: paidAt && formatDate(paidAt, timeZone),
    })),
  };
}

/** Lists all receipts of a family, newest first. */
export default function ReceiptList({ loaderData }: Route.ComponentProps) {
  const { receipts, unpaid, totalDue, totalPaid, totalRefunded, hasRefunds } = loaderData;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PageMeta>Receipts</PageMeta>
      <h1>Receipts</h1>
      {unpaid.length > 0 && (
        <Card title="Still to pay">
          <ul className="rows">
            {unpaid.map(({ id, title, when, amount, paymentInstructions: sentence }) => (
              <li key={id} className="row">
                <p className="min-w-0 flex-1 basis-64">
                  <b className="wrap-anywhere">{title}</b>
                  <br />
                  {when}
                  <br />
                  <span className="text-muted">{sentence}</span>
                </p>
                <p>
                  <b>{amount}</b>
                </p>
                <LinkButton to={`/invoices/${id}`} variant="quiet">
                  Invoice
                  <span className="sr-only">
                    {" "}
                    for {title}, {when}
                  </span>
                </LinkButton>
              </li>
            ))}
          </ul>
          <p className="text-lg">
            Total to pay: <strong>{totalDue}</strong>
          </p>
        </Card>
      )}
      <Card title="Your payments">
        {receipts.length === 0 ? (
          <EmptyState
            illustration="document"
            title="No receipts yet"
            text="When you pay for a visit, its receipt shows up here. You can print it for your records."
          />
        ) : (
          <ul className="rows">
            {receipts.map((receipt) => (
              <li key={receipt.id} className="row">
                <p className="min-w-0 flex-1 basis-64">
                  <b className="wrap-anywhere">{receipt.title}</b>
                  <br />
                  {receipt.when}
                </p>
                <p className="text-muted">
                  <strong className="text-ink">{receipt.amount}</strong>
                  <br />
                  <SeparatedList items={[`Paid ${receipt.method}`, receipt.paidOn, receipt.refunded]} />
                </p>
                <LinkButton to={`/receipts/${receipt.id}`} variant="quiet" className="max-sm:-ml-3">
                  Receipt {receipt.id}
                  <span className="sr-only">
                    {" "}
                    for {receipt.title}
                    {receipt.when && `, ${receipt.when}`}
                  </span>
                </LinkButton>
              </li>
            ))}
          </ul>
        )}
        {receipts.length > 0 && (
          <p className="text-lg">
            Total paid: <strong>{totalPaid}</strong>
            {hasRefunds && `, refunded ${totalRefunded}`}
          </p>
        )}
      </Card>
    </main>
  );
}
