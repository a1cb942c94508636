import { Form } from "react-router";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { NEW_APPOINTMENT_PATH } from "../paths.ts";
import type { UnfinishedBooking } from "./unfinished-booking.server.ts";

/** A booking or an intake form that was left half-way, with one button to go on; nothing where all is done. */
export function UnfinishedBookingCard({ unfinished: { booking, intake } }: { unfinished: UnfinishedBooking }) {
  if (!booking && !intake) return null;
  return (
    <Card title="Pick up where you left off" className="pick-up">
      <div>
        <p className="text-lg font-bold wrap-anywhere">{booking ? booking.title : "Your intake form"}</p>
        {booking?.time && <p>{booking.time.when}</p>}
        {booking?.time && (
          <p className="text-muted">
            {booking.time.heldUntil
              ? `We're holding this time for you until ${booking.time.heldUntil}.`
              : "We aren't holding this time right now. Somebody else may take it."}
          </p>
        )}
        {booking && !booking.time && <p className="text-muted">Next: choose a day and time.</p>}
        {intake && (
          <p className={booking ? "text-muted" : undefined}>
            {booking && "Intake form: "}
            {intake.completed} of {intake.total} sections completed. What you wrote is saved.
          </p>
        )}
      </div>
      <div className="actions">
        <LinkButton variant="primary" href={booking?.path ?? "/dashboard/intake-form"} className="max-sm:w-full">
          {booking ? "Continue booking" : "Continue the intake form"}
        </LinkButton>
        {booking && (
          <Form method="post" action={NEW_APPOINTMENT_PATH}>
            <Button variant="quiet" name="intent" value="discard" busyText="Discarding…">
              Discard this booking
            </Button>
          </Form>
        )}
      </div>
    </Card>
  );
}
