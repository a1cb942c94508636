// npm run move -- postgresql://USER:PASSWORD@HOST/DATABASE
// Copies the records of the SQLite database in DATABASE_URL into that PostgreSQL database. Stop the application first.
import path from "node:path";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const [targetUrl = "", ...others] = process.argv.slice(2);

if (!/^postgres(ql)?:\/\//.test(targetUrl) || others.length > 0)
  exitWithMessage("Use: npm run move -- postgresql://USER:PASSWORD@HOST/DATABASE");
await prepareAndRunOnPinnedNode(["bin/move-database.js", targetUrl]);

const { ensureDatabase, migrate } = await import("./migrate.js");
const build = await import(path.join(ROOT, "build/server/index.js")).catch(exitWithError);
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
try {
  await commands.closeDatabase();
  if (commands.env.databaseUrl.startsWith("file:")) await migrate(commands.env.databaseUrl);
  console.log(await commands.copyToPostgresql({ targetUrl, prepareTarget: createAndMigrateTargetDatabase }));
  process.exit(0);
} catch (error) {
  exitWithError(error);
}

async function createAndMigrateTargetDatabase() {
  await ensureDatabase(targetUrl);
  await migrate(targetUrl);
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
