import { randomBytes } from "node:crypto";
import { copyFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";

/** Longer than the product's 4 s, in ms: on a crowded machine a statement waits for its turn. Outages are tested without. */
const PATIENT_STATEMENTS = "?statement_timeout=40000&query_timeout=42000";

/** A database of its own for one test file or process: a copy of the migrated template. Returns its URL. */
export async function copyDatabase(template: string, folder: string): Promise<string> {
  const name = `copy_${randomBytes(6).toString("hex")}`;
  if (template.startsWith("file:")) {
    const file = path.join(folder, `${name}.db`);
    copyFileSync(template.slice("file:".length), file);
    return `file:${file}`;
  }
  const server = new URL(template);
  server.pathname = "/postgres";
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE template`);
  await client.end();
  server.pathname = `/${name}`;
  server.search = PATIENT_STATEMENTS;
  return server.href;
}
