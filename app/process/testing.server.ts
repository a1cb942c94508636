// What tests and bench/ call in the process of the server, instead of waiting for a job or sending a thousand requests.
export { createRequestHandler as createFetchHandler } from "react-router";
export { deleteExpired } from "../accounts/cleanup.server.ts";
export { removeLeftovers } from "../backup/leftovers.server.ts";
export { recordRun } from "../backup/status.server.ts";
export { finishBackgroundWork, reconcile } from "../checkout/reconciler.server.ts";
export { setNow } from "../clock.ts";
export { db } from "../db/client.server.ts";
export { DOWNLOAD_LIMITS } from "../documents/download-limits.server.ts";
export { deleteOrphanedFiles, verifyDocuments } from "../documents/maintenance.server.ts";
export { BODY_LIMITS } from "../http/body-limits.server.ts";
export { registerReadinessCheck } from "../http/health.server.ts";
export { warmPageCache } from "../http/page-cache.server.ts";
export { CONNECTION_LIMITS } from "../http/request-queue.server.ts";
export { runChecks } from "../http/system-checks.server.ts";
export { pingAll, revalidateSockets, touchActiveSessions } from "../video/heartbeat.server.ts";
export { BUDGETS } from "../video/token-bucket.server.ts";
export { findWaitingFamilies } from "../video/waiting-families.server.ts";
export { JOBS } from "./jobs.server.ts";
