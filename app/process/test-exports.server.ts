// Functions that tests and bench/ call in the server process, instead of waiting for a job or sending a thousand
// requests.
export { consumeMutationLimits } from "../accounts/sessions/mutation-rate-limits.server.ts";
export { createRequestHandler as createFetchHandler } from "react-router";
export { drainResetLinkQueue } from "../accounts/passwords/request-reset-link.server.ts";
export { ensureAdministrator } from "../accounts/create-administrator.server.ts";
export { deleteExpiredRows } from "../accounts/expired-rows.server.ts";
export { signInCookies } from "../accounts/sessions/session.server.ts";
export { createSession } from "../accounts/sessions/session-store.server.ts";
export { removeStaleBackupResources } from "../backup/stale-backup-resources.server.ts";
export { recordBackupRun } from "../backup/backup-status.server.ts";
export { writeFollowUpReminders } from "../booking/follow-ups/follow-up-reminders.server.ts";
export { writeVisitReminders } from "../booking/messages/visit-reminders.server.ts";
export { waitForBackgroundPayments, reconcilePayments } from "../checkout/reconciler.server.ts";
export { setTestClock } from "../clock.ts";
export { CONSENT_DOCUMENTS } from "../consents/consent-documents.ts";
export { db } from "../db/database-client.server.ts";
export { DOWNLOAD_LIMITS } from "../documents/download/download-limits.server.ts";
export { deleteOrphanedFiles } from "../documents/orphaned-files.server.ts";
export { verifyAllDocumentHashes } from "../documents/verify-document-hashes.server.ts";
export { BODY_MEMORY_LIMITS } from "../http/body-memory.server.ts";
export { registerReadinessCheck } from "../http/health.server.ts";
export { warmPageCache } from "../http/page-cache.server.ts";
export { refreshPublicPagesIfChanged } from "../practice/practice-settings.server.ts";
export { CONNECTION_LIMITS } from "../http/http-connections.server.ts";
export { closeSlowReaders } from "../http/slow-reader-limits.server.ts";
export { refreshWarnings } from "../http/admin-warnings.server.ts";
export { deliverDueMessages } from "../mail/mail-delivery.server.ts";
export { closeMailConnections } from "../mail/mail-transport.server.ts";
export {
  cancelVisitsOfAccountsPendingErasure,
  eraseDueAccounts,
  eraseRestoredAccounts,
  markErasedAccountsAfterRestore,
} from "../data-rights/erase-accounts.server.ts";
export {
  terminateOrPingSockets,
  stopSocketMaintenance,
  touchSessionsInCall,
} from "../video/socket-maintenance.server.ts";
export { closeRevokedSockets } from "../video/socket-access-check.server.ts";
export { FRAME_RATE_LIMITS } from "../video/token-bucket.server.ts";
export { findFamiliesInWaitingRoom } from "../video/waiting-room-families.server.ts";
export { JOBS, stopJobs } from "./jobs.server.ts";
