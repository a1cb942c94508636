// Backup commands. FILE is a path, a name in BACKUP_STORAGE, or `latest`:
//   npm run backup [-- FILE]                       one encrypted file with the database and all documents; the application may be running
//   npm run restore -- FILE [--replace]            restores into DATABASE_URL and FILE_STORAGE; stop the application first
//   npm run restore:rehearse [-- FILE]             restores into a temporary folder, verifies the result, and deletes it
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const USAGE =
  "Use: npm run backup [-- FILE], npm run restore -- FILE [--replace], or: npm run restore:rehearse [-- FILE]";
/** @type {Record<string, string[]>} */
const ALLOWED_OPTIONS = { backup: [], restore: ["--replace", "--rehearsal"], rehearse: [] };
const [command = "", ...parameters] = process.argv.slice(2);
const options = parameters.filter((each) => ALLOWED_OPTIONS[command]?.includes(each));
const names = parameters.filter((each) => !options.includes(each));

const isKnownCommand = Object.keys(ALLOWED_OPTIONS).includes(command);
if (!isKnownCommand || names.length > 1 || names[0]?.startsWith("-") || (command === "restore" && !names[0]))
  exitWithMessage(USAGE);
await prepareAndRunOnPinnedNode(["bin/backup.js", command, ...parameters]);

const { knownMigrations, ensureDatabase, migrate } = await import("./migrate.js");
const build = await import(path.join(ROOT, "build/server/index.js")).catch(exitWithError);
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
const { env } = commands;
const commandHandlers = { backup: createBackup, restore, rehearse };
await commandHandlers[/** @type {keyof typeof commandHandlers} */ (command)](names[0]).catch(exitWithError);
process.exit(process.exitCode ?? 0);

/** @param {string} [file] */
async function createBackup(file) {
  const { summary, damaged } = await commands.createBackup(file && path.resolve(file));
  await commands.closeDatabase();
  console.log(summary);
  process.exitCode = damaged.length > 0 ? 1 : 0;
}

/** @param {string} [name] */
async function restore(name = "") {
  const url = env.databaseUrl;
  const { eraseRestoredAccounts, markErasedAccountsAfterRestore } = commands;
  console.log(
    await commands.restoreBackup({
      name,
      mayReplace: options.includes("--replace"),
      isRehearsal: options.includes("--rehearsal"),
      migrations: await knownMigrations(url),
      ensureDatabase: () => ensureDatabase(url),
      migrate: () => migrate(url),
      reapplyErasures: markErasedAccountsAfterRestore,
      eraseAccountsOfBackup: eraseRestoredAccounts,
    }),
  );
}

/** Restores in a child process whose settings point to a temporary folder, and records the result. */
async function rehearse(name = "latest") {
  mkdirSync(env.dataDir, { recursive: true });
  await commands.removeStaleBackupResources().catch(reportCleanupError);
  const folder = mkdtempSync(path.join(env.dataDir, `rehearsal-${process.pid}-`));
  const isSqlite = env.databaseUrl.startsWith("file:");
  const database = isSqlite ? { url: `file:${folder}/app.db` } : await commands.reserveRehearsalDatabase();
  const storage = env.backups.bucket ? {} : { BACKUP_STORAGE: `file:${env.backups.folder}` };
  const settings = { DATABASE_URL: database.url, DATA_DIR: folder, FILE_STORAGE: `file:${folder}/files`, ...storage };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["bin/backup.js", "restore", name, "--rehearsal"], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    encoding: "utf8",
  });
  if ("remove" in database) await database.remove();
  rmSync(folder, { recursive: true, force: true });
  const succeeded = status === 0;
  const summary = (succeeded ? stdout : stderr).trim().split("\n").at(-1) ?? "";
  await commands.recordBackupRun("rehearsal", { succeeded, summary, file: name });
  if (!succeeded) exitWithMessage(`The rehearsal failed. ${summary}`);
  console.log(`The rehearsal went well: this backup can be restored. ${summary}`);
}

/** @param {Error} error */
function reportCleanupError(error) {
  console.error(`What an earlier rehearsal left behind could not be removed: ${error.message}`);
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function exitWithError(error) {
  const isExpected = error instanceof Error && error.name === "OperatorError";
  exitWithMessage(isExpected ? error.message : String(/** @type {Error} */ (error).stack ?? error));
}

/**
 * @param {string} message
 * @returns {never}
 */
function exitWithMessage(message) {
  console.error(message);
  process.exit(1);
}
