import type { RouterContextProvider } from "react-router";
import { createFormErrorResponse } from "../../accounts/form-error-response.server.ts";
import { requirePerson } from "../../accounts/guards.server.ts";
import { redirectWithFlash } from "../../accounts/sessions/flash.server.ts";
import { describeVisitForAdmin } from "../../booking/describe-visit.server.ts";
import { agreedPlace, meetingPlace } from "../../booking/meeting-place.server.ts";
import { setVisitPlace } from "../../booking/place/set-visit-place.server.ts";
import { parseForm } from "../../http/form.server.ts";
import { notificationStatusText } from "../scheduling/notification-status.server.ts";
import { placeSchema } from "./appointment-schemas.ts";

/** Sets the place of the visit from its form, and returns to `returnPath`. */
export async function handleVisitPlaceForm(
  context: Readonly<RouterContextProvider>,
  { form, id, returnPath }: { form: FormData; id: number | null; returnPath: string },
) {
  const formErrorOptions = { title: "The place was not saved" };
  const submission = parseForm(form, placeSchema);
  if (submission.status !== "success") return createFormErrorResponse(context, submission, null, formErrorOptions);
  const result = await setVisitPlace(requirePerson(context), id, submission.value.place ?? null);
  if (!result.ok) return createFormErrorResponse(context, submission, result, formErrorOptions);
  return redirectWithFlash(context, returnPath, {
    title: agreedPlace(result.value) === null ? "Place removed" : "Place saved",
    description: `${describeVisitForAdmin(result.value)}: ${meetingPlace(result.value)}. ${notificationStatusText(result.value)}`,
  });
}
