import { deleteExpiredRows } from "../accounts/expired-rows.server.ts";
import { anchorJob } from "../audit/anchor-job.server.ts";
import { auditRetentionJob } from "../audit/audit-retention.server.ts";
import { nightlyBackupJob } from "../backup/nightly-backup.server.ts";
import { followUpReminderJob } from "../booking/follow-ups/follow-up-reminders.server.ts";
import { reminderJob } from "../booking/messages/visit-reminders.server.ts";
import { deletePastWaitingListEntries, waitingListJob } from "../booking/waiting-list/waiting-list-offers.server.ts";
import { reconcilerJob } from "../checkout/reconciler.server.ts";
import { paymentScriptJob } from "../checkout/script-watch/watch-payment-script.server.ts";
import { reencryptTexts } from "../db/reencrypt.server.ts";
import { deleteOrphanedFiles } from "../documents/orphaned-files.server.ts";
import { verifyNextDocumentHash } from "../documents/verify-document-hashes.server.ts";
import { HOUR_MS, MINUTE_MS } from "../time-units.ts";
import { logError } from "../http/errors.server.ts";
import { logPageCacheHits } from "../http/log.server.ts";
import { refreshWarnings } from "../http/admin-warnings.server.ts";
import { MAIL_JOBS } from "../mail/mail-delivery.server.ts";
import { refreshPublicPagesIfChanged } from "../practice/practice-settings.server.ts";
import { erasureJob } from "../data-rights/erase-accounts.server.ts";
import { retentionJob } from "../data-rights/retention.server.ts";
import { type PeriodicJob, startPeriodicJob } from "../periodic-job.ts";

/** Maximum age of a public page after another process has changed the practice's settings. */
const PUBLIC_PAGES_REFRESH_INTERVAL_MS = 5_000;

/** All background work that no request triggers, except the checks of open sockets (video/socket-maintenance.server.ts). */
export const JOBS: PeriodicJob[] = [
  {
    name: "removing files without a record",
    intervalMs: HOUR_MS,
    delayMs: HOUR_MS,
    run: async () => void (await deleteOrphanedFiles()),
  },
  { name: "checking a document", intervalMs: MINUTE_MS, delayMs: MINUTE_MS, run: verifyNextDocumentHash },
  { name: "cleanup of expired rows", intervalMs: HOUR_MS, run: deleteExpiredRows },
  { name: "cleanup of waiting lists", intervalMs: HOUR_MS, run: deletePastWaitingListEntries },
  { name: "checking the system", intervalMs: MINUTE_MS, run: refreshWarnings },
  {
    name: "rendering changed public pages",
    intervalMs: PUBLIC_PAGES_REFRESH_INTERVAL_MS,
    run: refreshPublicPagesIfChanged,
  },
  { name: "counting cached pages", intervalMs: MINUTE_MS, run: logPageCacheHits, onStop: logPageCacheHits },
  erasureJob,
  retentionJob,
  nightlyBackupJob,
  reconcilerJob,
  paymentScriptJob,
  reminderJob,
  anchorJob,
  auditRetentionJob,
  followUpReminderJob,
  waitingListJob,
  ...MAIL_JOBS,
  {
    name: "encrypting texts",
    intervalMs: null,
    run: async (signal) => void (await reencryptTexts({ scope: "plaintext", isStopped: () => signal.aborted })),
  },
];

const runningJobs: { job: PeriodicJob; stop: () => Promise<void> }[] = [];

export function startJobs(): void {
  runningJobs.push(...JOBS.map((job) => ({ job, ...startPeriodicJob(job, logError) })));
}

/**
 * Stops all jobs: starts no further run, and waits up to 3 s for those in progress. The end of the audit
 * trail is noted last, because the other jobs may still record what they finish.
 */
export async function stopJobs(): Promise<void> {
  const jobs = runningJobs.splice(0);
  await Promise.all(jobs.filter(({ job }) => job !== anchorJob).map(({ stop }) => stop()));
  await Promise.all(jobs.filter(({ job }) => job === anchorJob).map(({ stop }) => stop()));
}
