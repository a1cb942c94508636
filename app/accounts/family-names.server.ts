import { db } from "../db/client.server.ts";
import { fullName } from "./person.ts";

/** The names of families by account id, for lists of the administrator. Access checks are the caller's. */
export async function familyNames(ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const select = { id: true, firstName: true, lastName: true } as const;
  const rows = await db.user.findMany({ where: { id: { in: [...ids] } }, select });
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}
