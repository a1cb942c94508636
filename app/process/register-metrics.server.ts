import { statfs } from "node:fs/promises";
import { readBackupStatus } from "../backup/status.server.ts";
import { countPaymentsByState } from "../checkout/payment-warnings.server.ts";
import { SECOND_MS } from "../duration.ts";
import { env } from "../env.server.ts";
import { registerGauge, startMetrics } from "../http/metrics.server.ts";
import { currentWarnings } from "../http/admin-warnings.server.ts";
import { countSockets } from "../video/signalling.server.ts";

/** Names the figures of `/metrics` that no request carries. None identifies a family. */
export function registerMetrics(): void {
  startMetrics();
  registerGauge("video_sockets", "Open sockets of video visits in this process", countSockets);
  registerGauge("payments", "Card payments by state", countPaymentsByState, "state");
  registerGauge("system_warnings", "Warnings on the administrator's dashboard", () => currentWarnings().length);
  registerGauge("disk_free_bytes", "Free space where DATA_DIR is", async () => {
    const { bavail, bsize } = await statfs(env.dataDir);
    return bavail * bsize;
  });
  registerGauge(
    "backup_last_success_timestamp_seconds",
    "When the last backup of this machine succeeded, in Unix time; missing before the first",
    async () => {
      const { lastSuccess } = (await readBackupStatus()).backup;
      return lastSuccess ? Date.parse(lastSuccess.at) / SECOND_MS : {};
    },
  );
}
