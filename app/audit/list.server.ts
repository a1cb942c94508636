import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db } from "../db/client.server.ts";
import { parseId } from "../http/field-schemas.ts";
import { countPages, PAGE_SIZE, readPage } from "../http/list-query.ts";
import { FAMILY_ACTIONS } from "./actions.ts";

/** Entries that the pages of a list reach; a multiple of the size of a page. Source: docs/product.md, Limits. */
const MAX_REACHED = 10_000;

const COLUMNS = {
  sequence: true,
  at: true,
  actorId: true,
  familyId: true,
  action: true,
  objectType: true,
  objectId: true,
} as const;

/** The condition on the entries that a family reads: its own, without the practice's notes about it. */
export function familyLogCondition(familyId: number): Prisma.AuditEntryWhereInput {
  return { familyId, action: { in: FAMILY_ACTIONS } };
}

/** The newest `take` entries that match, newest first; instants are UTC. */
export function newestEntries(where: Prisma.AuditEntryWhereInput, take: number) {
  return db.auditEntry.findMany({ where, orderBy: { sequence: "desc" }, take, select: COLUMNS });
}

/**
 * One page of the entries that match, newest first; instants are UTC. Pages reach 10,000 entries back from `before` (a
 * sequence; null for the newest), so that each costs the same however long the log is: `olderThan` is what to pass as
 * `before` for those beyond, null where there are none.
 */
export async function entriesPage(
  condition: Prisma.AuditEntryWhereInput,
  { page: requestedPage, before }: { page: number; before: number | null },
) {
  const where = before === null ? condition : { AND: [condition, { sequence: { lt: before } }] };
  const orderBy = { sequence: "desc" } as const;
  const count = await db.auditEntry.count({ where, orderBy, take: MAX_REACHED + 1 });
  const total = Math.min(count, MAX_REACHED);
  const pageCount = countPages(total);
  const page = Math.min(requestedPage, pageCount);
  const entries = await db.auditEntry.findMany({
    where,
    orderBy,
    skip: (page - 1) * PAGE_SIZE,
    take: PAGE_SIZE,
    select: COLUMNS,
  });
  const hasOlder = count > total;
  const olderThan = hasOlder && page === pageCount ? (entries.at(-1)?.sequence ?? null) : null;
  return { total, hasOlder, pageCount, page, entries, olderThan };
}

/** The page and the sequence that the address of a list of entries names. */
export function readEntriesPage(query: URLSearchParams) {
  return { page: readPage(query), before: parseId(query.get("before") ?? "") };
}
