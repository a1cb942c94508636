// Commands for the audit trail, which run beside the product:
//   npm run audit -- verify   follows the whole chain: prints how many entries hold, or the first that does not (exit code 1)
//   npm run audit -- accept   signs the end of the chain again, once you know why its signature did not fit
import path from "node:path";
import { runOnPinnedNode, ROOT } from "./prepare.js";

const [command = "", ...others] = process.argv.slice(2);

if (!["verify", "accept"].includes(command) || others.length > 0)
  stop("Use: npm run audit -- verify, or: npm run audit -- accept");
await runOnPinnedNode(["bin/audit.js", command]);

const { migrate } = await import("./migrate.js");
const build = await import(path.join(ROOT, "build/server/index.js")).catch((error) => stop(error.message));
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
await migrate(commands.env.databaseUrl);
const result = await (command === "accept" ? accept() : commands.verifyChain()).catch((error) => stop(error.message));
await commands.closeDatabase();
if (!result.holds) stop(`Entry ${result.sequence} ${result.problem}.`);
console.log(`${result.count} entries hold. The last is number ${result.lastSequence}.`);
process.exit(0);

async function accept() {
  await commands.reSignAuditChain();
  return commands.verifyChain();
}

/**
 * @param {string} message
 * @returns {never}
 */
function stop(message) {
  console.error(message);
  process.exit(1);
}
