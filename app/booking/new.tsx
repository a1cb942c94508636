import { redirect } from "react-router";
import { requirePerson } from "../accounts/guards.server.ts";
import { prefillQuery } from "../accounts/kept-form.server.ts";
import type { Route } from "./+types/new";
import { NEW } from "./addresses.ts";
import { continueBooking, readBookingForm, refusedDraft } from "./continue.server.ts";
import { keepDraft } from "./draft.server.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { scheduleData } from "./schedule.server.ts";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const data = await scheduleData(requirePerson(context), await prefillQuery(context, request, url));
  return { ...data, refused: url.searchParams.has("again") ? await refusedDraft(context) : null };
}

/** What was typed is kept first, whatever becomes of it. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await readBookingForm(request);
  await keepDraft(requirePerson(context), form);
  if (form.get("intent") === "times") return redirect(`${NEW}#free-times`);
  return continueBooking(context, form);
}

export default function NewAppointment({ loaderData, actionData }: Route.ComponentProps) {
  return <ScheduleDialog data={loaderData} refused={actionData ?? loaderData.refused} />;
}
