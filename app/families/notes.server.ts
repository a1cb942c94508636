import type { Person } from "../accounts/person.ts";
import { now } from "../clock.ts";
import { db } from "../db.server.ts";
import { parseId } from "../http/fields.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";

/** What the consultant noted about a family, the latest first. No door of a family's leads here. */
export async function listNotes(person: Person, userId: number) {
  if (!person.isAdmin) throw new Error("Notes are the administrator's alone.");
  const orderBy = [{ createdAt: "desc" as const }, { id: "desc" as const }];
  const rows = await db.familyNote.findMany({ where: { userId }, orderBy, select: NOTE });
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

const NOTE = { id: true, text: true, createdAt: true } as const;

export async function addNote(person: Person, family: string | undefined, text: string): Promise<Outcome<null>> {
  const id = parseId(family);
  const known =
    person.isAdmin && id !== null
      ? await db.user.findFirst({ where: { id, isAdmin: false }, select: { id: true } })
      : null;
  if (!known) return refused("notFound", "There is no such family.");
  await db.familyNote.create({ data: { userId: known.id, text, createdAt: now() } });
  return accepted(null);
}

/** One note of the family that the address names, too. */
export async function findNote(person: Person, family: string | undefined, note: string | undefined) {
  const [userId, id] = [parseId(family), parseId(note)];
  if (!person.isAdmin || userId === null || id === null) return null;
  return db.familyNote.findFirst({ where: { id, userId }, select: NOTE });
}

/** False when there is no such note, or no longer. */
export async function changeNote(
  person: Person,
  family: string | undefined,
  note: string | undefined,
  text: string,
): Promise<boolean> {
  const found = await findNote(person, family, note);
  return found !== null && (await db.familyNote.updateMany({ where: { id: found.id }, data: { text } })).count === 1;
}

/** False when there is no such note, or no longer. */
export async function removeNote(person: Person, family: string | undefined, note: string | undefined) {
  const found = await findNote(person, family, note);
  return found !== null && (await db.familyNote.deleteMany({ where: { id: found.id } })).count === 1;
}

export function unknownNote(): Response {
  return new Response("There is no such note.", { status: 404, statusText: "Not Found" });
}
