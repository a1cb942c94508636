import { recordListRead } from "../audit/list-reads.server.ts";
import { db } from "../db/client.server.ts";
import { fullName } from "./person.ts";

/** The names of families by account id, for lists of the administrator. Access checks are the caller's. */
export async function familyNames(ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const select = { id: true, firstName: true, lastName: true } as const;
  const rows = await db.user.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}

/** Whose record a message to the administrator is about. Access checks are the caller's. */
export async function familyDisplayName(id: number | null): Promise<string> {
  return (id === null ? null : (await familyNames([id])).get(id)) ?? "The family";
}

const MAX_CHOICES = 200;

/**
 * The choices of a form in which the administrator names a family: the one with this id, or 200 families ordered by first
 * name where `id` is null or unknown. They are those with the most visits, of equals those that registered first, so that
 * accounts which anybody can make displace none; for another one the form is opened from its page. Access checks are the
 * caller's; it is recorded as a list.
 */
export async function familyChoices(id: number | null): Promise<{ id: number; name: string }[]> {
  await recordListRead();
  const select = { id: true, firstName: true, lastName: true, email: true };
  const family = id === null ? [] : await db.user.findMany({ where: { id, isAdmin: false }, take: 1, select });
  const families =
    family.length > 0
      ? family
      : await db.user.findMany({
          where: { isAdmin: false },
          orderBy: [{ appointments: { _count: "desc" } }, { id: "asc" }],
          take: MAX_CHOICES,
          select,
        });
  return families
    .toSorted((one, other) => fullName(one).localeCompare(fullName(other)) || one.id - other.id)
    .map(({ email, ...each }) => ({ id: each.id, name: `${fullName(each)} (${email})` }));
}
