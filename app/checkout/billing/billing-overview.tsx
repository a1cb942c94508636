import { createFormErrorResponse, type FormErrorOptions } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import type { Person } from "../../accounts/person.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { listAdminAppointmentsWithAudit } from "../../booking/appointment-list/admin-appointments.server.ts";
import { formatCountWithNoun } from "../../format-count-with-noun.ts";
import { readForm } from "../../http/form.server.ts";
import { formatCents } from "../../ui/format-currency.ts";
import { recordInPersonPayments } from "../admin-payments.server.ts";
import type { Route } from "./+types/billing-overview";
import { markPaidSchema } from "./mark-paid-schema.ts";
import { BillingOverviewPage } from "./billing-overview-page.tsx";
import { loadBillingOverviewWithAudit } from "./billing-overview-page.server.ts";

/** Maximum number of families that a message names. */
const MAX_NAMED_FAMILIES = 3;
const FORM_ERROR_OPTIONS = { title: "Nothing was recorded" } satisfies FormErrorOptions;

export function loader({ context, url }: Route.LoaderArgs) {
  return loadBillingOverviewWithAudit(requirePerson(context), url.searchParams);
}

/** Marks the selected visits as paid in person. */
export async function action({ context, request, url }: Route.ActionArgs) {
  const submission = await readForm(request, markPaidSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, FORM_ERROR_OPTIONS);
  const { visit, ...how } = submission.value;
  const person = requirePerson(context);
  const result = await recordInPersonPayments(person, visit, how);
  if (!result.ok) return createFormErrorResponse(context, submission, result, FORM_ERROR_OPTIONS);
  const { recordedIds, refusedIds, amountCents } = result.value;
  const refusedText = ` Not recorded, because paid or canceled in the meantime: ${formatCountWithNoun(refusedIds.length, "visit")} (reference ${refusedIds.join(", ")}).`;
  return redirectWithFlash(context, `${url.pathname}${url.search}`, {
    title: "Payments recorded",
    description: `${await loadPayerNamesText(person, recordedIds)}: ${formatCountWithNoun(recordedIds.length, "visit")}, ${formatCents(amountCents)}.${refusedIds.length > 0 ? refusedText : ""}`,
  });
}

/**
 * Returns the distinct names of the families of these visits: at most three names, followed by the number of the
 * others.
 */
async function loadPayerNamesText(person: Person, ids: number[]): Promise<string> {
  const rows = await listAdminAppointmentsWithAudit(person, {
    where: { id: { in: ids } },
    order: "asc",
    take: ids.length,
  });
  const names = [...new Set(rows.map(({ client }) => client.name))];
  const hidden = names.length - MAX_NAMED_FAMILIES;
  return names.slice(0, MAX_NAMED_FAMILIES).join(", ") + (hidden > 0 ? ` and ${hidden} more` : "");
}

export default function BillingOverview({ loaderData, actionData }: Route.ComponentProps) {
  return <BillingOverviewPage data={loaderData} formError={actionData} />;
}
