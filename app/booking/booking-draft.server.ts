import { draftCutoff } from "../accounts/expired-rows.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db/database-client.server.ts";
import { isUniqueViolation } from "../db/database-errors.server.ts";

import { releaseChosenSlotHold } from "./holds/chosen-slot-hold.server.ts";

const DRAFT_FORM = "booking";
const DRAFT_FIELDS = [
  "title",
  "service",
  "description",
  "date",
  "slot",
  "appointmentDate",
  "duration",
  "type",
  "meetingLink",
  "place",
  "notes",
  "isLiveVideoCall",
  "paymentMethod",
] as const;

/** Fields of the schedule dialog as entered, not validated. */
export type BookingDraft = Partial<Record<(typeof DRAFT_FIELDS)[number], string>> & {
  /** Whether the dialog was submitted with these values, so that the booking continues after it. */
  isSubmitted?: boolean;
};

/** Saves the form, so that it survives a reload, the intake form, and a switch to another device. */
export async function saveBookingDraft(person: Person, form: FormData, { isSubmitted = false } = {}): Promise<void> {
  const typed = DRAFT_FIELDS.flatMap((name) => {
    const value = form.get(name);
    return typeof value === "string" ? [[name, value]] : [];
  });
  const answers = JSON.stringify({ ...Object.fromEntries(typed), isSubmitted } satisfies BookingDraft);
  const row = { userId: person.id, form: DRAFT_FORM, answers, updatedAt: now() };
  const where = { userId_form: { userId: person.id, form: DRAFT_FORM } };
  try {
    await db.draft.upsert({ where, create: row, update: { answers, updatedAt: row.updatedAt } });
  } catch (error) {
    // A concurrent request has already saved the same form.
    if (!isUniqueViolation(error)) throw error;
  }
}

export async function findBookingDraft(person: Person): Promise<BookingDraft | null> {
  const where = { userId: person.id, form: DRAFT_FORM, updatedAt: { gte: draftCutoff() } };
  const row = await db.draft.findFirst({ where, select: { answers: true } });
  return row ? parseBookingDraft(row.answers) : null;
}

export function parseBookingDraft(answers: string): BookingDraft {
  return JSON.parse(answers) as BookingDraft;
}

/** Deletes the draft of a booking that is completed or discarded, and releases its hold. */
export async function deleteDraftAndHold(person: Person): Promise<void> {
  await releaseChosenSlotHold(person);
  await db.draft.deleteMany({ where: { userId: person.id, form: DRAFT_FORM } });
}

/** Converts a draft back to the form data that was sent. */
export function convertDraftToFormData(draft: BookingDraft): FormData {
  const form = new FormData();
  for (const name of DRAFT_FIELDS) if (draft[name] !== undefined) form.append(name, draft[name]);
  return form;
}
