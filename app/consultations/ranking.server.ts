import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { preparedQuery, db } from "../db/client.server.ts";
import { env } from "../env.server.ts";
import { REQUEST_COLUMNS } from "./requests.server.ts";

/** Requests marked emergency or urgent that rank first, per network and 24 hours. */
const MAX_PRESSING_A_DAY = 2;
/** Rows of one network while requests of others are pending. */
const MAX_ROWS_PER_NETWORK = 2;
/** Rows reserved for the oldest requests that are not pressing. */
const ROWS_FOR_OTHERS = 3;

const ONE_DAY = env.databaseUrl.startsWith("postgres") ? sql`interval '24 hours'` : sql`86400000`;
const PRESSING = ["emergency", "urgent"];

/**
 * The first `maxRows` pending requests for the administrator, the number of all, and the number of pressing ones
 * (emergency or urgent) among the rest. Order: emergencies, urgent requests, others; the oldest first. To keep one
 * sender from filling the list, only two of a network's requests a day rank by urgency, only two are among the first
 * rows while others are pending, and three rows are reserved for requests that are not pressing.
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
  return { count, hiddenUrgentCount: pressing, requests };
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
