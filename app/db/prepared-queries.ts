import type { Sql } from "@prisma/client/runtime/client";

/** Read-only prepared queries on a connection of their own. `close` ends that; the next query opens it again. */
export type PreparedQueries = { query: (sql: Sql) => Promise<unknown[]>; close: () => void };
