import { requirePerson } from "../../accounts/guards.server.ts";
import { env } from "../../env.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { formatDate } from "../../ui/format-date-time.ts";
import { formatCents } from "../../ui/format-currency.ts";
import type { Route } from "./+types/invoice";
import { loadBillingDocumentData } from "./billing-document-data.server.ts";
import { findInvoiceWithAudit } from "./invoices.server.ts";
import { BillingDocument } from "./billing-document.tsx";

const STATUS_TEXTS: Record<string, string> = { "no-show": "Missed", completed: "Took place" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const found = await findInvoiceWithAudit(person, parseId(params.id));
  if (!found.ok) throw new Response(found.message, { status: 404, statusText: "Not Found" });
  const { id, status, createdAt, priceCents, paidCents, refundedCents, unpaidCents, waivedCents, paymentInstructions } =
    found.value;
  const amounts = [
    { term: "Price", text: formatCents(priceCents, 2) },
    { term: "Paid", text: formatCents(paidCents, 2) },
    ...(refundedCents > 0 ? [{ term: "Refunded", text: formatCents(refundedCents, 2) }] : []),
    ...(waivedCents > 0 ? [{ term: "Waived", text: formatCents(waivedCents, 2) }] : []),
    { term: "Amount due", text: formatCents(unpaidCents, 2), isStrong: true },
    ...(paymentInstructions ? [{ term: "How to pay", text: paymentInstructions }] : []),
  ];
  const statusText = STATUS_TEXTS[status];
  return loadBillingDocumentData(person, { ...found.value, isCanceled: status === "cancelled" }, url.searchParams, {
    title: `Invoice ${id}`,
    details: [
      ...(statusText ? [{ term: "Visit", text: statusText }] : []),
      { term: "Booked", text: formatDate(createdAt, env.practice.timeZone) },
      ...amounts,
    ],
    backPath: person.isAdmin ? "/money" : "/receipts",
  });
}

/** Shows the invoice of one visit to the family or the administrator. */
export default function Invoice({ loaderData }: Route.ComponentProps) {
  return <BillingDocument bill={loaderData} />;
}
