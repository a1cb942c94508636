import { createHash } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/client.server.ts";
import { normalizeSingleLine } from "../http/normalize-text.ts";
import { parseDraftSlot } from "./booking-form.server.ts";
import { type BookingDraft, deleteDraftAndHold, findBookingDraft } from "./draft.server.ts";

const VERSION_LENGTH = 16;

/**
 * Identifies what a draft would book. A page that ends with the booking sends back the version that it showed, because
 * another tab or device may have saved something else since.
 */
export function draftVersion(draft: BookingDraft): string {
  const { title, meetingLink, isLiveVideoCall } = draft;
  const booked = [title, meetingLink, isLiveVideoCall].map((text) => text ?? "");
  const hash = createHash("sha256").update(JSON.stringify([...booked, parseDraftSlot(draft)]));
  return hash.digest("base64url").slice(0, VERSION_LENGTH);
}

type Visit = { title: string; appointmentDate: Date };

/** Ends the draft that has become this visit; one of anything else stays. Returns whether it was this visit's. */
export async function deleteDraftOf(person: Person, { title, appointmentDate }: Visit): Promise<boolean> {
  const draft = await findBookingDraft(person);
  const start = draft && parseDraftSlot(draft)?.start;
  if (normalizeSingleLine(draft?.title ?? "") !== title || start?.getTime() !== appointmentDate.getTime()) return false;
  await deleteDraftAndHold(person);
  return true;
}

/** Whether the family has this visit already: the form was sent twice, or saved by a page that did not know of it. */
export async function isBookedAlready(person: Person, draft: BookingDraft): Promise<boolean> {
  const slot = parseDraftSlot(draft);
  if (!slot) return false;
  const title = normalizeSingleLine(draft.title ?? "");
  const visit = await db.appointment.findFirst({
    where: { userId: person.id, appointmentDate: slot.start, status: { not: "cancelled" } },
    select: { title: true },
  });
  return visit?.title === title;
}
