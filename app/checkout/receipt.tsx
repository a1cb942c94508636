import { requirePerson } from "../accounts/guards.server.ts";
import { env } from "../env.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { formatDate } from "../ui/format-date-time.ts";
import { formatCents } from "../ui/format-currency.ts";
import type { Route } from "./+types/receipt";
import { loadBillingDocumentData } from "./billing/billing-document-data.server.ts";
import { BillingDocument } from "./billing/billing-document.tsx";
import { paidByText } from "./payment-methods.ts";
import { findReceiptWithAudit } from "./find-receipts.server.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findReceiptWithAudit(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: 404, statusText: "Not Found" });
  const { id, name, method, amountCents, refundedCents, paidAt, refunds } = found.value;
  const onDay = (instant: Date) => formatDate(instant, env.practice.timeZone);
  const paid = [formatCents(amountCents), paidAt && onDay(paidAt)];
  return loadBillingDocumentData(person, { ...found.value, name: null }, url.searchParams, {
    title: `Receipt ${id}`,
    details: [
      { term: "Paid by", text: paidByText(name, method) },
      { term: "Paid", text: paid.filter(Boolean).join(", ") },
      ...refunds.map((refund) => ({
        term: "Refunded",
        text: `${formatCents(refund.amountCents)}, ${onDay(refund.createdAt)}${refund.state === "done" ? "" : " (on its way)"}`,
      })),
      { term: "Total", text: formatCents(amountCents - refundedCents), isStrong: true },
    ],
    backPath: person.isAdmin ? "/dashboard" : "/receipts",
  });
}

/** Shows a receipt for the family's records. */
export default function Receipt({ loaderData }: Route.ComponentProps) {
  return <BillingDocument bill={loaderData} />;
}
