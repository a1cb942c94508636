import { readBackupStatus } from "../backup/backup-status.server.ts";
import { countPaymentsByState } from "../checkout/payment-warnings.server.ts";
import { SECOND_MS } from "../time-units.ts";
import { registerGauge, startMetrics } from "../http/metrics.server.ts";
import { currentWarnings } from "../http/admin-warnings.server.ts";
import { readOutboxMetrics } from "../mail/outbox-metrics.server.ts";
import { countSockets } from "../video/signaling.server.ts";
import { readDiskSpace } from "./system-info.server.ts";

/** Registers the metrics of `/metrics` that are not measured per request. None identifies a family. */
export function registerMetrics(): void {
  startMetrics();
  registerGauge("video_sockets", "Open sockets of video visits in this process", countSockets);
  registerGauge("payments", "Card payments by state", countPaymentsByState, "state");
  registerGauge("system_warnings", "Warnings on the administrator's dashboard", () => currentWarnings().length);
  registerGauge(
    "mail",
    "Mail by state: pending, or failed within two weeks",
    async () => {
      const { pending, failed } = await readOutboxMetrics();
      return { pending, failed };
    },
    "state",
  );
  registerGauge(
    "mail_oldest_pending_seconds",
    "Age of the oldest mail that waits to be sent; 0 where none waits",
    async () => (await readOutboxMetrics()).oldestSeconds,
  );
  registerGauge("disk_free_bytes", "Free space where DATA_DIR is", async () => (await readDiskSpace()).freeBytes);
  registerGauge(
    "backup_last_success_timestamp_seconds",
    "When the last backup of this machine succeeded, in Unix time; missing before the first",
    async () => {
      const { lastSuccess } = (await readBackupStatus()).backup;
      return lastSuccess ? Date.parse(lastSuccess.at) / SECOND_MS : {};
    },
  );
}
