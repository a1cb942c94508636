import type { Appointment } from "../../booking/appointments.server.ts";
import { clientName } from "../../booking/client-name.ts";
import { pendingNotificationText } from "../../booking/manual-notification/manual-notification.ts";
import { now } from "../../clock.ts";
import { mailMode } from "../../mail/transport.server.ts";

/** The family of a visit with an account gets a message, where the site sends any. */
export function isMailed({ userId }: Pick<Appointment, "userId">): boolean {
  return userId !== null && mailMode !== "none";
}

/** Who knows of a visit that was just booked or moved: a sentence for the administrator. */
export function notificationStatusText(appointment: Appointment): string {
  if (isMailed(appointment)) return "The family gets an email.";
  const unknown = pendingNotificationText(appointment, now());
  return unknown ? `${clientName(appointment).name} ${unknown}: call or write.` : "Please tell the family.";
}
