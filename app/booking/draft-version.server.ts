import { createHash } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";
import { normalizeSingleLine } from "../http/normalize-text.ts";
import { parseDraftSlot } from "./booking-form.server.ts";
import { type BookingDraft, deleteDraftAndHold, findBookingDraft } from "./booking-draft.server.ts";

const VERSION_LENGTH = 16;

/**
 * Returns a version that identifies what a draft would book. The page that completes the booking sends back the version
 * it showed, because another tab or device may have saved something else since.
 */
export function draftVersion(draft: BookingDraft): string {
  const { title, meetingLink, isLiveVideoCall } = draft;
  const booked = [title, meetingLink, isLiveVideoCall].map((text) => text ?? "");
  const hash = createHash("sha256").update(JSON.stringify([...booked, parseDraftSlot(draft)]));
  return hash.digest("base64url").slice(0, VERSION_LENGTH);
}

type Visit = { title: string; appointmentDate: Date };

/**
 * Deletes the draft that was booked as this visit. A draft of anything else is kept. Returns whether it was deleted.
 */
export async function deleteDraftOfVisit(person: Person, { title, appointmentDate }: Visit): Promise<boolean> {
  const draft = await findBookingDraft(person);
  const start = draft && parseDraftSlot(draft)?.start;
  if (normalizeSingleLine(draft?.title ?? "") !== title || start?.getTime() !== appointmentDate.getTime()) return false;
  await deleteDraftAndHold(person);
  return true;
}

/** Checks whether the family already has this visit: the form was sent twice, or saved by an outdated page. */
export async function isDraftAlreadyBooked(person: Person, draft: BookingDraft): Promise<boolean> {
  const slot = parseDraftSlot(draft);
  if (!slot) return false;
  const title = normalizeSingleLine(draft.title ?? "");
  const visit = await db.appointment.findFirst({
    where: { userId: person.id, appointmentDate: slot.start, status: { not: "cancelled" } },
    select: { title: true },
  });
  return visit?.title === title;
}
