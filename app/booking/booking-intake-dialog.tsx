import { requirePerson } from "../accounts/guards.server.ts";
import { clientIpContext } from "../http/request-context.server.ts";
import { INTAKE_FORM_TITLE } from "../intake/intake-sections.ts";
import { handleIntakeWizardAction, loadIntakeWizard } from "../intake/intake-wizard.server.ts";
import { IntakeWizard } from "../intake/intake-wizard.tsx";
import { RouteDialog } from "../ui/route-dialog.tsx";
import type { Route } from "./+types/booking-intake-dialog";
import { BOOKING_INTAKE_PATH, APPOINTMENTS_PATH } from "./appointment-paths.ts";
import { continueBookingFromDraft, resumeLapsedHold } from "./booking-flow.server.ts";
import { findBookingDraft } from "./booking-draft.server.ts";
import { draftVersion } from "./draft-version.server.ts";
import { renewHold } from "./holds/chosen-slot-hold.server.ts";
import { HoldNotice } from "./holds/hold-notice.tsx";
import { loadChosenSlotStatus } from "./holds/chosen-slot-status.server.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const person = requirePerson(context);
  const draft = await findBookingDraft(person);
  return {
    steps: await loadIntakeWizard(context, request, { base: BOOKING_INTAKE_PATH }),
    booking: draft && {
      title: draft.title || "your visit",
      isPaymentChosen: Boolean(draft.paymentMethod),
      hold: await loadChosenSlotStatus(person, draft),
      version: draftVersion(draft),
    },
  };
}

/** Each saved step extends the hold of the chosen time, or holds it again after its hold has lapsed. */
export async function action({ context, request }: Route.ActionArgs) {
  const person = requirePerson(context);
  await renewHold(person);
  await resumeLapsedHold(person, context.get(clientIpContext));
  return handleIntakeWizardAction(context, request, {
    base: BOOKING_INTAKE_PATH,
    onSubmitted: (_, shownVersion) => continueBookingFromDraft(context, { isAfterIntake: true, shownVersion }),
  });
}

export default function BookingIntakeDialog({ loaderData: { steps, booking } }: Route.ComponentProps) {
  return (
    <RouteDialog title={INTAKE_FORM_TITLE} closeTo={APPOINTMENTS_PATH} size="lg">
      {booking?.hold && (
        <HoldNotice hold={booking.hold} isOnSave>
          <p>
            {booking.isPaymentChosen
              ? `We'll finish booking “${booking.title}” when you submit this form.`
              : `You choose how to pay for “${booking.title}” after this form.`}
          </p>
        </HoldNotice>
      )}
      {booking && !booking.hold && <p>You choose a time after this form for “{booking.title}”.</p>}
      <IntakeWizard
        data={steps}
        submitText={booking ? "Submit and continue booking" : undefined}
        isTimeHeld={booking?.hold?.state === "held"}
        bookingVersion={booking?.version}
      />
    </RouteDialog>
  );
}
