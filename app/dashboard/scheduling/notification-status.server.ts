import type { Appointment } from "../../booking/find-appointment.server.ts";
import { resolveClientName } from "../../booking/client-name.ts";
import { pendingNotificationText } from "../../booking/manual-notification/manual-notification.ts";
import { now } from "../../clock.ts";
import { mailMode } from "../../mail/mail-transport.server.ts";

/**
 * Returns a sentence for the administrator about how the family `name` is notified of a booked or moved visit; null if
 * the visit has no account.
 */
export function accountNotificationText({ userId }: Pick<Appointment, "userId">, name: string): string | null {
  if (userId === null) return null;
  return mailMode === "smtp" ? `${name} gets an email.` : `${name} gets a message in their portal.`;
}

/** Returns a sentence for the administrator about who has been notified of a visit that was just booked or moved. */
export function notificationStatusText(appointment: Appointment): string {
  const message = accountNotificationText(appointment, "The family");
  if (message) return message;
  const unknown = pendingNotificationText(appointment, now());
  return unknown ? `${resolveClientName(appointment).name} ${unknown}: call or write.` : "Please tell the family.";
}
