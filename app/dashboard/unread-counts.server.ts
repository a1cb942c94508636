import { sqltag as sql } from "@prisma/client/runtime/client";
import type { Person } from "../accounts/person.ts";
import { runPreparedQuery } from "../db/database-client.server.ts";
import { newToFamilyCountSql } from "../documents/documents.server.ts";
import { unreadCountSql } from "../mail/message-list.server.ts";

/**
 * Returns how many messages and documents from the practice a family has not opened yet, for the navigation; null for
 * anyone else.
 */
export async function loadUnreadCounts(person: Person | null): Promise<{ messages: number; documents: number } | null> {
  if (!person || person.isAdmin) return null;
  const [counts] = await runPreparedQuery<{ messages: number; documents: number }>(
    sql`SELECT (${unreadCountSql(person.id)}) AS "messages", (${newToFamilyCountSql(person)}) AS "documents"`,
  );
  return counts ?? null;
}
