import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { accountContainsCondition, type FamilySearch } from "../../accounts/search/family-search.server.ts";
import { db } from "../../db/database-client.server.ts";
import { containsTextFilter, findIdsInNewestRows } from "../../db/text-search.server.ts";

/**
 * Returns the Prisma filter for appointments that match all words of a search in their own texts and their family's
 * texts combined; without words, for all appointments. Titles and accounts are searched in the database. Notes and
 * intake forms are encrypted and are searched in rows that the server decrypts. The caller must check access.
 */
export async function appointmentSearchCondition(families: FamilySearch): Promise<Prisma.AppointmentWhereInput> {
  const { words } = families;
  if (words.length === 0) return {};
  const ids = await findIdsInNewestRows(words, async (before, take) => {
    const select = { id: true, title: true, notes: true, userId: true, consultationRequest: SENDER_SELECT };
    const rows = await db.appointment.findMany({ where: { id: before }, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, title, notes, userId, consultationRequest }) => ({
      id,
      texts: [title, notes, ...families.textsOf(userId), ...Object.values(consultationRequest ?? {})],
    }));
  });
  return { OR: [{ AND: words.map(appointmentContainsCondition) }, { id: { in: ids } }, { user: families.condition }] };
}

/** Contact data of the consultation request from which a visit without an account was scheduled. */
const SENDER_SELECT = { select: { email: true, phone: true } } as const;

function appointmentContainsCondition(term: string): Prisma.AppointmentWhereInput {
  return { OR: [{ title: containsTextFilter(term) }, { user: accountContainsCondition(term) }] };
}
