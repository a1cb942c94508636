import type { Sql } from "@prisma/client/runtime/client";

/** Read-only prepared queries on a separate connection. `close` ends the connection; the next query opens it again. */
export type PreparedQueries = { query: (sql: Sql) => Promise<unknown[]>; close: () => void };
