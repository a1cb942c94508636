import type { startServer } from "./servers/server-process.ts";

type Site = Pick<Awaited<ReturnType<typeof startServer>>, "family" | "consultant">;

const MINUTE_MS = 60_000;

/** A family and the consultant with a video visit that begins in `minutes`; its room is open when that is at most ten. */
export async function bookVideoAppointment(site: Site, { minutes = 1, isLiveVideoCall = true } = {}) {
  const family = await site.family({ intake: true });
  const consultant = await site.consultant();
  const appointmentDate = new Date(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS).toISOString();
  const answer = await family.post("/api/appointments/in-person", {
    title: "Follow-up Consultation",
    appointmentDate,
    duration: 15,
    type: "emergency",
    isLiveVideoCall,
  });
  if (answer.status !== 201) throw new Error(`The visit was not booked: ${answer.status} ${answer.text}`);
  const { id } = answer.json as { id: number };
  return {
    id,
    family,
    consultant,
    path: `/video-call/${id}`,
    remove: () => consultant.delete(`/api/appointments/${id}`),
  };
}
