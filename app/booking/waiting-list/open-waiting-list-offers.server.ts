import { type Sql, sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { db } from "../../db/database-client.server.ts";
import { MAX_WAITING_DAYS } from "./waiting-list.server.ts";

/** Returns SQL for the number of times that are currently offered to a family. */
export function openOfferCountSql({ id }: Person): Sql {
  return sql`SELECT CAST(count(*) AS INTEGER) FROM "waiting_list_offers" o JOIN "waiting_list" e ON e."id" = o."entryId"
    WHERE e."userId" = ${id} AND e."endedAt" IS NULL AND o."expiresAt" > ${now()}`;
}

/**
 * Returns the freed times that are currently offered to a family and held for it, the one that ends first at the
 * beginning. Instants are ISO 8601 UTC.
 */
export async function listOpenOffers({ id: userId }: Person) {
  const offers = await db.waitingListOffer.findMany({
    where: { entry: { userId, endedAt: null }, expiresAt: { gt: now() } },
    orderBy: [{ expiresAt: "asc" }, { id: "asc" }],
    // At most one offer for each day.
    take: MAX_WAITING_DAYS,
    select: { id: true, appointmentDate: true, duration: true, expiresAt: true },
  });
  return offers.map(({ id, appointmentDate, duration, expiresAt }) => ({
    id,
    start: appointmentDate.toISOString(),
    duration,
    until: expiresAt.toISOString(),
  }));
}
