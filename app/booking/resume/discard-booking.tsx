import { redirect } from "react-router";
import { requirePerson } from "../../accounts/guards.server.ts";
import { getChosenService } from "../../accounts/sessions/chosen-service.server.ts";
import { hasSubmittedIntakeForm } from "../../intake/intake-forms.server.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { PageMeta } from "../../ui/page-meta.tsx";
import { APPOINTMENTS_PATH, NEW_APPOINTMENT_PATH } from "../appointment-paths.ts";
import type { Route } from "./+types/discard-booking";
import { findUnfinishedBookingAndIntake } from "./unfinished-booking.server.ts";

const TITLE = "Discard this booking?";

export async function loader({ context }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const { booking } = await findUnfinishedBookingAndIntake(person, {
    chosenService: getChosenService(context),
    hasIntake: await hasSubmittedIntakeForm(person),
  });
  if (!booking) throw redirect(APPOINTMENTS_PATH);
  return { title: booking.title, time: booking.time?.text ?? null };
}

/** Asks for confirmation before an unfinished booking is discarded and its held time released. */
export default function DiscardBooking({ loaderData: { title, time } }: Route.ComponentProps) {
  return (
    <ConfirmDialog
      title={TITLE}
      subject={title}
      details={time}
      consequence="What you chose and wrote for it is deleted, and a time we hold for you is released. What you wrote in the intake form stays."
      confirmText="Discard booking"
      busyText="Discarding…"
      cancelText="Keep it"
      closeTo={APPOINTMENTS_PATH}
      action={NEW_APPOINTMENT_PATH}
    >
      <PageMeta>{TITLE}</PageMeta>
      <input type="hidden" name="intent" value="discard" />
    </ConfirmDialog>
  );
}
