import type { Appointment } from "../../booking/appointments.server.ts";
import { clientName } from "../../booking/client-name.ts";
import { pendingNotificationText } from "../../booking/manual-notification/manual-notification.ts";
import { now } from "../../clock.ts";
import { mailMode } from "../../mail/transport.server.ts";

/**
 * How the family `name` of a visit with an account learns of what was booked or moved: a sentence for the administrator;
 * null where no account has the visit.
 */
export function messageText({ userId }: Pick<Appointment, "userId">, name: string): string | null {
  if (userId === null) return null;
  return mailMode === "smtp" ? `${name} gets an email.` : `${name} gets a message in their portal.`;
}

/** Who knows of a visit that was just booked or moved: a sentence for the administrator. */
export function notificationStatusText(appointment: Appointment): string {
  const message = messageText(appointment, "The family");
  if (message) return message;
  const unknown = pendingNotificationText(appointment, now());
  return unknown ? `${clientName(appointment).name} ${unknown}: call or write.` : "Please tell the family.";
}
