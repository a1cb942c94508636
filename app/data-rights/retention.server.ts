import { subMonths, subYears } from "date-fns";
import { findLostRevocations } from "../backup/unknown-revocations.server.ts";
import { now } from "../clock.ts";
import { countCasesBefore, deleteCasesBefore } from "../compliance/case-retention.server.ts";
import {
  countConsultationRequestsBefore,
  deleteConsultationRequestsBefore,
} from "../consultation-requests/request-retention.server.ts";
import { db } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import { log } from "../http/log.server.ts";
import type { Job } from "../periodic-job.ts";
import { eraseClosedAccounts } from "./erase-accounts.server.ts";

/** Years that the record of an incident is kept once it is closed. Source: 45 CFR 164.414(b), 164.530(j). */
const INCIDENT_YEARS = 6;

/**
 * The instants (UTC) before which a closed account is erased and an unscheduled request is deleted, null where that is
 * not set (CLOSED_ACCOUNT_YEARS, REQUEST_MONTHS), and before which a request about privacy or accessibility and an
 * incident were closed that are deleted. Such requests are kept as long as incidents where REQUEST_MONTHS is not set.
 */
function cutoffs() {
  const { closedAccountYears, requestMonths } = env.retention;
  const incidents = subYears(now(), INCIDENT_YEARS);
  const requests = requestMonths === null ? null : subMonths(now(), requestMonths);
  return {
    accounts: closedAccountYears === null ? null : subYears(now(), closedAccountYears),
    requests,
    legalRequests: requests ?? incidents,
    incidents,
  };
}

/** An account may have been opened again after the backup that was restored last. */
async function isAccountErasurePaused(): Promise<boolean> {
  return (await findLostRevocations()) !== null;
}

/**
 * What retention would delete now; null where no time is set. Closed accounts wait while `isAccountErasurePaused`. Changes
 * nothing, contains no personal data.
 */
export async function previewRetention() {
  const { accounts, requests, legalRequests, incidents } = cutoffs();
  const closed = accounts && {
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
    accounts: closed,
    isAccountErasurePaused: await isAccountErasurePaused(),
    requests: requests && { before: requests, count: await countConsultationRequestsBefore(requests) },
    legalRequests: { before: legalRequests, count: await countCasesBefore("legal-requests", legalRequests) },
    incidents: { before: incidents, count: await countCasesBefore("incidents", incidents) },
  };
}

/** Erases closed accounts, 20 a run, and deletes requests and incidents whose time is over, and logs how many of each. */
export async function applyRetention(signal: AbortSignal): Promise<void> {
  const { accounts, requests, legalRequests, incidents } = cutoffs();
  const erased = {
    requests: requests ? await deleteConsultationRequestsBefore(requests) : 0,
    legalRequests: await deleteCasesBefore("legal-requests", legalRequests),
    incidents: await deleteCasesBefore("incidents", incidents),
    accounts: accounts && !(await isAccountErasurePaused()) ? await eraseClosedAccounts(accounts, signal) : 0,
  };
  if (Object.values(erased).some((count) => count > 0)) log.info(erased, "deleted what was kept long enough");
}

export const retentionJob: Job = {
  name: "deleting what was kept long enough",
  intervalMs: HOUR_MS,
  run: applyRetention,
};
