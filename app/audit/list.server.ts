import type { Prisma } from "../../prisma/sqlite/client/client.ts";
import { db } from "../db/client.server.ts";
import { countPages, PAGE_SIZE } from "../http/list-query.ts";
import { FAMILY_ACTIONS } from "./actions.ts";

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

/** One page of the entries that match, newest first; instants are UTC. */
export async function entriesPage(where: Prisma.AuditEntryWhereInput, requestedPage: number) {
  const total = await db.auditEntry.count({ where });
  const pageCount = countPages(total);
  const page = Math.min(requestedPage, pageCount);
  const entries = await db.auditEntry.findMany({
    where,
    orderBy: { sequence: "desc" },
    skip: (page - 1) * PAGE_SIZE,
    take: PAGE_SIZE,
    select: COLUMNS,
  });
  return { total, pageCount, page, entries };
}
