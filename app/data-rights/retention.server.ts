import { subMonths, subYears } from "date-fns";
import { now } from "../clock.ts";
import { countRequestsBefore, deleteRequestsBefore } from "../consultations/old-requests.server.ts";
import { db } from "../db/client.server.ts";
import { HOUR_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import { log } from "../http/log.server.ts";
import type { Job } from "../periodic-job.ts";
import { eraseClosedAccounts } from "./erase-accounts.server.ts";

/**
 * The instants (UTC) before which a closed account is erased and an unscheduled request is deleted; null where that is
 * not set (CLOSED_ACCOUNT_YEARS, REQUEST_MONTHS).
 */
function cutoffs() {
  const { closedAccountYears, requestMonths } = env.retention;
  return {
    accounts: closedAccountYears === null ? null : subYears(now(), closedAccountYears),
    requests: requestMonths === null ? null : subMonths(now(), requestMonths),
  };
}

/** What retention would delete now; each is null where no time is set. Changes nothing, names nobody. */
export async function previewRetention() {
  const { accounts, requests } = cutoffs();
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
  return { accounts: closed, requests: requests && { before: requests, count: await countRequestsBefore(requests) } };
}

/** Erases closed accounts, 20 a run, and deletes unscheduled requests whose time is over, and logs how many of each. */
export async function applyRetention(signal: AbortSignal): Promise<void> {
  const { accounts, requests } = cutoffs();
  const erased = {
    requests: requests ? await deleteRequestsBefore(requests) : 0,
    accounts: accounts ? await eraseClosedAccounts(accounts, signal) : 0,
  };
  if (erased.accounts + erased.requests > 0) log.info(erased, "deleted what was kept long enough");
}

export const retentionJob: Job = {
  name: "deleting what was kept long enough",
  intervalMs: HOUR_MS,
  run: applyRetention,
};
