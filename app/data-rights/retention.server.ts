import { subMonths, subYears } from "date-fns";
import { findUnacknowledgedRevocationLoss } from "../backup/unknown-revocations.server.ts";
import { now } from "../clock.ts";
import { countCasesClosedBefore, deleteCasesClosedBefore } from "../compliance/case-retention.server.ts";
import {
  countPendingRequestsBefore,
  deletePendingRequestsBefore,
} from "../consultation-requests/consultation-request-retention.server.ts";
import { db } from "../db/database-client.server.ts";
import { HOUR_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { log } from "../http/log.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { eraseClosedAccounts } from "./erase-accounts.server.ts";

/** Number of years that the record of a closed incident is kept. Source: 45 CFR 164.414(b), 164.530(j). */
const INCIDENT_RETENTION_YEARS = 6;

/**
 * Returns the cutoff instants (UTC) of retention. `accounts`: accounts closed earlier are erased; null if
 * CLOSED_ACCOUNT_YEARS is not set. `requests`: earlier unscheduled requests are deleted; null if REQUEST_MONTHS is not
 * set. `legalRequests` and `incidents`: requests about privacy or accessibility, and incidents, that were closed
 * earlier are deleted. Without REQUEST_MONTHS, requests about privacy or accessibility are kept as long as incidents.
 */
function retentionCutoffs() {
  const { closedAccountYears, requestMonths } = env.retention;
  const incidents = subYears(now(), INCIDENT_RETENTION_YEARS);
  const requests = requestMonths === null ? null : subMonths(now(), requestMonths);
  return {
    accounts: closedAccountYears === null ? null : subYears(now(), closedAccountYears),
    requests,
    legalRequests: requests ?? incidents,
    incidents,
  };
}

/**
 * Returns whether closed accounts must not be erased, because an account may have been reopened after the backup that
 * was restored last.
 */
async function isAccountErasurePaused(): Promise<boolean> {
  return (await findUnacknowledgedRevocationLoss()) !== null;
}

/**
 * Returns what retention would delete now; null if no time is set. Closed accounts wait while `isAccountErasurePaused`.
 * Changes nothing; the result contains no personal data.
 */
export async function previewExpiredRecords() {
  const { accounts, requests, legalRequests, incidents } = retentionCutoffs();
  const closedAccounts = accounts && {
    before: accounts,
    ids: (
      await db.user.findMany({
        where: { closedAt: { lt: accounts }, isAdmin: false },
        orderBy: { id: "asc" },
        select: { id: true },
      })
    ).map(({ id }) => id),
  };
  return {
    accounts: closedAccounts,
    isAccountErasurePaused: await isAccountErasurePaused(),
    requests: requests && { before: requests, count: await countPendingRequestsBefore(requests) },
    legalRequests: { before: legalRequests, count: await countCasesClosedBefore("legal-requests", legalRequests) },
    incidents: { before: incidents, count: await countCasesClosedBefore("incidents", incidents) },
  };
}

/**
 * Erases closed accounts, deletes requests and incidents whose retention period has ended, and logs the
 * number of each.
 */
export async function deleteExpiredRecords(signal: AbortSignal): Promise<void> {
  const { accounts, requests, legalRequests, incidents } = retentionCutoffs();
  const deletedCounts = {
    requests: requests ? await deletePendingRequestsBefore(requests) : 0,
    legalRequests: await deleteCasesClosedBefore("legal-requests", legalRequests),
    incidents: await deleteCasesClosedBefore("incidents", incidents),
    accounts: accounts && !(await isAccountErasurePaused()) ? await eraseClosedAccounts(accounts, signal) : 0,
  };
  if (Object.values(deletedCounts).some((count) => count > 0)) log.info(deletedCounts, "deleted expired records");
}

export const retentionJob: PeriodicJob = {
  name: "deleting expired records",
  intervalMs: HOUR_MS,
  run: deleteExpiredRecords,
};
