import { AVAILABILITY_UNKNOWN_MESSAGE, DEFAULT_VISIT_MINUTES, isValidDuration } from "../booking-rules.ts";

/**
 * Requests from the server why the time typed into the schedule dialog can't be booked; null when it can. Also returns
 * null when signed out: submitting the form then leads to the sign-in page, which keeps the entered values.
 */
export async function fetchTypedTimeError(fields: FormData): Promise<string | null> {
  const [date = "", time = ""] = String(fields.get("appointmentDate")).split("T");
  const minutes = Number(fields.get("duration"));
  const query = new URLSearchParams({
    date,
    time,
    // An invalid length is reported in a later step, so the default length is used here.
    duration: String(isValidDuration(minutes) ? minutes : DEFAULT_VISIT_MINUTES),
    type: String(fields.get("type") ?? ""),
  });
  try {
    const response = await fetch(`/api/appointments/availability?${query}`);
    if (response.status === 401) return null;
    const answer = (await response.json()) as { reason?: string | null; message?: string };
    return response.ok ? (answer.reason ?? null) : (answer.message ?? AVAILABILITY_UNKNOWN_MESSAGE);
  } catch {
    return AVAILABILITY_UNKNOWN_MESSAGE;
  }
}
