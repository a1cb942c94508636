import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { accountContains, type FamilySearch } from "../../accounts/search/family-search.server.ts";
import { db } from "../../db/client.server.ts";
import { containsText, findIdsInNewestRows } from "../../db/search.server.ts";

/**
 * The appointments of all families that have the words of a search, in themselves and their family together; all of them
 * without words. Titles and accounts are searched in the database; notes and intake forms, which are encrypted, in the rows
 * that the server decrypts. Access checks are the caller's.
 */
export async function appointmentSearchCondition(families: FamilySearch): Promise<Prisma.AppointmentWhereInput> {
  const { words } = families;
  if (words.length === 0) return {};
  const ids = await findIdsInNewestRows(words, async (before, take) => {
    const select = { id: true, title: true, notes: true, userId: true, consultationRequest: SENDER };
    const rows = await db.appointment.findMany({ where: { id: before }, orderBy: { id: "desc" }, take, select });
    return rows.map(({ id, title, notes, userId, consultationRequest }) => ({
      id,
      texts: [title, notes, ...families.textsOf(userId), ...Object.values(consultationRequest ?? {})],
    }));
  });
  return { OR: [{ AND: words.map(matchesTerm) }, { id: { in: ids } }, { user: families.condition }] };
}

/** The sender of the request from which a visit without an account was scheduled. */
const SENDER = { select: { email: true, phone: true } } as const;

function matchesTerm(term: string): Prisma.AppointmentWhereInput {
  return { OR: [{ title: containsText(term) }, { user: accountContains(term) }] };
}
