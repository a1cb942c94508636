import type { Person } from "../../accounts/person.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";
import { findChildNameForBillingDocument, billingDocumentIssuer } from "./invoices.server.ts";
import type { BillingDocumentData, BillingDocumentDetail } from "./billing-document.tsx";

type BilledVisit = {
  userId: number | null;
  name: string | null;
  title: string;
  appointmentDate: Date;
  isCanceled: boolean;
};

/**
 * Loads what invoices and receipts have in common: the issuer, the recipient and the visit. `details` are appended at
 * the end.
 */
export async function loadBillingDocumentData(
  person: Person,
  { userId, name, title, appointmentDate, isCanceled }: BilledVisit,
  query: URLSearchParams,
  bill: { title: string; details: BillingDocumentDetail[]; backPath: string },
): Promise<BillingDocumentData> {
  const issuer = billingDocumentIssuer();
  const when = formatPracticeDateTime(appointmentDate);
  const child = await findChildNameForBillingDocument(person, userId, query);
  const optional = (term: string, text: string | null) => (text === null ? [] : [{ term, text }]);
  return {
    ...bill,
    issuer,
    child,
    details: [
      ...optional("For", name),
      ...optional("Child", child.name),
      { term: "Service", text: title },
      isCanceled
        ? { term: "Visit canceled", text: `No service was given. It was planned for ${when}.` }
        : { term: "Date of service", text: when },
      ...bill.details,
    ],
    isIncomplete: person.isAdmin && (!issuer.address || !issuer.taxId),
  };
}
