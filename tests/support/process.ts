import { spawn } from "node:child_process";
import path from "node:path";
import { PROCESS_SETTINGS } from "../../bin/prepare.js";
import { copyDatabase } from "./database.ts";
import { peopleAt } from "./people.ts";
import { settings } from "./settings.ts";
import { temporaryFolder } from "./temporary.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

export type Changes = Record<string, string>;

type Start = { template?: string; changes?: Changes };

/**
 * The product as a process of its own, for tests that change its settings, race it against another or kill it.
 * Without a template it makes its own SQLite database, as on its first start.
 */
export async function startProcess({ template, changes = {} }: Start) {
  const folder = temporaryFolder("process");
  const own = template ? await copyDatabase(template, folder) : `file:${path.join(folder, "app.db")}`;
  const databaseUrl = changes.DATABASE_URL ?? own;
  const environment = { ...PROCESS_SETTINGS, ...(await settings(databaseUrl, folder)), ...changes };
  const child = spawnNode(["server.ts"], environment);
  await child.said(/is ready at/);
  return {
    ...child,
    ...peopleAt(environment.APP_ORIGIN, environment.PORT),
    origin: environment.APP_ORIGIN,
    folder,
    environment,
  };
}

/** Runs one of our commands to its end. */
export async function runCommand(args: string[], environment: Changes, input = "") {
  const child = spawnNode(args, environment, input);
  return { code: await child.ended, output: child.output() };
}

function spawnNode(args: string[], environment: Changes, input?: string) {
  return spawnIn(ROOT, process.execPath, args, { PATH: process.env.PATH ?? "", ...environment }, input);
}

/** A program as a process of its own, which ends with us; what it says is kept, on standard output or error alike. */
export function spawnIn(folder: string, program: string, args: string[], environment: Changes, input?: string) {
  const child = spawn(program, args, { cwd: folder, env: environment });
  let heard = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => {
      heard += part.toString();
      for (const listener of listeners) listener();
    });
  }
  const endWithUs = () => child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  void ended.then(() => process.off("exit", endWithUs));
  child.stdin.end(input);

  /** Resolves when the process has written what is looked for; fails when it ends first. */
  const said = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!pattern.test(heard)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then((code) => reject(new Error(`The process ended with ${String(code)}:\n${heard}`)));
    });
  return { said, ended, output: () => heard, pid: child.pid, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}
