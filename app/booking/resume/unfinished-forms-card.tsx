import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DISCARD_BOOKING_PATH } from "../appointment-paths.ts";
import type { UnfinishedBooking } from "./unfinished-booking.server.ts";

export type UnfinishedBookingProps = {
  unfinished: UnfinishedBooking;
  /** Whether continuing is the page's primary action. */
  isPrimary: boolean;
};

/** Shows an unfinished booking or intake form, with one button to continue. */
export function UnfinishedBookingSummary({ unfinished: { booking, intake }, isPrimary }: UnfinishedBookingProps) {
  return (
    <Card title="Pick up where you left off">
      <div>
        <p className="text-lg font-bold wrap-anywhere">{booking ? booking.title : "Your intake form"}</p>
        {booking?.time && <p>{booking.time.text}</p>}
        {booking && !booking.time && <p className="text-muted">Next: choose a day and time.</p>}
        {intake && (
          <p className={booking ? "text-muted" : undefined}>
            {booking && "Intake form: "}
            {intake.completedCount} of {intake.total} sections completed. What you wrote is saved.
          </p>
        )}
      </div>
      <div className="actions">
        <LinkButton
          variant={isPrimary ? "primary" : "secondary"}
          href={booking?.path ?? "/dashboard/intake-form"}
          className="max-sm:w-full"
        >
          {!booking ? "Continue the intake form" : booking.time?.isUnavailable ? "Pick a new time" : "Continue booking"}
        </LinkButton>
        {booking && (
          <LinkButton variant="quiet" to={DISCARD_BOOKING_PATH} preventScrollReset>
            Discard this booking
          </LinkButton>
        )}
      </div>
    </Card>
  );
}
