// Proves that the database of a killed restore rehearsal is dropped, and that no other database is.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { backupCommand, environmentWithEmptyDatabase, newEncryptionKey } from "../support/backup-commands.ts";
import { type Environment, startServer } from "../support/servers/server-process.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const template = inject("template");
/** An account of its own, because other tests rehearse on this server too. */
const account = `account_${randomBytes(6).toString("hex")}`;
const nameOfRehearsal = () => `rehearsal_${randomBytes(6).toString("hex")}`;

let environment: Environment;
let server: pg.Client;

beforeAll(async () => {
  const everybody = new pg.Client({ connectionString: urlOf("postgres", template) });
  await everybody.connect();
  await everybody.query(`CREATE ROLE ${account} SUPERUSER LOGIN`);
  await everybody.end();
  environment = await environmentWithEmptyDatabase(template, { BACKUP_KEYS: newEncryptionKey("vault") });
  const database = new URL(environment.DATABASE_URL!);
  database.username = account;
  environment.DATABASE_URL = database.href;
  Object.assign(process.env, environment);
  await backupCommand(["backup"], environment);
  server = new pg.Client({ connectionString: urlOf("postgres") });
  await server.connect();
});

afterAll(() => server.end());

function urlOf(database: string, base = environment.DATABASE_URL!): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

/** The databases of rehearsals of this account. */
async function rehearsals(): Promise<string[]> {
  const query = `SELECT datname AS name FROM pg_database
    WHERE datname ~ '^rehearsal_' AND pg_get_userbyid(datdba) = current_user`;
  return (await server.query<{ name: string }>(query)).rows.map(({ name }) => name);
}

/** A database as a rehearsal leaves it that was killed. */
async function leaveBehind(name = nameOfRehearsal()): Promise<string> {
  await server.query(`CREATE DATABASE ${name}`);
  return name;
}

async function exists(name: string): Promise<boolean> {
  return (await server.query("SELECT 1 FROM pg_database WHERE datname = $1", [name])).rows.length > 0;
}

test.each(["backup", "rehearse"])("a killed rehearsal's database is dropped by the command %s", async (command) => {
  await leaveBehind();
  expect(await backupCommand([command], environment)).toMatchObject({ code: 0 });
  expect(await rehearsals()).toEqual([]);
});

test("a killed rehearsal's database is dropped when the server starts the next time", async () => {
  await leaveBehind();
  const site = await startServer({ overrides: { DATABASE_URL: environment.DATABASE_URL! } });
  expect(await rehearsals()).toEqual([]);
  site.kill("SIGTERM");
  await site.ended;
});

test("a rehearsal in another process keeps its database while it runs; once killed, the next backup drops it", async () => {
  // A group of its own, so that the restore that it runs is stopped and killed with it.
  const rehearsal = spawn(process.execPath, ["bin/backup.js", "rehearse"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...environment, ON_PINNED_NODE: "1" },
    detached: true,
    stdio: "ignore",
  });
  const send = (signal: NodeJS.Signals) => process.kill(-rehearsal.pid!, signal);
  const kill = () => send("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise((resolve) => rehearsal.once("close", resolve));
  await expect.poll(rehearsals, { interval: 5 }).toHaveLength(1);
  send("SIGSTOP");
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  const [name] = await rehearsals();
  expect(name).toMatch(/^rehearsal_[\da-f]{12}$/);
  process.off("exit", kill);
  kill();
  await ended;
  const connections = "SELECT 1 FROM pg_stat_activity WHERE datname = $1";
  await expect.poll(async () => (await server.query(connections, [name])).rows).toEqual([]);
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  expect(await rehearsals()).toEqual([]);
});

test("a rehearsal's reserved database is kept while nothing is connected to it, and dropped when it is released", async () => {
  const { reserveRehearsalDatabase } = await import("../../app/backup/rehearsal-databases.server.ts");
  const reserved = await Promise.all([reserveRehearsalDatabase(), reserveRehearsalDatabase()]);
  const [own = "", other = ""] = reserved.map(({ url }) => new URL(url).pathname.slice(1));
  await leaveBehind(own);
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  expect(await exists(own)).toBe(true);
  for (const { remove } of reserved) await remove();
  expect(await Promise.all([own, other].map(exists))).toEqual([false, false]);
  await leaveBehind(own);
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  expect(await exists(own)).toBe(false);
});

test("a database with an open connection, another name or another owner is not dropped", async () => {
  const [used, foreign] = [await leaveBehind(), await leaveBehind()];
  const named = await leaveBehind(`${nameOfRehearsal()}_of_mine`);
  const other = `somebody_${randomBytes(6).toString("hex")}`;
  await server.query(`CREATE ROLE ${other}`);
  await server.query(`ALTER DATABASE ${foreign} OWNER TO ${other}`);
  const client = new pg.Client({ connectionString: urlOf(used) });
  await client.connect();
  expect(await backupCommand(["backup"], environment)).toMatchObject({ code: 0 });
  expect(await Promise.all([used, foreign, named].map(exists))).toEqual([true, true, true]);
  await client.end();
  for (const name of [used, foreign, named]) await server.query(`DROP DATABASE ${name}`);
  await server.query(`DROP ROLE ${other}`);
});
