import { spawn } from "node:child_process";
import path from "node:path";
import { NODE_ARGUMENTS, NODE_ENVIRONMENT } from "../../../bin/prepare.js";
import { copyDatabase } from "../database/copy-database.ts";
import { createPeople } from "../people.ts";
import { testEnvironment } from "../test-environment.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { accountsInDatabase } from "../accounts.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

export type Environment = Record<string, string>;

type StartOptions = {
  template?: string;
  overrides?: Environment;
  /** What is run, if it does more than the product. */
  script?: string;
};

/**
 * The product as a process of its own, for tests that change its settings, race it against another or kill it.
 * Without a template it makes its own SQLite database, as on its first start.
 */
export async function startServer({ template, overrides = {}, script = "server.ts" }: StartOptions) {
  const folder = temporaryFolder("process");
  const ownDatabaseUrl = template ? await copyDatabase(template, folder) : `file:${path.join(folder, "app.db")}`;
  const databaseUrl = overrides.DATABASE_URL ?? ownDatabaseUrl;
  const environment = { ...NODE_ENVIRONMENT, ...(await testEnvironment(databaseUrl, folder)), ...overrides };
  const child = spawnNode([...NODE_ARGUMENTS, script], environment);
  await child.waitForOutput(/is ready at/);
  const isLocalSqlite = databaseUrl.startsWith("file:") && environment.APP_ORIGIN.startsWith("http:");
  const accounts = isLocalSqlite ? accountsInDatabase(databaseUrl, environment.SESSION_SECRET) : undefined;
  return {
    ...child,
    ...createPeople(environment.APP_ORIGIN, environment.PORT, accounts),
    origin: environment.APP_ORIGIN,
    folder,
    environment,
  };
}

/** Runs one of our commands to its end. */
export async function runCommand(args: string[], environment: Environment, input = "") {
  const child = spawnNode(args, environment, input);
  return { code: await child.ended, output: child.output() };
}

function spawnNode(args: string[], environment: Environment, input?: string) {
  return spawnProcess(ROOT, process.execPath, args, { PATH: process.env.PATH ?? "", ...environment }, input);
}

/** Runs a program as a child process, killed with this one, and records its standard output and error. */
export function spawnProcess(
  folder: string,
  program: string,
  args: string[],
  environment: Environment,
  input?: string,
) {
  const child = spawn(program, args, { cwd: folder, env: environment });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      output += part.toString();
      for (const listener of listeners) listener();
    });
  }
  const killWithParent = () => child.kill("SIGKILL");
  process.once("exit", killWithParent);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  void ended.then(() => process.off("exit", killWithParent));
  child.stdin.end(input);

  /** Resolves when the output matches; rejects when the process ends first. */
  const waitForOutput = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (!pattern.test(output)) return;
        listeners.delete(check);
        resolve();
      };
      listeners.add(check);
      check();
      void ended.then((code) => reject(new Error(`The process ended with ${String(code)}:\n${output}`)));
    });
  return {
    waitForOutput,
    ended,
    output: () => output,
    pid: child.pid,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}
