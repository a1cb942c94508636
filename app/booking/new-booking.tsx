import { data, redirect } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { clearChosenService } from "../accounts/sessions/chosen-service.server.ts";
import { redirectWithFlash } from "../accounts/sessions/flash.server.ts";
import { mergeUnsentFormIntoQuery } from "../accounts/sessions/unsent-form.server.ts";
import { nodeRequestContext } from "../http/request-context.server.ts";
import { logError } from "../http/errors.server.ts";
import type { Route } from "./+types/new-booking";
import { slotNavigationPath, readBookingFormWithPresets, applyOfferedSlot } from "./booking-form.server.ts";
import { continueBooking, findDraftErrors } from "./booking-flow.server.ts";
import { deleteDraftAndHold, findBookingDraft, saveBookingDraft } from "./booking-draft.server.ts";
import { isDraftAlreadyBooked } from "./draft-version.server.ts";
import { loadChosenSlotStatus } from "./holds/chosen-slot-status.server.ts";
import { APPOINTMENTS_PATH } from "./appointment-paths.ts";
import { BookingDialog } from "./booking-dialog/booking-dialog.tsx";
import { loadBookingDialogData } from "./booking-dialog/booking-dialog-data.server.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const dialog = await loadBookingDialogData(
    requirePerson(context),
    await mergeUnsentFormIntoQuery(context, request, url),
  );
  const again = url.searchParams.get("again");
  const formError =
    again === null ? null : await findDraftErrors(context, { isTimeOffered: dialog.unavailableTime !== null });
  return { ...dialog, isIntakeSent: again === "intake", isUncharged: again === "payment", formError };
}

/** Saves the draft before validation. */
export async function action({ request, context }: Route.ActionArgs) {
  const person = requirePerson(context);
  const postedForm = await readBookingFormWithPresets(request);
  clearChosenService(context);
  if (postedForm.get("intent") === "discard") {
    await deleteDraftAndHold(person);
    return redirectWithFlash(context, APPOINTMENTS_PATH, { title: "Booking discarded" });
  }
  const form = postedForm.has("take") ? applyOfferedSlot(postedForm, await findBookingDraft(person)) : postedForm;
  const navigationPath = slotNavigationPath(form);
  await saveBookingDraft(person, form, { isSubmitted: navigationPath === null });
  if (navigationPath) return redirect(navigationPath);
  const response = await continueBooking(context, form);
  if (response instanceof Response) return response;
  if (await isDraftAlreadyBooked(person, Object.fromEntries(form))) await deleteDraftAndHold(person);
  const isTimeRefused = response.data.result.error?.["appointmentDate"] !== undefined;
  // The nearest times are an offer beside the error, which may itself come from an outage.
  const time = isTimeRefused
    ? await loadChosenSlotStatus(person, Object.fromEntries(form)).catch((error: unknown) => {
        logError(error, "finding the nearest times", context.get(nodeRequestContext));
        return null;
      })
    : null;
  return data({ ...response.data, refusedTime: time?.state === "lost" ? time : null }, response.init ?? {});
}

export default function NewBooking({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <BookingDialog
      data={loaderData}
      formError={actionData ?? loaderData.formError}
      refusedTime={actionData?.refusedTime}
      isIntakeSent={loaderData.isIntakeSent}
      isUncharged={loaderData.isUncharged}
    />
  );
}
