import { join, sqltag as sql } from "@prisma/client/runtime/client";
import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db, runPreparedQuery } from "../db/database-client.server.ts";
import { MAX_ID, parseId } from "../http/field-schemas.ts";
import { countPages, PAGE_SIZE, readPageNumber } from "../http/list-query.ts";
import { FAMILY_VISIBLE_ACTIONS } from "./audit-actions.ts";

/**
 * Maximum entries that the pages of a list reach. Must be a multiple of the page size. Source: docs/product.md, Limits.
 */
const MAX_PAGINATED_ENTRIES = 10_000;

const BATCH_SIZE = 500;

const AUDIT_ENTRY_SELECT = {
  sequence: true,
  at: true,
  actorId: true,
  familyId: true,
  action: true,
  objectType: true,
  objectId: true,
} as const;

/**
 * Prisma filter for the entries that a family can read: those about itself, except those about the practice's notes.
 */
export function familyVisibleEntriesCondition(familyId: number): Prisma.AuditEntryWhereInput {
  return { familyId, action: { in: FAMILY_VISIBLE_ACTIONS } };
}

/**
 * Returns the number of entries about a family that it can't read: those about the practice's notes and internal work.
 */
export function countHiddenEntries(familyId: number): Promise<number> {
  return db.auditEntry.count({ where: { familyId, action: { notIn: FAMILY_VISIBLE_ACTIONS } } });
}

/** Returns the newest `take` entries that match, newest first. Times are in UTC. */
export function findNewestAuditEntries(where: Prisma.AuditEntryWhereInput, take: number) {
  return db.auditEntry.findMany({ where, orderBy: { sequence: "desc" }, take, select: AUDIT_ENTRY_SELECT });
}

/** Yields all entries that match, newest first, in batches of 500. */
export async function* readAllAuditEntries(where: Prisma.AuditEntryWhereInput) {
  let entries = await findNewestAuditEntries(where, BATCH_SIZE);
  while (entries.length > 0) {
    yield entries;
    const lt = entries.at(-1)?.sequence ?? 0;
    entries = await findNewestAuditEntries({ AND: [where, { sequence: { lt } }] }, BATCH_SIZE);
  }
}

type RequestedPage = { page: number; before: number | null };

/**
 * Returns one page of the entries that match, newest first. Times are in UTC. Pages reach 10,000 entries back from
 * `before` (a sequence number; null for the newest), so that every page costs the same regardless of the length of the
 * log. `olderThan` is the next value of `before` for entries further back, or null if there are none or this is not the
 * last page.
 */
export async function findAuditEntriesPage(condition: Prisma.AuditEntryWhereInput, { page, before }: RequestedPage) {
  const where = before === null ? condition : { AND: [condition, { sequence: { lt: before } }] };
  const orderBy = { sequence: "desc" } as const;
  const count = await db.auditEntry.count({ where, orderBy, take: MAX_PAGINATED_ENTRIES + 1 });
  return loadEntryPage(count, page, (skip) =>
    db.auditEntry.findMany({ where, orderBy, skip, take: PAGE_SIZE, select: AUDIT_ENTRY_SELECT }),
  );
}

/**
 * Returns one page of a family's entries that have one of `actions`, as `findAuditEntriesPage` does. It stays fast however
 * many other entries the family has.
 */
export async function findFamilyEntriesPageByActions(
  familyId: number,
  actions: readonly string[],
  requested: RequestedPage,
) {
  const sequences = await findNewestSequences(familyId, actions, requested.before);
  return loadEntryPage(sequences.length, requested.page, (skip) =>
    findNewestAuditEntries({ sequence: { in: sequences.slice(skip, skip + PAGE_SIZE) } }, PAGE_SIZE),
  );
}

/**
 * Returns the sequence numbers of the newest entries. Reads each action along its own index: SQLite, which has no
 * statistics, would otherwise read all entries of the family in order, which takes a second for a rare action among a
 * million entries.
 */
async function findNewestSequences(
  familyId: number,
  actions: readonly string[],
  before: number | null,
): Promise<number[]> {
  const beforeCondition = sql`"sequence" < ${before ?? MAX_ID}`;
  const parts = actions.map(
    (action) => sql`SELECT * FROM (SELECT "sequence" FROM "audit_entries"
      WHERE "familyId" = ${familyId} AND "action" = ${action} AND ${beforeCondition}
      ORDER BY "sequence" DESC LIMIT ${MAX_PAGINATED_ENTRIES + 1}) AS "newest"`,
  );
  const rows = await runPreparedQuery<{ sequence: number }>(
    sql`${join(parts, " UNION ALL ")} ORDER BY "sequence" DESC LIMIT ${MAX_PAGINATED_ENTRIES + 1}`,
  );
  return rows.map(({ sequence }) => sequence);
}

async function loadEntryPage<Entry extends { sequence: number }>(
  count: number,
  requestedPage: number,
  readEntries: (skip: number) => Promise<Entry[]>,
) {
  const total = Math.min(count, MAX_PAGINATED_ENTRIES);
  const pageCount = countPages(total);
  const page = Math.min(requestedPage, pageCount);
  const entries = await readEntries((page - 1) * PAGE_SIZE);
  const hasOlder = count > total;
  const olderThan = hasOlder && page === pageCount ? (entries.at(-1)?.sequence ?? null) : null;
  return { total, hasOlder, pageCount, page, entries, olderThan };
}

/** Parses the page and the sequence number from the URL of a list of entries. */
export function parseRequestedPage(query: URLSearchParams): RequestedPage {
  return { page: readPageNumber(query), before: parseId(query.get("before") ?? "") };
}
