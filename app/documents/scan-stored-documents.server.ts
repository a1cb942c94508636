import { recordAuditInTransaction, recordAuditNow } from "../audit/record-audit.server.ts";
import { now } from "../clock.ts";
import { db, inTransaction } from "../db/database-client.server.ts";
import { ScannerError, TooLargeToScanError } from "../files/clamd.server.ts";
import {
  isScannerConfigured,
  isVirusSignature,
  scanForViruses,
  SuspiciousFileError,
} from "../files/virus-scan.server.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { logError } from "../http/errors.server.ts";
import { OperatorError } from "../operator-error.ts";
import { readStoredPortrait } from "../practice/consultant-profile.server.ts";
import { type FileRecord, openDocumentFile } from "./download/open-document-file.server.ts";
import { findDocumentAfterId } from "./verify-document-hashes.server.ts";

type ScanFinding = { id: number; signature: string };
type ScannedDocument = FileRecord & { userId: number };

/**
 * Documents grouped by the result of their scan. A document that could not be inspected or read is neither clean nor
 * infected.
 */
export type ScanReport = {
  clean: number;
  infected: ScanFinding[];
  unchecked: ScanFinding[];
  /** larger than clamd's StreamMaxLength */
  tooLarge: number[];
  unreadable: number[];
  /** signature found in the consultant's portrait; null if there is none */
  portraitSignature: string | null;
};

/**
 * Scans the consultant's portrait and every stored document with the scanner of CLAMAV_URL. Changes no file: an infected
 * document is marked, so that nobody can download it, until it is deleted or a later scan finds it clean. Records each
 * infected document in the access log when it is found, and the end of a complete run. Throws
 * OperatorError if there is no scanner, or if it fails twice for the same file.
 */
export async function scanStoredDocuments(): Promise<ScanReport> {
  if (!isScannerConfigured) throw new OperatorError("CLAMAV_URL is not set: there is no scanner to ask.");
  const result: ScanReport = {
    clean: 0,
    infected: [],
    unchecked: [],
    tooLarge: [],
    unreadable: [],
    portraitSignature: null,
  };
  result.portraitSignature = await scanPortrait();
  for (let document = await findDocumentAfterId(0); document; document = await findDocumentAfterId(document.id)) {
    const record = document;
    await scanWithRetry(`document ${record.id}`, () => scanAndMarkDocument(record, result));
  }
  await recordAuditNow({ action: "documents-scanned" });
  return result;
}

/** Returns warnings for the administrator about stored documents in which a scan found what may be a virus. */
export async function infectedDocumentWarnings(): Promise<string[]> {
  const count = await db.document.count({ where: { virusFoundAt: { not: null } } });
  if (count === 0) return [];
  const them = count === 1 ? "it" : "them";
  return [
    `${formatCountWithNoun(count, "stored document")} may contain a virus. Nobody can open ${them}. Activity has the family under “The practice itself”: call the family, then delete ${them}.`,
  ];
}

/**
 * Retries once when the scanner fails: clamd closes the connection when it refuses a large file, and its response can
 * be lost. Throws OperatorError when the scanner fails again.
 */
async function scanWithRetry<T>(name: string, attemptScan: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptScan();
    } catch (error) {
      if (!(error instanceof ScannerError)) throw error;
      if (attempt === 2)
        throw new OperatorError(
          `The virus scanner failed at ${name}: ${error.message} Those after it were not scanned.`,
        );
    }
  }
}

/** Returns the signature that is found in the portrait; null if the portrait is clean or missing. */
async function scanPortrait(): Promise<string | null> {
  const picture = await readStoredPortrait();
  if (!picture) return null;
  return scanWithRetry("the consultant’s portrait", async () => {
    try {
      for await (const _ of scanForViruses([picture]));
      return null;
    } catch (error) {
      if (error instanceof SuspiciousFileError) return error.signature;
      throw error;
    }
  });
}

async function scanAndMarkDocument(document: ScannedDocument, result: ScanReport): Promise<void> {
  const { id, userId } = document;
  const file = await openDocumentFile(document);
  if (!file.ok) return void result.unreadable.push(id);
  try {
    for await (const _ of scanForViruses(file.value));
    result.clean += 1;
    await db.document.updateMany({ where: { id, virusFoundAt: { not: null } }, data: { virusFoundAt: null } });
  } catch (error) {
    if (error instanceof TooLargeToScanError) result.tooLarge.push(id);
    else if (error instanceof ScannerError) throw error;
    else if (error instanceof SuspiciousFileError)
      await recordScanFinding({ id, signature: error.signature }, userId, result);
    else {
      logError(error, `alert: document ${id} can't be read`);
      result.unreadable.push(id);
    }
  } finally {
    await file.value.close();
  }
}

async function recordScanFinding(
  finding: ScanFinding,
  familyId: number,
  { infected, unchecked }: ScanReport,
): Promise<void> {
  const { id, signature } = finding;
  if (!isVirusSignature(signature)) return void unchecked.push(finding);
  infected.push(finding);
  logError(`Document ${id} may contain a virus: ${signature}`, "alert: infected document");
  await inTransaction(async (transaction) => {
    await transaction.document.updateMany({ where: { id }, data: { virusFoundAt: now() } });
    recordAuditInTransaction(transaction, {
      action: "infected-document-found",
      familyId,
      objectType: "document",
      objectId: id,
    });
  });
}
