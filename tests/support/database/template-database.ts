import path from "node:path";
import Database from "better-sqlite3";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../../bin/migrate.js";
import { startPostgres } from "../servers/postgres-server.ts";
import { adminEmail } from "../test-environment.ts";
import { temporaryFolder } from "../temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a migrated database with nobody but the administrator, of which every test file gets its own copy. */
    template: string;
  }
}

/** Migrates one database of the project's kind, once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = project.name === "postgresql" ? await onPostgres() : onSqlite();
  await migrate(url);
  await addAdministrator(url);
  project.provide("template", url);
  return stop;
}

function onSqlite() {
  return { url: `file:${path.join(temporaryFolder("template"), "template.db")}`, stop: async () => {} };
}

async function onPostgres() {
  const server = await startPostgres();
  return { url: server.url.replace(/\/postgres$/, "/template"), stop: server.stop };
}

/** bcrypt of `adminPassword` at the lowest cost: a site that finds the account does not hash it at its first start. */
const ADMIN_PASSWORD_HASH = "$2b$04$XHJbcd8YEsJgvqkAVGHNauT3mjaJ57u3inOq/aCJoGMQAmGul/5.a";

async function addAdministrator(url: string): Promise<void> {
  const insert = (time: string) => `
    INSERT INTO users (email, password, "firstName", "lastName", "isClient", "isAdmin", "createdAt", "updatedAt")
    VALUES ('${adminEmail}', '${ADMIN_PASSWORD_HASH}', 'Consultant', 'Harbor Family Advocacy', FALSE, TRUE,
      ${time}, ${time})`;
  if (url.startsWith("file:")) {
    const database = new Database(url.slice("file:".length));
    database.exec(insert(String(Date.now())));
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(insert("CURRENT_TIMESTAMP"));
  await client.end();
}
