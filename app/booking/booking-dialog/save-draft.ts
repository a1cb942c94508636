import { redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { clearChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { readBookingFormWithPresets } from "../booking-form.server.ts";
import { isDraftAlreadyBooked } from "../draft-version.server.ts";
import { saveBookingDraft } from "../draft.server.ts";
import { NEW_APPOINTMENT_PATH } from "../paths.ts";
import type { Route } from "./+types/save-draft";

/**
 * Saves the draft while the schedule dialog is being filled in. Validates nothing and holds no time. Does nothing if
 * the request arrives after the booking, for example on a slow network.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  const form = await readBookingFormWithPresets(request);
  clearChosenService(context);
  if (!(await isDraftAlreadyBooked(person, Object.fromEntries(form)))) await saveBookingDraft(person, form);
  return new Response(null, { status: 204 });
}

export const loader = () => redirect(NEW_APPOINTMENT_PATH);
