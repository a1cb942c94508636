import { sqltag as sql } from "@prisma/client/runtime/client";
import { assertAdministrator } from "../accounts/authorization.server.ts";
import { recordTextsListed } from "../audit/record-list-reads.server.ts";
import type { Person } from "../accounts/person.ts";
import { sum } from "../sum.ts";
import { runPreparedQuery, db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { ADMIN_REQUEST_SELECT } from "./consultation-requests.server.ts";

/** Maximum number of requests marked emergency or urgent that rank first, per network and 24 hours. */
const MAX_URGENT_PER_DAY = 2;
/** Maximum number of rows of one network while requests of others are pending. */
const MAX_ROWS_PER_NETWORK = 2;
/** Number of rows reserved for the oldest requests that are not urgent. */
const RESERVED_NORMAL_ROWS = 3;

const ONE_DAY_SQL = env.databaseUrl.startsWith("postgres") ? sql`interval '24 hours'` : sql`86400000`;
const URGENT_LEVELS = ["emergency", "urgent"];

/**
 * Returns the first `maxRows` pending requests for the administrator, starting with the `firstRows` that a list of that
 * length would contain; and the counts of all pending requests, of those marked emergency, and of those marked
 * emergency or urgent. Order: emergencies, urgent requests, others; oldest first within each. To prevent one sender from
 * filling the list, only two of a network's requests in 24 hours are ranked by urgency, only two are among the first
 * rows while others are pending, and three rows are reserved for requests that are not urgent. Throws for anyone else.
 */
export async function listTopPendingRequests(person: Person, maxRows: number, firstRows: number) {
  assertAdministrator(person);
  const ids = await findRankedRequestIdsForPaging(maxRows, firstRows);
  const where = { status: "pending" };
  const [rows, count, marked] = await Promise.all([
    db.consultationRequest.findMany({ where: { ...where, id: { in: ids } }, select: ADMIN_REQUEST_SELECT }),
    db.consultationRequest.count({ where }),
    db.consultationRequest.groupBy({
      by: ["urgency"],
      where: { ...where, urgency: { in: URGENT_LEVELS } },
      _count: true,
    }),
  ]);
  const requests = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  await recordTextsListed(requests.map(({ userId }) => userId));
  return {
    count,
    emergencyCount: marked.find(({ urgency }) => urgency === "emergency")?._count ?? 0,
    urgentCount: sum(marked.map(({ _count }) => _count)),
    requests,
  };
}

type RankedRequest = { id: number; group: "urgent" | "normal" | "overNetworkLimit" };

/** Returns the ids of the first `maxRows` pending requests, in the order described at `listTopPendingRequests`. */
export async function findRankedRequestIds(maxRows: number): Promise<number[]> {
  return selectTopRequestIds(await rankPendingRequests(maxRows), maxRows);
}

/**
 * Returns the ids of at most `maxRows` pending requests for a paged list: first a page of `firstRows`, ranked as on the
 * dashboard, then the rest.
 */
export async function findRankedRequestIdsForPaging(maxRows: number, firstRows: number): Promise<number[]> {
  const ranked = await rankPendingRequests(maxRows);
  return [...new Set([...selectTopRequestIds(ranked, firstRows), ...selectTopRequestIds(ranked, maxRows)])];
}

async function rankPendingRequests(maxRows: number): Promise<RankedRequest[]> {
  return runPreparedQuery<RankedRequest>(sql`
    WITH "prioritized" AS (
      SELECT r."id", r."urgency", r."createdAt", COALESCE(r."network", 'request ' || r."id") AS "network",
        CASE WHEN r."urgency" NOT IN ('emergency', 'urgent') OR (
          SELECT count(*) FROM "consultation_requests" e
          WHERE e."network" = r."network" AND e."urgency" IN ('emergency', 'urgent')
            AND e."createdAt" > r."createdAt" - ${ONE_DAY_SQL}
            AND (e."createdAt" < r."createdAt" OR (e."createdAt" = r."createdAt" AND e."id" < r."id"))
        ) >= ${MAX_URGENT_PER_DAY} THEN 2 WHEN r."urgency" = 'urgent' THEN 1 ELSE 0 END AS "rank"
      FROM "consultation_requests" r WHERE r."status" = 'pending'
    ), "numbered" AS (
      SELECT *, row_number() OVER (PARTITION BY "network" ORDER BY "rank", "createdAt", "id") AS "networkPosition" FROM "prioritized"
    ), "grouped" AS (
      SELECT *, CASE WHEN "networkPosition" > ${MAX_ROWS_PER_NETWORK} THEN 'overNetworkLimit' WHEN "rank" < 2 THEN 'urgent'
        ELSE 'normal' END AS "group" FROM "numbered"
    ), "ranked" AS (
      SELECT *, row_number() OVER (PARTITION BY "group" ORDER BY "rank", "createdAt", "id") AS "position" FROM "grouped"
    )
    SELECT "id", "group" FROM "ranked" WHERE "position" <= ${maxRows} ORDER BY "position"`);
}

function selectTopRequestIds(ranked: readonly RankedRequest[], maxRows: number): number[] {
  const ids = (group: RankedRequest["group"]) => ranked.filter((row) => row.group === group).map(({ id }) => id);
  const [urgent, normal] = [ids("urgent"), ids("normal")];
  const rowsForUrgent = maxRows - Math.min(normal.length, RESERVED_NORMAL_ROWS);
  return [...urgent.slice(0, rowsForUrgent), ...normal, ...ids("overNetworkLimit")].slice(0, maxRows);
}
