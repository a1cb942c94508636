// npm run retention -- --dry-run: prints what the site would delete now because of its age (CLOSED_ACCOUNT_YEARS and
// REQUEST_MONTHS), and which closed requests and incidents of the legal pages. Deletes nothing and prints no personal
// data. The running application deletes these records every hour.
import path from "node:path";
import { prepareAndRunOnPinnedNode, ROOT } from "./prepare.js";

const args = process.argv.slice(2);
if (args.length !== 1 || args[0] !== "--dry-run") exitWithMessage("Use: npm run retention -- --dry-run");
await prepareAndRunOnPinnedNode(["bin/retention.js", ...args]);

const { migrate, requireInitializedDatabase } = await import("./migrate.js");
// An empty database would count nothing, and creating one is no dry run.
await requireInitializedDatabase("nothing was counted").catch((error) => exitWithMessage(error.message));
const build = await import(path.join(ROOT, "build/server/index.js")).catch((error) => exitWithMessage(error.message));
/** @type {typeof import("../app/process/command-exports.server.ts")} */
const commands = build.entry.module.commands;
await migrate(commands.env.databaseUrl);
const { accounts, isAccountErasurePaused, requests, legalRequests, incidents } = await commands
  .previewExpiredRecords()
  .catch((error) => exitWithMessage(error.message));
await commands.closeDatabase();
console.log(
  accounts
    ? `Closed accounts: ${accounts.ids.length} would be erased, closed before ${formatDay(accounts.before)}.${describeAccountIds(accounts.ids)}`
    : "Closed accounts stay: CLOSED_ACCOUNT_YEARS is not set.",
);
if (accounts && isAccountErasurePaused)
  console.log("They wait until what a restored backup may have brought back is marked as seen in System status.");
console.log(
  requests
    ? `Requests that were never scheduled: ${requests.count} would be deleted, sent before ${formatDay(requests.before)}.`
    : "Requests that were never scheduled stay: REQUEST_MONTHS is not set.",
);
console.log(
  `Requests about privacy and accessibility: ${legalRequests.count} would be deleted, closed before ${formatDay(legalRequests.before)}.`,
);
console.log(`Incidents: ${incidents.count} would be deleted, closed before ${formatDay(incidents.before)}.`);
process.exit(0);

/** @param {Date} instant */
function formatDay(instant) {
  return instant.toISOString().slice(0, 10);
}

/** @param {number[]} ids */
function describeAccountIds(ids) {
  return ids.length === 0 ? "" : ` Their numbers, as in the address of a family's page: ${ids.join(", ")}.`;
}

/**
 * @param {string} message
 * @returns {never}
 */
function exitWithMessage(message) {
  console.error(message);
  process.exit(1);
}
