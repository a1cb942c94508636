// Prepares what is needed to run or test the application: packages, database clients, the optimized build. Runs on Node
// 18 or later before anything is installed, so it uses only Node's own modules.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} Package */

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Node's compile cache (NODE_COMPILE_CACHE), which speeds up the next start. */
const COMPILE_CACHE_FOLDER = path.join(ROOT, "build/.compiled");
/**
 * Environment of the server process. Without MALLOC_ARENA_MAX, glibc reserves a heap for each of up to sixteen threads.
 * Ten seconds after a load, the process then uses 1.65 times the memory. The Dockerfile sets this variable, too.
 */
export const NODE_ENVIRONMENT = { NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER, MALLOC_ARENA_MAX: "2" };
const HAS_HEAP_LIMIT = /--max[-_]old[-_]space[-_]size/.test(process.env.NODE_OPTIONS ?? "");
/**
 * Node's arguments for the server process. They take precedence over NODE_OPTIONS. V8 sizes its heap by the machine's
 * memory, not by need: on a machine with much memory, the young generation grows to 128 MiB and garbage in the old
 * generation to 200 MiB, in addition to 45 MiB that are in use.
 */
export const NODE_ARGUMENTS = ["--max-semi-space-size=16", ...(HAS_HEAP_LIMIT ? [] : ["--max-old-space-size=512"])];
/** True in a container image: it has the build but not its sources, so there is nothing to install or build. */
const isImage = !existsSync(path.join(ROOT, "app"));
const PINNED_VERSION = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")).dependencies.node;
/** Path of the Node version that package.json pins: the running one, as in the image, or the installed one. */
export const NODE_EXECUTABLE =
  process.version === `v${PINNED_VERSION}` ? process.execPath : path.join(ROOT, "node_modules/.bin/node");
const PINNED_VARIABLE = "ON_PINNED_NODE";

const PRISMA_CLI_PATH = "node_modules/prisma/build/index.js";
const REACT_ROUTER_CLI_PATH = "node_modules/@react-router/dev/bin.cjs";
const SCHEMA_FILES = ["prisma/models.prisma", "prisma/sqlite/schema.prisma", "prisma/postgresql/schema.prisma"];
const BUILD_INPUTS = [
  "app",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "tsconfig.json",
  "package-lock.json",
  ...SCHEMA_FILES,
];

/**
 * Installs the packages of package-lock.json if any is missing from node_modules. Includes the development tools, which
 * are needed to build the application.
 */
export async function installPackages() {
  if (isImage || hasInstalledPackages()) return;
  console.log("Installing packages (the first time takes a minute) …");
  const env = { ...process.env, NODE_ENV: "development" };
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith("npm-cli.js") ? [process.execPath, npm] : ["npm"];
  await runCommandQuietly(command, [...first, "ci", "--include=dev", "--no-audit", "--no-fund"], env).catch((error) => {
    if (error.code === "ENOENT")
      throw new Error("npm was not found. Install Node.js with npm (nodejs.org), then try again.");
    throw new Error(
      `${error.message}\n\nThe packages could not be installed. npm needs its registry: is this machine online?`,
    );
  });
  if (!hasInstalledPackages()) {
    throw new Error(
      "The pinned Node is missing from node_modules: npm was told to skip scripts. Run: npm rebuild node --ignore-scripts=false",
    );
  }
}

/** Generates the two database clients from their schemas. */
export async function generatePrismaClients() {
  if (isImage) return;
  const stampFile = "prisma/sqlite/client/.source-hash";
  const hash = computeSourceHash([...SCHEMA_FILES, "package-lock.json"]);
  if (isUpToDate(stampFile, hash)) return;
  console.log("Generating the database clients …");
  const generate = (/** @type {string} */ url) =>
    runCommandQuietly(NODE_EXECUTABLE, [PRISMA_CLI_PATH, "generate"], { ...process.env, DATABASE_URL: url });
  await Promise.all([generate("file:unused"), generate("postgresql://unused")]);
  writeFileSync(path.join(ROOT, stampFile), hash);
}

