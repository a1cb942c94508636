import { requirePerson } from "../accounts/guards.server.ts";
import { FORM_TITLE } from "../intake/sections.ts";
import { intakeAction, intakeLoader } from "../intake/steps.server.ts";
import { IntakeSteps } from "../intake/steps.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { Route } from "./+types/intake-form";
import { BOOKING_INTAKE_PATH, APPOINTMENTS_PATH } from "./paths.ts";
import { resumeDraft } from "./booking-flow.server.ts";
import { findDraft } from "./draft.server.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const booking = await findDraft(requirePerson(context));
  return { steps: await intakeLoader(context, request, { base: BOOKING_INTAKE_PATH }), title: booking?.title ?? null };
}

export function action({ context, request }: Route.ActionArgs) {
  return intakeAction(context, request, { base: BOOKING_INTAKE_PATH, onSubmitted: () => resumeDraft(context) });
}

export default function BookingIntakeForm({ loaderData: { steps, title } }: Route.ComponentProps) {
  return (
    <Dialog title={FORM_TITLE} closeTo={APPOINTMENTS_PATH} size="lg">
      {title && (
        <p className="notice">Your booking of “{title}” is kept. It goes on as soon as this form is sent in.</p>
      )}
      <IntakeSteps data={steps} submitText={title ? "Submit and go on with the booking" : undefined} />
    </Dialog>
  );
}
