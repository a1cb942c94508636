import path from "node:path";
import type { TestProject } from "vitest/node";
import { migrate } from "../../../bin/migrate.js";
import { startPostgres } from "../servers/postgres-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of a migrated, empty database, of which every test file gets its own copy. */
    template: string;
  }
}

/** Migrates one database of the project's kind, once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = project.name === "postgresql" ? await onPostgres() : onSqlite();
  await migrate(url);
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
