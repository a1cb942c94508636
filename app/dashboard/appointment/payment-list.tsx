import { METHOD_LABELS } from "../../checkout/payment-methods.ts";
import { useSite } from "../../practice/site.ts";
import { Form, useLocation } from "react-router";
import { Button, LinkButton } from "../../ui/button.tsx";
import { formatDate } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";

type Refund = { id: number; amountCents: number; reason: string; state: string; createdAt: Date };
type Payment = {
  id: number;
  method: string;
  state: string;
  amountCents: number;
  paidAt: Date | null;
  note: string | null;
  refunds: Refund[];
  canUndo: boolean;
};

const REFUND_STATES: Record<string, string> = {
  asked: "on its way",
  accepted: "on its way",
  done: "done",
  failed: "failed: please take care of it with the card provider",
};

/** Shows all payments of one appointment with their refunds. */
export function PaymentList({ payments }: { payments: readonly Payment[] }) {
  const { pathname, search } = useLocation();
  if (payments.length === 0) return <p>Nothing has been paid yet.</p>;
  return (
    <ul className="rows">
      {payments.map((payment) => (
        <li key={payment.id} className="row">
          <div>
            <p>
              Payment {payment.id}: {formatCents(payment.amountCents)},{" "}
              {METHOD_LABELS[payment.method] ?? payment.method}
              {payment.paidAt ? <OnDate instant={payment.paidAt} /> : " (being settled)"}
            </p>
            {payment.note && <p className="wrap-anywhere">Note: {payment.note}</p>}
            {payment.refunds.map((refund) => (
              <p key={refund.id} className="wrap-anywhere">
                Refund of {formatCents(refund.amountCents)}
                <OnDate instant={refund.createdAt} />: {REFUND_STATES[refund.state] ?? refund.state}. {refund.reason}
              </p>
            ))}
            {payment.canUndo && (
              <Form method="post" action={`${pathname}${search}`} preventScrollReset className="mt-2">
                <input type="hidden" name="paymentId" value={payment.id} />
                <Button name="intent" value="undo" busyText="Undoing…">
                  Undo: it was not paid<span className="sr-only"> (payment {payment.id})</span>
                </Button>
              </Form>
            )}
          </div>
          {payment.paidAt && (
            <LinkButton to={`/receipts/${payment.id}`} className="row-action">
              Receipt<span className="sr-only"> of payment {payment.id}</span>
            </LinkButton>
          )}
        </li>
      ))}
    </ul>
  );
}

function OnDate({ instant }: { instant: Date }) {
  const { timeZone } = useSite().practice;
  return (
    <>
      , <span className="inline-block">{formatDate(instant, timeZone)}</span>
    </>
  );
}
