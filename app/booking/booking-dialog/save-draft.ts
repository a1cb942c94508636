import { redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { clearChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { readBookingFormWithPresets } from "../booking-form.server.ts";
import { isBookedAlready } from "../draft-version.server.ts";
import { saveBookingDraft } from "../draft.server.ts";
import { NEW_APPOINTMENT_PATH } from "../paths.ts";
import type { Route } from "./+types/save-draft";

/**
 * Saves the schedule dialog while it is filled in. Nothing is checked, and no time is held. A save that a slow network
 * delivers after the booking saves nothing.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readBookingFormWithPresets(request);
  clearChosenService(context);
  if (!(await isBookedAlready(person, Object.fromEntries(form)))) await saveBookingDraft(person, form);
  return new Response(null, { status: 204 });
}

export const loader = () => redirect(NEW_APPOINTMENT_PATH);
