// Proves that migrations build the schema, run once, and stop the start when they can't.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, inject, test } from "vitest";
import { migrate } from "../../bin/migrate.js";
import { copyDatabase } from "../support/database/copy-database.ts";
import { runCommand } from "../support/servers/server-process.ts";
import { testEnvironment } from "../support/test-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const template = inject("template");
const folder = temporaryFolder("migrations");
const environment = await testEnvironment(await copyDatabase(template, folder), folder);
Object.assign(process.env, environment);
const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");

const schema = path.resolve("prisma", template.startsWith("file:") ? "sqlite" : "postgresql");
const DIFF = ["migrate", "diff", "--from-config-datasource", "--exit-code", "--to-schema", schema];
const diff = (url: string) =>
  runCommand(["node_modules/prisma/build/index.js", ...DIFF], { ...environment, DATABASE_URL: url });

async function copy() {
  const url = await copyDatabase(template, folder);
  const client = await createDatabaseClient(url);
  return { url, run: (sql: string) => client.$executeRawUnsafe(sql), end: () => client.$disconnect() };
}

test("the schema that the migrations build has no difference from models.prisma", async () => {
  const { url, run, end } = await copy();
  expect(await diff(url)).toMatchObject({
    code: 0,
    output: expect.stringContaining("No difference detected") as string,
  });
  await run("ALTER TABLE users ADD COLUMN nickname TEXT");
  await end();
  expect((await diff(url)).code).toBe(2);
});

test("the follow-up mail migration opts out users who had turned off reminders, and nobody else", async () => {
  const { run, end } = await copy();
  await run(`INSERT INTO "users" ("id", "email", "password", "firstName", "lastName", "updatedAt")
    VALUES (7001, 'a@example.com', '-', 'A', 'B', CURRENT_TIMESTAMP), (7002, 'b@example.com', '-', 'A', 'B', CURRENT_TIMESTAMP)`);
  await run(`INSERT INTO "mail_opt_outs" ("userId", "topic") VALUES (7001, 'reminders'), (7002, 'receipts')`);
  const file = path.resolve(schema, "migrations/20261123141500_follow_up_mail/migration.sql");
  const statements = readFileSync(file, "utf8")
    .replace(/^--.*$/gm, "")
    .split(";")
    .map((each) => each.trim());
  for (const statement of statements.filter(Boolean)) await run(statement);
  expect(
    await run(`DELETE FROM "mail_opt_outs" WHERE "userId" = 7001 AND "topic" IN ('reminders', 'follow-ups')`),
  ).toBe(2);
  expect(await run(`DELETE FROM "mail_opt_outs"`)).toBe(1);
  await end();
});

test("three processes that start without a database create it with each migration applied once", async () => {
  const url = new URL("fresh", template.replace(/[^/]*$/, "")).href.replace("file:///", "file:/");
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  const client = await createDatabaseClient(url);
  const rows = await client.$queryRaw<
    { migration_name: string }[]
  >`SELECT migration_name FROM _prisma_migrations ORDER BY 1`;
  await client.$disconnect();
  const known = readdirSync(path.join(schema, "migrations")).filter((name) => name !== "migration_lock.toml");
  expect(rows.map((row) => row.migration_name)).toEqual(known.sort());
  expect(await diff(url)).toMatchObject({ code: 0 });
});

test("a start without pending migrations does not run the migration engine", async () => {
  const { url, end } = await copy();
  const nodeWas = process.execPath;
  process.execPath = "/nowhere";
  await expect(migrate(url)).resolves.toBeUndefined();
  process.execPath = nodeWas;
  await end();
});

test("an unfinished migration stops the start with an error that says what to do", async () => {
  const { url, run, end } = await copy();
  await run("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '20261120000000_first'");
  await end();
  await expect(migrate(url)).rejects.toThrow(/20261120000000_first was begun and never finished.*migrate resolve/);
});

test("a database that is newer than the program stops the start", async () => {
  const { url, run, end } = await copy();
  await run(
    "UPDATE _prisma_migrations SET migration_name = '20990101000000_later' WHERE migration_name = '20261120000000_first'",
  );
  await end();
  await expect(migrate(url)).rejects.toThrow(/newer than this program.*20990101000000_later/);
});

test("an unreachable database stops the start with an error that gives the reason", async () => {
  const nowhere = template.startsWith("file:")
    ? `file:${path.resolve("package.json")}/app.db`
    : "postgresql://postgres@127.0.0.1:1/none";
  await expect(migrate(nowhere)).rejects.toThrow(/does not answer as DATABASE_URL says: .*(ENOTDIR|ECONNREFUSED)/);
});
