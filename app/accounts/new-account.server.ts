import { MINUTE_MS } from "../duration.ts";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { now } from "../clock.ts";
import { db } from "../db/client.server.ts";

/**
 * True until the family's first visit has taken place: until it has an appointment that is neither cancelled nor a
 * no-show and whose end is not after now(). Pass the transaction as `database` inside one.
 */
export async function isNewAccount(userId: number, database: Prisma.TransactionClient = db): Promise<boolean> {
  // Appointments that count don't overlap, so the first to start is also the first to end.
  const first = await database.appointment.findFirst({
    where: { userId, status: { notIn: ["cancelled", "no-show"] } },
    orderBy: { appointmentDate: "asc" },
    select: { appointmentDate: true, duration: true },
  });
  return first === null || first.appointmentDate.getTime() + first.duration * MINUTE_MS > now().getTime();
}
