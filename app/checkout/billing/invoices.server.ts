import { fullName, type Person } from "../../accounts/person.ts";
import { recordAuditRead } from "../../audit/record-audit.server.ts";
import { findAppointment } from "../../booking/find-appointment.server.ts";
import { UNPAID_CONDITION } from "../../booking/appointment-list/appointment-conditions.server.ts";
import { resolveClientName } from "../../booking/client-name.ts";
import { timeStatus } from "../../booking/appointment-status.ts";
import { computeBalance } from "../../booking/prices/appointment-balance.ts";
import { offlinePaymentTextWithoutAmount } from "../../booking/prices/offline-payment-text.ts";
import { titleWithoutClientName } from "../../booking/prices/service-catalog.ts";
import { visitKind } from "../../booking/visit-kind.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { accepted, refused } from "../../http/outcome.ts";
import { findIntakeForm } from "../../intake/intake-forms.server.ts";
import { cachedConsultantProfile } from "../../practice/consultant-profile.server.ts";
import { cachedPracticeDetails } from "../../practice/practice-details.server.ts";

/** Maximum number of unpaid visits listed for a family. A family has at most 60 upcoming visits. */
const MAX_INVOICES = 100;

/**
 * Returns the issuer of invoices and receipts. Insurers require all fields; fields that are not set are left out of the
 * document.
 */
export function billingDocumentIssuer() {
  const { name, phone, email } = env.practice;
  const { address, taxId } = cachedPracticeDetails();
  const consultant = cachedConsultantProfile();
  return {
    name,
    phone,
    email,
    address,
    taxId,
    provider: consultant?.name ?? null,
    license: consultant?.license ?? null,
  };
}

/**
 * Finds the child's name for an invoice or a receipt of `familyId`. `name` is null unless the query contains
 * `?child=shown`. `isKnown` says whether a name exists.
 */
export async function findChildNameForBillingDocument(person: Person, familyId: number | null, query: URLSearchParams) {
  const found = familyId === null ? null : await findIntakeForm(person, familyId);
  const name = query.get("child") === "shown" && found?.ok ? found.value.childName : null;
  return { isKnown: found?.ok ?? false, name };
}

/**
 * Finds the invoice of a visit that has a price: a family's own, any for the administrator. Amounts are US cents.
 * Refusals: notFound, also for another family's visit, and when there is nothing to pay and nothing was paid.
 */
export async function findInvoiceWithAudit(person: Person, id: number | null) {
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { userId, user, appointmentDate, status, paymentAmountCents, createdAt } = found.value;
  const sums = computeBalance(found.value);
  if (!paymentAmountCents || (status === "cancelled" && sums.paidCents === 0))
    return refused("notFound", "There is no such invoice.");
  await recordAuditRead({ action: "invoice-opened", familyId: userId, objectId: found.value.id });
  return accepted({
    id: found.value.id,
    userId,
    name: user ? fullName(user) : resolveClientName(found.value).name,
    title: titleWithoutClientName(found.value),
    appointmentDate,
    status,
    createdAt,
    priceCents: paymentAmountCents,
    paymentInstructions: sums.unpaidCents > 0 ? paymentInstructionsText(found.value) : null,
    ...sums,
  });
}

type PayableVisit = Parameters<typeof visitKind>[0] & Parameters<typeof timeStatus>[0];

/** Returns a sentence that explains how to pay an unpaid visit. */
export function paymentInstructionsText(visit: PayableVisit): string {
  return offlinePaymentTextWithoutAmount(visitKind(visit), timeStatus(visit, now()) === "past");
}

/** Lists a family's own unpaid visits, earliest first, at most 100. Amounts are US cents. */
export function listUnpaidVisits(person: Person) {
  return db.appointment.findMany({
    where: { ...UNPAID_CONDITION, userId: person.id },
    orderBy: [{ appointmentDate: "asc" }, { id: "asc" }],
    take: MAX_INVOICES,
    select: {
      id: true,
      title: true,
      appointmentDate: true,
      duration: true,
      paymentAmountCents: true,
      isLiveVideoCall: true,
      meetingLink: true,
    },
  });
}
