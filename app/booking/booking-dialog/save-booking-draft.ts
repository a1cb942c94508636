import { redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { clearChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { clientIpContext } from "../../http/request-context.server.ts";
import { holdDraftSlotOrRelease } from "../booking-flow.server.ts";
import { readBookingFormWithPresets } from "../booking-form.server.ts";
import { isDraftAlreadyBooked } from "../draft-version.server.ts";
import { type BookingDraft, saveBookingDraft } from "../booking-draft.server.ts";
import { renewHold } from "../holds/chosen-slot-hold.server.ts";
import { loadChosenSlotStatus } from "../holds/chosen-slot-status.server.ts";
import { NEW_APPOINTMENT_PATH } from "../appointment-paths.ts";
import type { Route } from "./+types/save-booking-draft";

/**
 * Saves the draft while the schedule dialog is being filled in, and validates nothing. With `hold=chosen`, the family
 * has just chosen the draft's time, which is held; with `hold=renew`, a current hold is extended. Both answer with the
 * status of that time as JSON. Does nothing if the request arrives after the booking, for example on a slow network.
 */
export async function action({ context, request, url }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readBookingFormWithPresets(request);
  clearChosenService(context);
  const draft = Object.fromEntries(form) as BookingDraft;
  if (await isDraftAlreadyBooked(person, draft)) return new Response(null, { status: 204 });
  await saveBookingDraft(person, form);
  const hold = url.searchParams.get("hold");
  if (hold === "chosen") await holdDraftSlotOrRelease(person, form, context.get(clientIpContext));
  else if (hold === "renew") await renewHold(person);
  else return new Response(null, { status: 204 });
  return Response.json(await loadChosenSlotStatus(person, draft));
}

export const loader = () => redirect(NEW_APPOINTMENT_PATH);
