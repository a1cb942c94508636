import { redirect } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { prefillQuery } from "../accounts/sessions/unsent-form.server.ts";
import type { Route } from "./+types/new";
import { otherTimesPath, readBookingForm } from "./booking-form.server.ts";
import { continueBooking, draftErrors } from "./booking-flow.server.ts";
import { saveDraft } from "./draft.server.ts";
import { ScheduleDialog } from "./schedule/schedule-dialog.tsx";
import { loadScheduleDialog } from "./schedule/schedule-data.server.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const data = await loadScheduleDialog(requirePerson(context), await prefillQuery(context, request, url));
  return { ...data, formError: url.searchParams.has("again") ? await draftErrors(context) : null };
}

/** The draft is saved before validation. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readBookingForm(request);
  await saveDraft(requirePerson(context), form);
  const timesPath = otherTimesPath(form);
  return timesPath ? redirect(timesPath) : continueBooking(context, form);
}

export default function NewAppointment({ loaderData, actionData }: Route.ComponentProps) {
  return <ScheduleDialog data={loaderData} formError={actionData ?? loaderData.formError} />;
}
