import { assertAdministrator, familyNotFoundRefusal } from "../../accounts/authorization.server.ts";
import { recordAuditInTransaction, recordAuditNow } from "../../audit/record-audit.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { createTextShortener } from "../../excerpt.ts";
import { parseId } from "../../http/field-schemas.ts";
import { PAGE_SIZE } from "../../http/list-query.ts";
import { accepted, type Outcome, refused } from "../../http/outcome.ts";
import { appointmentNotFoundRefusal, findAppointment } from "../find-appointment.server.ts";

const noAccountRefusal = refused("conflict", "No family's account has this visit, so there is no place for notes yet.");

/**
 * Returns a page of the administrator's notes about a family, latest first, with long notes shortened (see
 * `createTextShortener`). No page or endpoint shows them to families.
 */
export async function listFamilyNotes(person: Person, userId: number, page: number) {
  assertAdministrator(person);
  const rows = await db.familyNote.findMany({
    where: { userId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    skip: (page - 1) * PAGE_SIZE,
    // Reads one more, to detect a next page without counting.
    take: PAGE_SIZE + 1,
    select: NOTE_SELECT,
  });
  return { page, pageCount: rows.length > PAGE_SIZE ? page + 1 : page, rows: toListedNotes(rows.slice(0, PAGE_SIZE)) };
}

/**
 * Returns the administrator's 25 latest notes about one visit, latest first, with long notes shortened. The family's
 * page has all.
 */
export async function listVisitNotes(person: Person, appointmentId: number) {
  assertAdministrator(person);
  const rows = await db.familyNote.findMany({
    where: { appointmentId },
    orderBy: { id: "desc" },
    take: PAGE_SIZE,
    select: NOTE_SELECT,
  });
  return toListedNotes(rows);
}

const NOTE_SELECT = {
  id: true,
  text: true,
  createdAt: true,
  appointment: { select: { id: true, title: true, appointmentDate: true } },
} as const;

type NoteRow = {
  id: number;
  text: string;
  createdAt: Date;
  appointment: { id: number; title: string; appointmentDate: Date } | null;
};

/** Converts rows to listed notes. `visit` is the visit that the note is about. */
function toListedNotes(rows: readonly NoteRow[]) {
  const shorten = createTextShortener();
  return rows.map(({ appointment, createdAt, text, ...row }) => ({
    ...row,
    text: shorten(text),
    visit: appointment && { id: appointment.id, start: appointment.appointmentDate.toISOString() },
    createdAt: createdAt.toISOString(),
  }));
}

/**
 * Adds the administrator's note about a family, or about its visit `visit`. Refusal: notFound (no such family, or not a
 * visit of this family; also for a family).
 */
export async function addFamilyNote(
  person: Person,
  familyParam: string | undefined,
  { text, visit }: { text: string; visit?: number },
): Promise<Outcome<null>> {
  const userId = parseId(familyParam);
  if (!person.isAdmin || userId === null) return familyNotFoundRefusal();
  return addNote({ userId, appointmentId: visit ?? null }, text);
}

/**
 * Adds the administrator's note about a visit. Refusals: notFound, also for a family; conflict (the visit has no
 * account).
 */
export async function addVisitNote(person: Person, id: number | null, text: string): Promise<Outcome<null>> {
  if (!person.isAdmin) return appointmentNotFoundRefusal();
  const found = await findAppointment(person, id);
  if (!found.ok) return found;
  const { id: appointmentId, userId } = found.value;
  return userId === null ? noAccountRefusal : addNote({ userId, appointmentId }, text);
}

/** What a note is about: a family, or one of its visits. */
type NoteSubject = { userId: number; appointmentId: number | null };

async function addNote(subject: NoteSubject, text: string): Promise<Outcome<null>> {
  const { userId, appointmentId } = subject;
  return inTransaction(async (transaction) => {
    if (!(await lockAccountRow(transaction, userId, { isFamily: true }))) return familyNotFoundRefusal();
    if (appointmentId !== null && (await transaction.appointment.count({ where: { id: appointmentId, userId } })) === 0)
      return appointmentNotFoundRefusal();
    await addNoteInTransaction(transaction, subject, text);
    return accepted(null);
  });
}

/** Adds a note. The caller must check that the visit belongs to the family. */
async function addNoteInTransaction(
  transaction: Transaction,
  { userId, appointmentId }: NoteSubject,
  text: string,
): Promise<void> {
  const data = { userId, appointmentId, text, createdAt: now() };
  const note = await transaction.familyNote.create({ data, select: { id: true } });
  recordAuditInTransaction(transaction, { action: "note-added", familyId: userId, objectId: note.id });
}

/**
 * Adds a note about a visit whose row the caller has locked, unless it already has this note because the same form was
 * sent before.
 */
export async function addVisitNoteOnce(
  transaction: Transaction,
  visit: { userId: number; appointmentId: number },
  text: string,
): Promise<void> {
  const notes = await transaction.familyNote.findMany({ where: visit, select: { text: true } });
  if (!notes.some((note) => note.text === text)) await addNoteInTransaction(transaction, visit, text);
}

/** Returns a note if it belongs to the family in the URL, otherwise null. */
async function findNote(person: Person, familyParam: string | undefined, noteParam: string | undefined) {
  const [userId, id] = [parseId(familyParam), parseId(noteParam)];
  if (!person.isAdmin || userId === null || id === null) return null;
  return db.familyNote.findFirst({ where: { id, userId }, select: { ...NOTE_SELECT, userId: true } });
}

/** Does the same as `findNote`, and records that the person opened the note. */
export async function findNoteWithAudit(
  person: Person,
  familyParam: string | undefined,
  noteParam: string | undefined,
) {
  const note = await findNote(person, familyParam, noteParam);
  if (note) await recordAuditNow({ action: "note-opened", familyId: note.userId, objectId: note.id });
  return note;
}

/** Changes a note. Returns false if it does not exist. */
export async function updateNote(
  person: Person,
  familyParam: string | undefined,
  noteParam: string | undefined,
  text: string,
): Promise<boolean> {
  const existing = await findNote(person, familyParam, noteParam);
  if (!existing) return false;
  const { id, userId } = existing;
  return inTransaction(async (transaction) => {
    const { count } = await transaction.familyNote.updateMany({ where: { id }, data: { text } });
    if (count === 1) recordAuditInTransaction(transaction, { action: "note-changed", familyId: userId, objectId: id });
    return count === 1;
  });
}

/** Deletes a note. Returns false if it does not exist. */
export async function deleteNote(person: Person, familyParam: string | undefined, noteParam: string | undefined) {
  const existing = await findNote(person, familyParam, noteParam);
  if (!existing) return false;
  const { id, userId } = existing;
  return inTransaction(async (transaction) => {
    const { count } = await transaction.familyNote.deleteMany({ where: { id } });
    if (count === 1) recordAuditInTransaction(transaction, { action: "note-deleted", familyId: userId, objectId: id });
    return count === 1;
  });
}

export function noteNotFoundResponse(): Response {
  return new Response("There is no such note.", { status: 404, statusText: "Not Found" });
}
