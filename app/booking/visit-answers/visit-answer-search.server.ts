import { assertAdministrator } from "../../accounts/authorization.server.ts";
import type { Person } from "../../accounts/person.ts";
import { type FamilySearch, findFamilyRecords } from "../../accounts/search/family-search.server.ts";
import { db } from "../../db/database-client.server.ts";

/**
 * Returns the visits with the newest `take` answers that a search finds, with the total count. For the administrator;
 * throws for anyone else.
 */
export function searchVisitAnswers(person: Person, families: FamilySearch, take: number) {
  assertAdministrator(person);
  return findFamilyRecords(families, readVisitAnswerBatch, take);
}

async function readVisitAnswerBatch(before: { lt: number }, take: number) {
  const rows = await db.visitAnswer.findMany({
    where: { appointmentId: before },
    orderBy: { appointmentId: "desc" },
    take,
    select: {
      appointmentId: true,
      important: true,
      change: true,
      pages: true,
      appointment: { select: { userId: true, appointmentDate: true } },
    },
  });
  return rows.map(({ appointmentId, important, change, pages, appointment }) => ({
    id: appointmentId,
    // A visit with answers belongs to a family. No family has the id 0.
    familyId: appointment.userId ?? 0,
    texts: [important, change, pages],
    start: appointment.appointmentDate.toISOString(),
  }));
}
