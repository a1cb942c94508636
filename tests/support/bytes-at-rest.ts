import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import pg from "pg";

/** All bytes of the files below these folders, and of a PostgreSQL database what each of its tables holds. */
export async function allBytesAtRest(folders: readonly string[], databaseUrl: string): Promise<string> {
  const names = folders.flatMap((place) =>
    readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  // In another process: closing a database file here would drop this process's locks on it. A file may go meanwhile.
  const files = execFileSync("sh", ["-c", 'for name; do cat "$name" 2>/dev/null || :; done', "-", ...names], {
    encoding: "latin1",
    maxBuffer: 2 ** 30,
  });
  if (databaseUrl.startsWith("file:")) return [...names, files].join("\n");
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const found = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
    rows.push(...found.rows.map(({ row }) => row));
  }
  await client.end();
  return [...names, files, ...rows].join("\n");
}
