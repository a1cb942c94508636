// Functions that the commands in bin/ call: npm run admin, audit, backup, restore, documents, retention, mail-test.
export { demoteAdministrator, setPassword } from "../accounts/account-commands.server.ts";
export { reSignAuditChain } from "../audit/re-sign-chain.server.ts";
export { verifyChain } from "../audit/verify.server.ts";
export { createBackup } from "../backup/create-backup.server.ts";
export { copyToPostgresql } from "../backup/copy-to-postgresql.server.ts";
export { restore } from "../backup/restore.server.ts";
export { recordRun } from "../backup/status.server.ts";
export { closeDatabase } from "../db/client.server.ts";
export { rotateKeys } from "../documents/key-rotation.server.ts";
export { scanStoredDocuments } from "../documents/scan-stored.server.ts";
export { verifyDocuments } from "../documents/verify-documents.server.ts";
export { clearSharedLimits } from "../http/rate-limit.server.ts";
export { eraseAccountsOfBackup, reapplyErasures } from "../data-rights/erase-accounts.server.ts";
export { previewRetention } from "../data-rights/retention.server.ts";
export { sendTestMail } from "../mail/test-mail.server.ts";
export { apiDescription } from "../openapi/api-description.server.ts";
export { env } from "../env.server.ts";
