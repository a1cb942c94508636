import { refusalUnlessAdmin } from "../accounts/authorization.server.ts";
import type { Person } from "../accounts/person.ts";
import { db } from "../db/database-client.server.ts";

export type Child = { name: string; age: string; diagnosis: string | null };

/**
 * Returns the children of the families `userIds` from their intake forms, for the administrator. Families without a
 * form are omitted.
 */
export async function findChildren(person: Person, userIds: readonly number[]): Promise<Map<number, Child>> {
  if (refusalUnlessAdmin(person) || userIds.length === 0) return new Map();
  const rows = await db.intakeForm.findMany({
    where: { userId: { in: [...userIds] } },
    select: { userId: true, childName: true, childAge: true, diagnosis: true },
  });
  return new Map(
    rows.map(({ userId, childName, childAge, diagnosis }) => [userId, { name: childName, age: childAge, diagnosis }]),
  );
}

/** Adds the name of each family's child to rows of the administrator's lists; null if no form contains one. */
export async function addChildNames<R extends { client: { id: number | null } }>(person: Person, rows: readonly R[]) {
  const children = await findChildren(person, [...new Set(rows.flatMap(({ client }) => client.id ?? []))]);
  return rows.map((row) => ({ ...row, childName: children.get(row.client.id ?? 0)?.name ?? null }));
}
