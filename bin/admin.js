// Commands for the administrator's account:
//   npm run admin -- password EMAIL   sets a new password (read from standard input, otherwise generated and printed)
//   npm run admin -- remove EMAIL     makes an administrator a client
//   npm run admin -- clear-limits     PostgreSQL: deletes the counted attempts, which resets all rate limits
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const USAGE =
  "Use: npm run admin -- password EMAIL, or: npm run admin -- remove EMAIL, or: npm run admin -- clear-limits";
const [command = "", email = ""] = process.argv.slice(2);

const needsEmail = command !== "clear-limits";
if (!["password", "remove", "clear-limits"].includes(command) || needsEmail !== Boolean(email)) exitWithMessage(USAGE);
await prepareAndRunOnPinnedNode(["bin/admin.js", command, ...(needsEmail ? [email] : [])]);

const { migrate } = await import("./migrate.js");
const build = await import(path.join(ROOT, "build/server/index.js")).catch((error) => exitWithMessage(error.message));
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
await migrate(commands.env.databaseUrl);
if (!needsEmail) {
  await commands.clearSharedAttemptCounts();
  await commands.closeDatabase();
  console.log("The counted attempts are deleted.");
  process.exit(0);
}
const outcome =
  command === "password"
    ? await commands.setPasswordAndRevokeAccess(email, await readPassword())
    : await commands.demoteAdministrator(email);
await commands.closeDatabase();
if (!outcome.ok) exitWithMessage(outcome.message);
console.log(outcome.value);
process.exit(0);

/** Reads one line of standard input. Returns an empty string if there is none; a password is then generated. */
async function readPassword() {
  if (process.stdin.isTTY) process.stdout.write("New password (Enter to have one made up): ");
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return "";
}

/**
 * @param {string} message
 * @returns {never}
 */
function exitWithMessage(message) {
  console.error(message);
  process.exit(1);
}
