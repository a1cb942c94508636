import { recordListRead } from "../audit/record-list-reads.server.ts";
import { db } from "../db/database-client.server.ts";
import { fullName } from "./person.ts";

/** Returns the names of families by account id, for the administrator's lists. The caller checks access. */
export async function findFamilyNamesById(ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const select = { id: true, firstName: true, lastName: true } as const;
  const rows = await db.user.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}

/** Returns the name of the family that a message to the administrator is about. The caller checks access. */
export async function findFamilyName(id: number | null): Promise<string> {
  return (id === null ? null : (await findFamilyNamesById([id])).get(id)) ?? "The family";
}

const MAX_FAMILY_CHOICES = 200;

/**
 * Returns the choices of a form in which the administrator selects a family: the family with this id, or 200 families
 * ordered by first name if `id` is null or unknown. The 200 are the families with the most visits and, among equals,
 * those that registered first, so that new accounts, which anyone can create, do not displace them. For any other
 * family, the form is opened from the family's page. The caller checks access; the read is recorded as a list.
 */
export async function findFamilyChoicesWithAudit(id: number | null): Promise<{ id: number; name: string }[]> {
  await recordListRead();
  const select = { id: true, firstName: true, lastName: true, email: true };
  const family = id === null ? [] : await db.user.findMany({ where: { id, isAdmin: false }, take: 1, select });
  const families =
    family.length > 0
      ? family
      : await db.user.findMany({
          where: { isAdmin: false },
          orderBy: [{ appointments: { _count: "desc" } }, { id: "asc" }],
          take: MAX_FAMILY_CHOICES,
          select,
        });
  return families
    .toSorted((a, b) => fullName(a).localeCompare(fullName(b)) || a.id - b.id)
    .map(({ email, ...each }) => ({ id: each.id, name: `${fullName(each)} (${email})` }));
}
