import type { PrismaClient } from "../../prisma/sqlite/client/client.ts";

const DAY_MS = 86_400_000;
let days = 0;

/** Makes a family one that is known: its first visit has taken place, on a day of its own before `now`. */
export async function addPastVisit(db: PrismaClient, { id: userId }: { id: number }, now: Date): Promise<void> {
  const appointmentDate = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (days += 1) * DAY_MS);
  const visit = { title: "First visit", type: "consultation", status: "completed", userId, appointmentDate };
  await db.appointment.create({ data: visit });
}
