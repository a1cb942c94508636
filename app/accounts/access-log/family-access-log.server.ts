import { describeAction, isSystemAction, describeUnknownActor } from "../../audit/audit-actions.ts";
import {
  readAllAuditEntries,
  familyVisibleEntriesCondition,
  findAuditEntriesPage,
  findNewestAuditEntries,
  parseRequestedPage,
} from "../../audit/list-audit-entries.server.ts";
import { db } from "../../db/database-client.server.ts";
import { accessDeniedRefusal } from "../authorization.server.ts";
import { accepted, type Outcome } from "../../http/outcome.ts";
import { fullName, type Person } from "../person.ts";

/** Maximum number of entries listed. Source: docs/product.md, Limits. */
const MAX_LISTED_ENTRIES = 1_000;

/** An entry of the access log: what was done with a family's data, by whom and when (UTC). */
export type AccessLogEntry = { at: Date; who: string; what: string };

type AuditEntryRow = { at: Date; actorId: number | null; action: string };

/**
 * Returns the latest 1,000 entries about the person's own family, newest first. Refusal: forbidden, for the
 * administrator.
 */
export async function listOwnAccessLogEntries(person: Person): Promise<Outcome<AccessLogEntry[]>> {
  if (person.isAdmin) return accessDeniedRefusal();
  return accepted(
    await toAccessLogEntries(
      person,
      await findNewestAuditEntries(familyVisibleEntriesCondition(person.id), MAX_LISTED_ENTRIES),
    ),
  );
}

/**
 * Returns one page of the log of the person's own family. With `?who=others`, leaves out the family's own entries;
 * without it, also returns the latest entry of another person, or null if there is none. Throws for the administrator,
 * who has no family.
 */
export async function loadOwnAccessLogPage(person: Person, query: URLSearchParams) {
  if (person.isAdmin) throw new Error("The administrator has no family's log.");
  const hidesOwnEntries = query.get("who") === "others";
  const visibleCondition = familyVisibleEntriesCondition(person.id);
  const withoutOwnCondition = { ...visibleCondition, OR: [{ actorId: null }, { actorId: { not: person.id } }] };
  const otherPersonsCondition = { ...visibleCondition, actorId: { not: person.id } };
  const { entries, ...rest } = await findAuditEntriesPage(
    hidesOwnEntries ? withoutOwnCondition : visibleCondition,
    parseRequestedPage(query),
  );
  const latest = hidesOwnEntries ? [] : await findNewestAuditEntries(otherPersonsCondition, 1);
  const describedEntries = await toAccessLogEntries(person, [...entries, ...latest]);
  return {
    ...rest,
    hidesOwnEntries,
    entries: describedEntries.slice(0, entries.length),
    latestOfOthers: describedEntries[entries.length] ?? null,
  };
}

/** Yields all entries about a family, newest first. `includesHidden` also includes entries of the practice's own work. */
export async function* streamFamilyAccessLog(family: Person, { includesHidden }: { includesHidden: boolean }) {
  const condition = includesHidden ? { familyId: family.id } : familyVisibleEntriesCondition(family.id);
  for await (const entries of readAllAuditEntries(condition)) yield* await toAccessLogEntries(family, entries);
}

async function toAccessLogEntries(person: Person, entries: readonly AuditEntryRow[]): Promise<AccessLogEntry[]> {
  const names = await findAccountNames(entries.map(({ actorId }) => actorId));
  return entries.map(({ at, actorId, action }) => ({
    at,
    who:
      actorId === person.id && !isSystemAction(action)
        ? "You"
        : ((actorId === person.id ? null : names.get(actorId)) ?? describeUnknownActor(action)),
    what: describeAction(action),
  }));
}

/**
 * Returns the names of accounts by id. Null ids are left out. Deleted accounts are left out or have a name that says
 * so.
 */
export async function findAccountNames(ids: readonly (number | null)[]): Promise<Map<number | null, string>> {
  const unique = [...new Set(ids)].filter((id) => id !== null);
  if (unique.length === 0) return new Map();
  const select = { id: true, firstName: true, lastName: true } as const;
  const rows = await db.user.findMany({ where: { id: { in: unique } }, select });
  const names = new Map(rows.map((row): [number, string] => [row.id, fullName(row)]));
  return new Map(unique.map((id) => [id, names.get(id) ?? "An account that was deleted"]));
}
