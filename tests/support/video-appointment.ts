import Database from "better-sqlite3";
import type { TestClient } from "./http-client.ts";
import type { startServer } from "./servers/server-process.ts";

type Server = Awaited<ReturnType<typeof startServer>>;
type Site = Pick<Server, "family" | "consultant"> & Partial<Pick<Server, "environment">>;

const MINUTE_MS = 60_000;
const DURATION_MINUTES = 15;

/** A family and the consultant with a video visit that begins in `minutes`; its room is open when that is at most ten. */
export async function bookVideoAppointment(site: Site, { minutes = 1, isLiveVideoCall = true } = {}) {
  const family = await site.family({ intake: true });
  const consultant = await site.consultant();
  const appointmentDate = new Date(Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS).toISOString();
  const book = () =>
    family.post("/api/appointments/in-person", {
      title: "Follow-up Consultation",
      appointmentDate,
      duration: DURATION_MINUTES,
      type: "emergency",
      isLiveVideoCall,
    });
  let response = await book();
  if (response.status === 409) {
    await deleteAppointmentsAround(consultant, Date.parse(appointmentDate));
    deleteChosenHolds(site.environment?.DATABASE_URL ?? "");
    response = await book();
  }
  if (response.status !== 201) throw new Error(`The visit was not booked: ${response.status} ${response.text}`);
  const { id } = response.json as { id: number };
  return {
    id,
    family,
    consultant,
    path: `/video-call/${id}`,
    remove: () => consultant.delete(`/api/appointments/${id}`),
  };
}

/** What other tests of the same site left there: a time can't be chosen freely, because the room opens shortly before it. */
async function deleteAppointmentsAround(consultant: TestClient, startMs: number): Promise<void> {
  const all = (await consultant.get("/api/appointments")).json as {
    id: number;
    appointmentDate: string;
    duration: number;
  }[];
  const overlapping = all.filter(({ appointmentDate, duration }) => {
    const otherMs = Date.parse(appointmentDate);
    return otherMs < startMs + DURATION_MINUTES * MINUTE_MS && otherMs + duration * MINUTE_MS > startMs;
  });
  for (const { id } of overlapping) await consultant.delete(`/api/appointments/${id}`);
}

/** What families of other tests chose and did not book is held for a while. */
function deleteChosenHolds(databaseUrl: string): void {
  if (!databaseUrl.startsWith("file:")) return;
  const database = new Database(databaseUrl.slice("file:".length), { fileMustExist: true });
  database.prepare(`DELETE FROM holds WHERE "paymentId" IS NULL`).run();
  database.close();
}
