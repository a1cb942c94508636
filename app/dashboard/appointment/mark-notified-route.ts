import { redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { appointmentDetailsPath } from "../../booking/appointment-paths.ts";
import { setPersonNotified } from "../../booking/manual-notification/visits-pending-notification.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readNamedFormFields } from "../../http/form.server.ts";
import { dialogReturnPath } from "../return-path.ts";
import type { Route } from "./+types/mark-notified-route";

/** Marks a person without an account as notified of the visit, or revokes that. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const isNotified = (await readNamedFormFields(request, ["told"])).get("told") !== "no";
  const returnPath = dialogReturnPath(url.search);
  const marked = await setPersonNotified(requirePerson(context), parseId(params.id), isNotified);
  if (!marked.ok)
    return redirectWithFlash(context, returnPath, {
      title: "Nothing was marked",
      description: marked.message,
      style: "destructive",
    });
  return redirectWithFlash(context, returnPath, {
    title: isNotified ? "Marked as told" : "Marked as not told",
    description: `${describeVisitForAdmin(marked.value)}.`,
  });
}

export const loader = ({ params }: Route.LoaderArgs) => redirect(appointmentDetailsPath(parseId(params.id) ?? 0));
