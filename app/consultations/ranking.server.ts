import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { preparedQuery, db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { REQUEST_COLUMNS } from "./requests.server.ts";

/** Requests marked emergency or urgent that one network ranks before the others within 24 hours. */
const MAX_PRESSING_A_DAY = 2;
/** Rows that one network takes while requests from elsewhere wait. */
const MAX_ROWS_PER_NETWORK = 2;
/** Rows that the longest waiting of the other requests keep, however many are pressing. */
const ROWS_FOR_OTHERS = 3;

const ONE_DAY = env.databaseUrl.startsWith("postgres") ? sql`interval '24 hours'` : sql`86400000`;
const PRESSING = ["emergency", "urgent"];

/**
 * The first `maxRows` of the requests that wait, for the administrator; how many wait in all, and how many of those that
 * are not among the first are marked emergency or urgent. First come the pressing ones, emergencies before urgent ones, then the
 * others, each the longest waiting first. What one network can press to the front is bounded: two of its requests a day
 * are ranked by their mark, two of its requests stand among the first while others wait, and three rows stay for
 * requests that are not pressing. Nothing is left out of the whole list.
 */
export async function waitingRequests(person: Person, maxRows: number) {
  if (!person.isAdmin) throw new Error("Only the administrator reads requests.");
  const ids = await firstOf(maxRows);
  const where = { status: "pending" };
  const [rows, count, pressing] = await Promise.all([
    db.consultationRequest.findMany({ where: { ...where, id: { in: ids } }, select: REQUEST_COLUMNS }),
    db.consultationRequest.count({ where }),
    db.consultationRequest.count({ where: { ...where, urgency: { in: PRESSING }, id: { notIn: ids } } }),
  ]);
  const requests = ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
  return { count, pressingLater: pressing, requests };
}

type Ranked = { id: number; part: "pressing" | "others" | "surplus" };

async function firstOf(maxRows: number): Promise<number[]> {
  const ranked = await preparedQuery<Ranked>(sql`
    WITH "marked" AS (
      SELECT r."id", r."urgency", r."createdAt", COALESCE(r."network", 'request ' || r."id") AS "network",
        CASE WHEN r."urgency" NOT IN ('emergency', 'urgent') OR (
          SELECT count(*) FROM "consultation_requests" e
          WHERE e."network" = r."network" AND e."urgency" IN ('emergency', 'urgent')
            AND e."createdAt" > r."createdAt" - ${ONE_DAY}
            AND (e."createdAt" < r."createdAt" OR (e."createdAt" = r."createdAt" AND e."id" < r."id"))
        ) >= ${MAX_PRESSING_A_DAY} THEN 2 WHEN r."urgency" = 'urgent' THEN 1 ELSE 0 END AS "rank"
      FROM "consultation_requests" r WHERE r."status" = 'pending'
    ), "seated" AS (
      SELECT *, row_number() OVER (PARTITION BY "network" ORDER BY "rank", "createdAt", "id") AS "seat" FROM "marked"
    ), "parted" AS (
      SELECT *, CASE WHEN "seat" > ${MAX_ROWS_PER_NETWORK} THEN 'surplus' WHEN "rank" < 2 THEN 'pressing'
        ELSE 'others' END AS "part" FROM "seated"
    ), "placed" AS (
      SELECT *, row_number() OVER (PARTITION BY "part" ORDER BY "rank", "createdAt", "id") AS "place" FROM "parted"
    )
    SELECT "id", "part" FROM "placed" WHERE "place" <= ${maxRows} ORDER BY "place"`);
  const ids = (part: Ranked["part"]) => ranked.filter((row) => row.part === part).map(({ id }) => id);
  const [pressing, others] = [ids("pressing"), ids("others")];
  const rowsForPressing = maxRows - Math.min(others.length, ROWS_FOR_OTHERS);
  return [...pressing.slice(0, rowsForPressing), ...others, ...ids("surplus")].slice(0, maxRows);
}
