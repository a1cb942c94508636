import { truncateWithEllipsis } from "../excerpt.ts";

/** Maximum length of a name within a text, in characters. Rows repeat the name in the labels of their links. */
const MAX_NAME_LENGTH = 120;

type NamedAppointment = {
  title: string;
  notes: string | null;
  userId: number | null;
  clientFirstName?: string | null;
  clientLastName?: string | null;
};

/**
 * Returns whose appointment a row is, by the six steps of the specification. Families can write titles and notes too.
 * If that text differs from the account's own name, the account's name is returned as well.
 */
export function resolveClientName(appointment: NamedAppointment): { name: string; account: string | null } {
  const account = joinNames(appointment.clientFirstName, appointment.clientLastName);
  const name =
    clientNameFromNotes(appointment.notes) ??
    clientNameFromTitle(appointment.title) ??
    account ??
    fallbackName(appointment.userId);
  return { name: truncateWithEllipsis(name, MAX_NAME_LENGTH), account: account && account !== name ? account : null };
}

function clientNameFromNotes(notes: string | null): string | null {
  return /^Client: *(\S.*)$/m.exec(notes ?? "")?.[1]?.trim() ?? null;
}

function clientNameFromTitle(title: string): string | null {
  const separatorIndex = title.lastIndexOf(" - ");
  return (separatorIndex === -1 ? "" : title.slice(separatorIndex + 3).trim()) || null;
}

function joinNames(first?: string | null, last?: string | null): string | null {
  return [first, last].filter(Boolean).join(" ") || null;
}

function fallbackName(userId: number | null): string {
  return userId === null ? "Unknown Client" : `User #${userId}`;
}

/**
 * Returns the notes without the line that only repeats the name, which is shown next to them; null when nothing else
 * remains.
 */
export function notesWithoutName(notes: string | null, name: string): string | null {
  if (notes === null || clientNameFromNotes(notes) !== name) return notes;
  return notes.replace(/^Client: *\S.*$\n?/m, "").trim() || null;
}
