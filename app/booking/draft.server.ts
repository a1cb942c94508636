import { draftCutoff } from "../accounts/cleanup.server.ts";
import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db, isUniqueViolation } from "../db/client.server.ts";

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
  "isLiveVideoCall",
  "paymentMethod",
] as const;

/** The fields of the schedule dialog as they were typed, right or wrong. */
export type BookingDraft = Partial<Record<(typeof DRAFT_FIELDS)[number], string>>;

/** Keeps what was typed, so that neither a reload, nor the intake form in between, nor another device loses it. */
export async function saveDraft(person: Person, form: FormData): Promise<void> {
  const typed = DRAFT_FIELDS.flatMap((name) => {
    const value = form.get(name);
    return typeof value === "string" ? [[name, value]] : [];
  });
  const answers = JSON.stringify(Object.fromEntries(typed));
  const row = { userId: person.id, form: DRAFT_FORM, answers, updatedAt: now() };
  const where = { userId_form: { userId: person.id, form: DRAFT_FORM } };
  try {
    await db.draft.upsert({ where, create: row, update: { answers, updatedAt: row.updatedAt } });
  } catch (error) {
    // Sent twice at once: the other one's words are the same.
    if (!isUniqueViolation(error)) throw error;
  }
}

export async function findDraft(person: Person): Promise<BookingDraft | null> {
  const where = { userId: person.id, form: DRAFT_FORM, updatedAt: { gte: draftCutoff() } };
  const row = await db.draft.findFirst({ where, select: { answers: true } });
  return row ? (JSON.parse(row.answers) as BookingDraft) : null;
}

export async function deleteDraft(person: Person): Promise<void> {
  await db.draft.deleteMany({ where: { userId: person.id, form: DRAFT_FORM } });
}

/** The draft as the form that was sent. */
export function toFormData(draft: BookingDraft): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(draft)) form.append(name, value);
  return form;
}
