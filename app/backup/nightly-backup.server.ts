import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { now } from "../clock.ts";
import { MINUTE_MS } from "../time-units.ts";
import { env } from "../env.server.ts";
import type { PeriodicJob } from "../periodic-job.ts";
import { isBackupDue } from "./backup-schedule.ts";
import { isBackupConfigured, readBackupStatus } from "./backup-status.server.ts";

const CHECK_INTERVAL_MS = 10 * MINUTE_MS;
/** Project root: two folders up, both in the source tree and in the build. */
const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");

/**
 * Creates the nightly backup at BACKUP_AT, or as soon as the site runs again. Retries a failed backup after an hour.
 */
export const nightlyBackupJob: PeriodicJob = {
  name: "making the nightly backup",
  intervalMs: CHECK_INTERVAL_MS,
  delayMs: CHECK_INTERVAL_MS,
  run: async (signal) => {
    if (!isBackupConfigured()) return;
    const { backup } = await readBackupStatus();
    const schedule = { minutes: env.backups.scheduledMinutes, zone: env.practice.timeZone };
    if (isBackupDue(backup, now(), schedule)) await runBackupInChildProcess(signal);
  },
};

/**
 * Runs `npm run backup` in a separate process, so that hashing and encrypting delay no request. That process records
 * its result (backup.json), and its output goes to this process's log. `signal` ends it.
 */
async function runBackupInChildProcess(signal: AbortSignal): Promise<void> {
  const command = spawn(process.execPath, ["bin/backup.js", "backup"], {
    cwd: PROJECT_ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    signal,
  });
  const [code] = (await once(command, "exit")) as [number | null];
  if (code !== 0) throw new Error(`The nightly backup ended with ${code}.`);
}
