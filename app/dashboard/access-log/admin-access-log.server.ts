import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { findAccountNames } from "../../accounts/access-log/family-access-log.server.ts";
import type { Person } from "../../accounts/person.ts";
import { buildFamilySearch } from "../../accounts/search/family-search.server.ts";
import { ACTION_KINDS, actionsOfKind, describeAction, describeUnknownActor } from "../../audit/audit-actions.ts";
import {
  findAuditEntriesPage,
  findFamilyEntriesPageByActions,
  parseRequestedPage,
} from "../../audit/list-audit-entries.server.ts";
import { recordAuditOncePerWindow } from "../../audit/record-audit.server.ts";
import { nextDay, parseDay, startOfDay } from "../../booking/wall-time.ts";
import { deleteDocumentPath } from "../../documents/document-paths.ts";
import { db } from "../../db/database-client.server.ts";
import { HOUR_MS, SECOND_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { parseId } from "../../http/field-schemas.ts";
import { readFilter, readSearchText, splitSearchTerms } from "../../http/list-query.ts";
import { formatPracticeDateTime } from "../../practice/format-practice-date-time.server.ts";

/** The family ids become parameters of the next query, and SQLite allows 999. */
const MAX_MATCHING_FAMILIES = 400;

/**
 * Returns one page of the whole access log, newest first, for the administrator. Filters: family (`?q=` a name, an
 * address or a number; `?family=` its number), kind of action (`?kind=`) and day in the practice's time zone
 * (`?day=2026-11-22`). Throws for anyone else.
 */
export async function loadAdminAccessLogPage(person: Person, query: URLSearchParams) {
  assertAdministrator(person);
  const search = readSearchText(query);
  const kind = readFilter(query, "kind", ACTION_KINDS);
  const day = parseDay(query.get("day") ?? "") ?? "";
  const familyId = parseId(query.get("family") ?? "");
  await recordAuditOncePerWindow(HOUR_MS, { action: "audit-opened", familyId, objectId: familyId });
  const requested = parseRequestedPage(query);
  const selectedFamilyId = search === "" ? familyId : familyId === null ? parseId(search) : null;
  const { entries, ...rest } =
    selectedFamilyId !== null && kind !== "any" && day === ""
      ? await findFamilyEntriesPageByActions(selectedFamilyId, actionsOfKind(kind), requested)
      : await findAuditEntriesPage(await accessLogCondition({ search, kind, day, familyId }), requested);
  const names = await findAccountNames([...entries.flatMap((entry) => [entry.actorId, entry.familyId]), familyId]);
  const infectedIds = await findExistingInfectedIds(entries);
  return {
    ...rest,
    search,
    kind,
    day,
    familyId,
    familyName: names.get(familyId) ?? null,
    entries: entries.map((entry) => ({
      sequence: entry.sequence,
      at: entry.at,
      who: names.get(entry.actorId) ?? describeUnknownActor(entry.action),
      what: describeAction(entry.action),
      object: objectText(entry),
      objectPath: isVirusFinding(entry) && infectedIds.has(entry.objectId) ? deleteDocumentPath(entry.objectId) : null,
      family: entry.familyId === null ? null : { id: entry.familyId, name: names.get(entry.familyId) ?? "" },
    })),
  };
}

type LoggedObject = { action: string; objectId: number | null };

function isVirusFinding<T extends LoggedObject>(entry: T): entry is T & { objectId: number } {
  return entry.action === "infected-document-found" && entry.objectId !== null;
}

/** Returns the ids of the documents that still exist among those of `entries` in which a scan found a virus. */
async function findExistingInfectedIds(entries: readonly LoggedObject[]): Promise<Set<number>> {
  const ids = entries.filter((entry) => isVirusFinding(entry)).map(({ objectId }) => objectId);
  if (ids.length === 0) return new Set();
  const rows = await db.document.findMany({ where: { id: { in: ids } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

function objectText({ objectType, objectId }: { objectType: string | null; objectId: number | null }): string | null {
  if (objectId === null) return null;
  if (objectType === "time") return formatPracticeDateTime(new Date(objectId * SECOND_MS));
  return `${objectType ?? "number"} ${objectId}`;
}

type Filters = { search: string; kind: (typeof ACTION_KINDS)[number]; day: string; familyId: number | null };

async function accessLogCondition({ search, kind, day, familyId }: Filters): Promise<Prisma.AuditEntryWhereInput> {
  return {
    AND: [
      familyId === null ? {} : { familyId },
      await familyCondition(search),
      kind === "any" ? {} : { action: { in: actionsOfKind(kind) } },
      day === "" ? {} : { at: dayRange(day) },
    ],
  };
}

async function familyCondition(search: string): Promise<Prisma.AuditEntryWhereInput> {
  if (search === "") return {};
  const number = parseId(search);
  if (number !== null) return { familyId: number };
  const { condition } = await buildFamilySearch(splitSearchTerms(search));
  const families = await db.user.findMany({
    where: { isAdmin: false, AND: condition },
    orderBy: { id: "desc" },
    take: MAX_MATCHING_FAMILIES,
    select: { id: true },
  });
  return { familyId: { in: families.map(({ id }) => id) } };
}

function dayRange(day: string) {
  const { timeZone } = env.practice;
  return { gte: startOfDay(day, timeZone), lt: startOfDay(nextDay(day), timeZone) };
}
