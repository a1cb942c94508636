// Commands for the audit trail. They can run while the application is running:
//   npm run audit -- verify   verifies the whole chain: prints how many entries are valid, or the first invalid one (exit code 1, also if there is no database or no entry)
//   npm run audit -- accept   signs the end of the chain again, after you have found out why its signature is not valid
import path from "node:path";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const [command = "", ...others] = process.argv.slice(2);

if (!["verify", "accept"].includes(command) || others.length > 0)
  exitWithMessage("Use: npm run audit -- verify, or: npm run audit -- accept");
await prepareAndRunOnPinnedNode(["bin/audit.js", command]);

const { migrate, requireInitializedDatabase } = await import("./migrate.js");
// An empty database would pass although nothing was verified.
await requireInitializedDatabase("nothing was verified").catch((error) => exitWithMessage(error.message));
const build = await import(path.join(ROOT, "build/server/index.js")).catch((error) => exitWithMessage(error.message));
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
const { dataDir, databaseUrl } = commands.env;
await migrate(databaseUrl);
const result = await (command === "accept" ? acceptAndVerifyChain() : commands.verifyAuditChain()).catch((error) =>
  exitWithMessage(error.message),
);
await commands.closeDatabase();
if (result.isValid && result.count === 0)
  exitWithMessage(
    `The database has no entry at all: nothing was verified. Set DATABASE_URL and DATA_DIR (${dataDir}) as they are for the product.`,
  );
if (!result.isValid) exitWithMessage(`Entry ${result.sequence} ${result.problem}.`);
console.log(`${result.count} entries hold. The last is number ${result.lastSequence}.`);
process.exit(0);

async function acceptAndVerifyChain() {
  await commands.acceptAndReSignAuditChain();
  return commands.verifyAuditChain();
}

/**
 * @param {string} message
 * @returns {never}
 */
function exitWithMessage(message) {
  console.error(message);
  process.exit(1);
}
