import { AVAILABILITY_UNKNOWN, DEFAULT_MINUTES, isValidDuration } from "../rules.ts";

/**
 * Asks the server why the time that is typed into the schedule dialog can't be booked; null when it can. Signed out it is
 * null as well: sending the form leads to the sign-in page, which keeps what was typed.
 */
export async function fetchTypedTimeProblem(fields: FormData): Promise<string | null> {
  const [date = "", time = ""] = String(fields.get("appointmentDate")).split("T");
  const minutes = Number(fields.get("duration"));
  const query = new URLSearchParams({
    date,
    time,
    // A length that has to be corrected is asked for in a later group, which says so.
    duration: String(isValidDuration(minutes) ? minutes : DEFAULT_MINUTES),
    type: String(fields.get("type") ?? ""),
  });
  try {
    const response = await fetch(`/api/appointments/availability?${query}`);
    if (response.status === 401) return null;
    const answer = (await response.json()) as { reason?: string | null; message?: string };
    return response.ok ? (answer.reason ?? null) : (answer.message ?? AVAILABILITY_UNKNOWN);
  } catch {
    return AVAILABILITY_UNKNOWN;
  }
}
