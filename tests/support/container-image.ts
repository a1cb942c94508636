import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "./temporary-folder.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** A version of Node, and the digest of the image that had it when it was chosen. */
const IMAGE = /^node:[\d.]+-slim@sha256:[\da-f]{64}$/;

type Environment = Record<string, string>;
type Stage = { root: string; folder: string; env: Environment; user: string; command: string[]; health: string[] };

/**
 * Does what the Dockerfile says, step by step, in empty directories and with a bare environment: each stage's root is a
 * directory, and so is the `/data` of the last. Of the base image it has Node, npm and a shell. Owners can't be changed
 * by everybody who runs tests, so `USER` and `--chown` are read and not done.
 */
export async function buildImage() {
  const home = temporaryFolder("image");
  const programs = path.join(home, "programs");
  mkdirSync(programs);
  symlinkSync(process.execPath, path.join(programs, "node"));
  const npm = path.join(programs, "npm");
  writeFileSync(npm, `#!/bin/sh\nexec node "${await findNpm()}" "$@"\n`, { mode: 0o755 });

  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, argument] of instructions()) {
    if (instruction === "FROM") {
      const [, base, name = "last"] = /^(\S+)(?: AS (\S+))?$/.exec(argument) ?? [];
      if (!IMAGE.test(base ?? "")) throw new Error(`${base} is not the base that this test stands in for.`);
      const root = path.join(home, name);
      mkdirSync(root);
      stage = { root, folder: root, env: {}, user: "root", command: [], health: [] };
      stages.set(name, stage);
      continue;
    }
    if (!stage) throw new Error(`${instruction} stands before FROM.`);
    if (instruction === "WORKDIR") mkdirSync((stage.folder = path.join(stage.root, argument)), { recursive: true });
    else if (instruction === "ENV") for (const pair of argument.split(" ")) Object.assign(stage.env, pairOf(pair));
    else if (instruction === "COPY") await copy(argument.split(" "), stage, stages);
    else if (instruction === "RUN") await run(argument, stage, bareEnvironment(programs));
    else if (instruction === "USER") stage.user = argument;
    else if (instruction === "CMD") stage.command = JSON.parse(argument) as string[];
    else if (instruction === "HEALTHCHECK")
      stage.health = JSON.parse(/CMD (\[.*\])$/.exec(argument)?.[1] ?? "[]") as string[];
    else if (instruction !== "EXPOSE") throw new Error(`This test does not know ${instruction}.`);
  }
  const last = stages.get("last");
  if (!last) throw new Error("The Dockerfile has no last stage.");
  const data = path.join(last.root, last.env.DATA_DIR ?? "/data");
  // Neither npm nor anything else of this machine: what the image needs it has.
  const env: Environment = { ...last.env, DATA_DIR: data, PATH: nodeOnlyPath(home), HOME: home };
  return { ...last, env, data };
}

/** The instructions, continued lines joined, comments left out. */
function instructions(): [string, string][] {
  const lines = readFileSync(path.join(ROOT, "Dockerfile"), "utf8")
    .replace(/^#.*\n/gm, "")
    .replace(/\\\n\s*/g, "");
  return [...lines.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, instruction = "", argument = ""]) => [
    instruction,
    argument.trim(),
  ]);
}

function pairOf(pair: string): Environment {
  const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(pair) ?? [];
  return { [name]: value };
}

async function copy(words: string[], stage: Stage, stages: Map<string, Stage>): Promise<void> {
  const from = words.find((instruction) => instruction.startsWith("--from="))?.slice("--from=".length);
  const names = words.filter((instruction) => !instruction.startsWith("--"));
  const target = names.pop() ?? "";
  const to = path.isAbsolute(target) ? path.join(stage.root, target) : path.join(stage.folder, target);
  for (const name of names) {
    const source = from ? path.join(stages.get(from)?.root ?? "", name) : path.join(ROOT, name);
    if (!existsSync(source)) throw new Error(`There is no ${name} to copy.`);
    const place = target.endsWith("/") ? path.join(to, path.basename(name)) : to;
    // Files of an earlier stage don't change any more: a second name is enough.
    if (from) await waitForExit(spawn("cp", ["-al", source, place]), `cp ${name}`);
    else cpSync(source, place, { recursive: true, filter: isInBuildContext });
  }
}

/** Whether .dockerignore lets a file into the build: it names what may, and below that what may not. */
function isInBuildContext(file: string): boolean {
  const name = path.relative(ROOT, file);
  const lines = readFileSync(path.join(ROOT, ".dockerignore"), "utf8").split("\n");
  const patterns = lines.filter((line) => line && !line.startsWith("#"));
  const matches = (pattern: string) =>
    new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}(/|$)`).test(name);
  return patterns.reduce(
    (sent, pattern) => (pattern.startsWith("!") ? sent || matches(pattern.slice(1)) : sent && !matches(pattern)),
    true,
  );
}

function run(command: string, { folder, env }: Stage, around: Environment): Promise<string> {
  return waitForExit(spawn("sh", ["-c", command], { cwd: folder, env: { ...around, ...env } }), command);
}

/** What an image's build has, and the way to this machine's packages: what npm has in its cache is not fetched again. */
function bareEnvironment(programs: string): Environment {
  const isNetwork = (name: string) => /^(npm_config_|https?_proxy|no_proxy|node_extra)/i.test(name);
  const network = Object.entries(process.env).filter(([name]) => isNetwork(name)) as [string, string][];
  const own = process.env.HOME ?? path.dirname(programs);
  return {
    ...Object.fromEntries(network),
    npm_config_userconfig: path.join(own, ".npmrc"),
    npm_config_cache: path.join(own, ".npm"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: path.dirname(programs),
  };
}

function nodeOnlyPath(home: string): string {
  const folder = path.join(home, "only-node");
  mkdirSync(folder);
  symlinkSync(process.execPath, path.join(folder, "node"));
  symlinkSync("/usr/bin/env", path.join(folder, "env"));
  return folder;
}

async function findNpm(): Promise<string> {
  const given = process.env.npm_execpath;
  if (given?.endsWith("npm-cli.js")) return given;
  return realpathSync((await waitForExit(spawn("sh", ["-c", "command -v npm"]), "command -v npm")).trim());
}

function waitForExit(child: ReturnType<typeof spawn>, name: string): Promise<string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (output += part.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`${name}\n${output}`))));
  });
}
