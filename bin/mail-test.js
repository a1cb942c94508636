// npm run mail-test -- ADDRESS: sends one test message through SMTP_URL and prints the mail server's reply.
import path from "node:path";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const [address = "", ...more] = process.argv.slice(2);
if (!/^[^\s@]+@[^\s@]+$/.test(address) || more.length > 0) exitWithMessage("Use: npm run mail-test -- ADDRESS");
await prepareAndRunOnPinnedNode(["bin/mail-test.js", address]);

const build = await import(path.join(ROOT, "build/server/index.js")).catch((error) => exitWithMessage(error.message));
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
const outcome = await commands.sendTestMail(address);
await commands.closeDatabase();
if (!outcome.ok) exitWithMessage(outcome.message);
console.log(outcome.value);
process.exit(0);

/**
 * @param {string} message
 * @returns {never}
 */
function exitWithMessage(message) {
  console.error(message);
  process.exit(1);
}