/** Builds the application if its sources have changed since the last build. */
export async function buildIfOutdated() {
  if (isImage) return;
  const stampFile = "build/.source-hash";
  const hash = computeSourceHash(BUILD_INPUTS);
  if (isUpToDate(stampFile, hash)) return;
  console.log("Building …");
  rmSync(COMPILE_CACHE_FOLDER, { recursive: true, force: true });
  const settings = { NODE_ENV: "production", TZ: "UTC", VITE_SOURCE_HASH: hash };
  await runCommandQuietly(NODE_EXECUTABLE, [REACT_ROUTER_CLI_PATH, "build"], { ...process.env, ...settings });
  writeFileSync(path.join(ROOT, stampFile), hash);
}

/**
 * Prepares everything, runs a command again on the pinned Node version with the settings of `.env`, and exits with its
 * exit code. The command's output is shown. Returns immediately if already called on the pinned version.
 * @param {string[]} command
 */
export async function prepareAndRunOnPinnedNode(command) {
  if (process.env[PINNED_VARIABLE]) return;
  try {
    await installPackages();
    await generatePrismaClients();
    await buildIfOutdated();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  const env = { ...process.env, [PINNED_VARIABLE]: "1", TZ: "UTC", NODE_ENV: "production" };
  const options = { cwd: ROOT, stdio: /** @type {const} */ ("inherit"), env, ...getDataFolderOwner() };
  process.exit(spawnSync(NODE_EXECUTABLE, [...envFileArguments(), ...command], options).status ?? 1);
}

/**
 * Returns the user and group for a command that root runs in a container: those of the data folder's owner, because the
 * server's account could not read files that root created.
 */
function getDataFolderOwner() {
  const data = process.env.DATA_DIR;
  if (!isImage || !data || process.getuid?.() !== 0 || !existsSync(data)) return {};
  const { uid, gid } = statSync(data);
  return { uid, gid };
}

/** Returns Node's arguments to read `.env`, if it exists. */
export function envFileArguments() {
  return existsSync(path.join(ROOT, ".env")) ? ["--env-file=.env"] : [];
}

/** Checks npm's list of installed packages for missing ones, except those for other platforms. */
function hasInstalledPackages() {
  const lockedPackages = readLockedPackages("package-lock.json");
  const installedPackages = readLockedPackages("node_modules/.package-lock.json");
  /** @type {(each: [string, Package]) => boolean} */
  const isPackageInstalled = ([name, entry]) =>
    name === "" || entry.optional || entry.devOptional || installedPackages[name]?.version === entry.version;
  return existsSync(NODE_EXECUTABLE) && Object.entries(lockedPackages).every(isPackageInstalled);
}

/**
 * @param {string} lockFile
 * @returns {Record<string, Package>}
 */
function readLockedPackages(lockFile) {
  const file = path.join(ROOT, lockFile);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}

/**
 * Checks whether the last run wrote this hash of the sources to the stamp file.
 * @param {string} stampFile
 * @param {string} hash
 */
function isUpToDate(stampFile, hash) {
  const file = path.join(ROOT, stampFile);
  return existsSync(file) && readFileSync(file, "utf8") === hash;
}

/** @param {string[]} names files and folders */
function computeSourceHash(names) {
  const hash = createHash("sha256");
  for (const name of names) {
    const fullPath = path.join(ROOT, name);
    if (!existsSync(fullPath)) continue;
    const files = statSync(fullPath).isDirectory() ? listFilesRecursively(fullPath) : [fullPath];
    for (const file of files)
      hash
        .update(`${path.relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFilesRecursively(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const fullPath = path.join(folder, entry.name);
    return entry.isDirectory() ? listFilesRecursively(fullPath) : [fullPath];
  });
}

/**
 * Runs a command and prints its output only when it fails.
 * @param {string} command
 * @param {string[]} parameters
 * @param {NodeJS.ProcessEnv} env
 */
function runCommandQuietly(command, parameters, env) {
  const child = spawn(command, parameters, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(output) : reject(new Error(output.trim()))));
  });
}
