type NamedAppointment = {
  title: string;
  notes: string | null;
  userId: number | null;
  clientFirstName?: string | null;
  clientLastName?: string | null;
};

/**
 * Whose appointment a row is, by the specification's six steps. Notes and titles are free text that families write
 * too, so where there is an account and the text says something else, the account's own name comes with it.
 */
export function clientName(appointment: NamedAppointment): { name: string; account: string | null } {
  const account = joined(appointment.clientFirstName, appointment.clientLastName);
  const name =
    nameInNotes(appointment.notes) ?? nameInTitle(appointment.title) ?? account ?? numbered(appointment.userId);
  return { name, account: account && account !== name ? account : null };
}

function nameInNotes(notes: string | null): string | null {
  return /^Client: *(\S.*)$/m.exec(notes ?? "")?.[1]?.trim() ?? null;
}

function nameInTitle(title: string): string | null {
  const at = title.lastIndexOf(" - ");
  return (at === -1 ? "" : title.slice(at + 3).trim()) || null;
}

function joined(first?: string | null, last?: string | null): string | null {
  return [first, last].filter(Boolean).join(" ") || null;
}

function numbered(userId: number | null): string {
  return userId === null ? "Unknown Client" : `User #${userId}`;
}
