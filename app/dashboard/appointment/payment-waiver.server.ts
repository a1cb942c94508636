import type { RouterContextProvider } from "react-router";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { waiverSchema } from "../../checkout/payment-schemas.ts";
import { revokeWaiver, waivePayment } from "../../checkout/waivers.server.ts";
import { parseForm } from "../../http/form.server.ts";
import { formatCents } from "../../ui/format-currency.ts";
import { dialogReturnPath } from "../return-path.ts";

type PostedForm = { form: FormData; id: number | null; url: URL };

/** Waives the amount that is owed for the visit, or revokes the waiver. Returns null if the form requests neither. */
export async function handleWaiverForm(context: Readonly<RouterContextProvider>, { form, id, url }: PostedForm) {
  const person = requirePerson(context);
  if (form.get("intent") === "unwaive") {
    const revoked = await revokeWaiver(person, id);
    return redirectWithFlash(
      context,
      `${url.pathname}${url.search}`,
      revoked.ok
        ? { title: "To be paid after all", description: `${describeVisitForAdmin(revoked.value)}.` }
        : { title: "Nothing was changed", description: revoked.message, style: "destructive" },
    );
  }
  if (form.get("intent") !== "waive") return null;
  const formErrorOptions = { title: "Nothing was waived" };
  const submission = parseForm(form, waiverSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, formErrorOptions);
  const waived = await waivePayment(person, id, submission.value.waiveReason);
  if (!waived.ok) return createFormErrorResponse(context, submission, waived, formErrorOptions);
  const amount = formatCents(waived.value.paymentAmountCents ?? 0);
  return redirectWithFlash(context, dialogReturnPath(url.search), {
    title: "Nothing is owed",
    description: `${describeVisitForAdmin(waived.value)}: ${amount} waived.`,
  });
}
