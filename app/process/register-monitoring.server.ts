import { failedAuthenticationWarnings } from "../accounts/passwords/failed-authentication-warnings.server.ts";
import { auditWarnings } from "../audit/audit-warnings.server.ts";
import { setInvalidHeadListener } from "../audit/audit-chain-head.server.ts";
import { backupWarnings } from "../backup/backup-warnings.server.ts";
import { unknownRevocationsWarnings } from "../backup/unknown-revocations.server.ts";
import { findPaymentWarnings } from "../checkout/payment-warnings.server.ts";
import { findPaymentScriptWarnings } from "../checkout/script-watch/payment-script-warnings.server.ts";
import { overdueErasureWarnings } from "../data-rights/overdue-erasures.server.ts";
import { fieldEncryptionWarnings, onUnreadableColumn } from "../db/text-encryption.server.ts";
import { infectedDocumentWarnings } from "../documents/scan-stored-documents.server.ts";
import { damagedDocumentWarnings, storageWarnings } from "../documents/storage-warnings.server.ts";
import { fileStore } from "../files/configured-file-store.server.ts";
import { virusScanWarnings } from "../files/virus-scan.server.ts";
import { logError } from "../http/errors.server.ts";
import { registerReadinessCheck } from "../http/health.server.ts";
import { registerWarningSource } from "../http/admin-warnings.server.ts";
import { mailWarnings } from "../mail/mail-warnings.server.ts";

/** Registers the checks of `/readyz`, the administrator's warnings and the log's alerts. */
export function registerMonitoring(): void {
  registerReadinessCheck("storage", () => fileStore.ping());
  registerWarningSource("payments", findPaymentWarnings);
  registerWarningSource("payment script", () => findPaymentScriptWarnings());
  registerWarningSource("storage", storageWarnings);
  registerWarningSource("damaged documents", damagedDocumentWarnings);
  registerWarningSource("virus scan", virusScanWarnings);
  registerWarningSource("infected documents", infectedDocumentWarnings);
  registerWarningSource("backups", backupWarnings);
  registerWarningSource("restored backup", unknownRevocationsWarnings);
  registerWarningSource("access log", auditWarnings);
  registerWarningSource("mail", mailWarnings);
  registerWarningSource("overdue erasures", overdueErasureWarnings);
  registerWarningSource("sign-in", failedAuthenticationWarnings);
  registerWarningSource("encrypted texts", fieldEncryptionWarnings);
  setInvalidHeadListener(() =>
    logError("The end of the audit trail is not as it was left: run npm run audit -- verify.", "alert: audit trail"),
  );
  onUnreadableColumn((column) =>
    logError(
      `A value of ${column} can't be decrypted: its key is missing, or it was altered.`,
      "alert: encrypted texts",
    ),
  );
}
