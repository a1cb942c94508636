// Functions that tests and bench/ call in the server process, instead of waiting for a job or sending a thousand
// requests.
export { consumeMutationLimits } from "../accounts/sessions/mutation-rate-limits.server.ts";
export { createRequestHandler as createFetchHandler } from "react-router";
export { drainResetLinkQueue } from "../accounts/passwords/request-reset-link.server.ts";
export { ensureAdministrator } from "../accounts/create-administrator.server.ts";
export { deleteExpiredRows } from "../accounts/expired-rows.server.ts";
export { signInCookies } from "../accounts/sessions/session.server.ts";
export { createSession } from "../accounts/sessions/session-store.server.ts";
export { removeStaleTempFiles } from "../backup/stale-temp-files.server.ts";
export { recordRun } from "../backup/status.server.ts";
export { writeFollowUpReminders } from "../booking/follow-ups/follow-up-reminders.server.ts";
export { writeReminders } from "../booking/messages/reminders.server.ts";
export { finishBackgroundWork, reconcile } from "../checkout/reconciler.server.ts";
export { setNow } from "../clock.ts";
export { CONSENT_DOCUMENTS } from "../consents/consent-documents.ts";
export { db } from "../db/client.server.ts";
export { DOWNLOAD_LIMITS } from "../documents/download/download-limits.server.ts";
export { deleteOrphanedFiles } from "../documents/orphaned-files.server.ts";
export { verifyDocuments } from "../documents/verify-documents.server.ts";
export { BODY_MEMORY_LIMITS } from "../http/body-memory.server.ts";
export { registerReadinessCheck } from "../http/health.server.ts";
export { warmPageCache } from "../http/page-cache.server.ts";
export { refreshPublicPages } from "../practice/settings.server.ts";
export { CONNECTION_LIMITS } from "../http/connections.server.ts";
export { closeSlowReaders } from "../http/unread-responses.server.ts";
export { refreshWarnings } from "../http/admin-warnings.server.ts";
export { deliverDueMessages } from "../mail/delivery.server.ts";
export { closeMailConnections } from "../mail/transport.server.ts";
export {
  cancelVisitsOfAccountsPendingErasure,
  eraseDueAccounts,
  eraseAccountsOfBackup,
  reapplyErasures,
} from "../data-rights/erase-accounts.server.ts";
export { pingAll, stopHeartbeat, touchActiveSessions } from "../video/heartbeat.server.ts";
export { closeRevokedSockets } from "../video/socket-access-check.server.ts";
export { FRAME_RATE_LIMITS } from "../video/token-bucket.server.ts";
export { findFamiliesInWaitingRoom } from "../video/waiting-room-families.server.ts";
export { JOBS, stopJobs } from "./jobs.server.ts";
