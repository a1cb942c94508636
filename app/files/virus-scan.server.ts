import { countAuditEntries } from "../audit/audit-entry-counts.server.ts";
import { recordRefusedAttempt } from "../audit/record-refusals.server.ts";
import { now } from "../clock.ts";
import { DAY_MS, MINUTE_SECONDS } from "../time-units.ts";
import { env } from "../env.server.ts";
import { formatCountWithNoun } from "../format-count-with-noun.ts";
import { logError } from "../http/errors.server.ts";
import { type Refusal, refused } from "../http/outcome.ts";
import { openScan, pingClamd, ScannerError, TooLargeToScanError } from "./clamd.server.ts";

const INFECTED_MESSAGE =
  "This file may contain a virus and was not saved. Please check your device with an antivirus program, or call us and we'll find another way.";
const NOT_SCANNABLE_MESSAGE =
  "We can't look into this file to check it for viruses, so it was not saved. If it is an archive, please send the files in it one by one, without a password.";
const SCANNER_UNAVAILABLE_MESSAGE =
  "We can't check files for viruses right now, so this one was not saved. Please try again in a few minutes, or call us.";
const TOO_LARGE_MESSAGE =
  "This file is too large for our virus check, so it was not saved. Please send it in smaller parts, or call us and we'll find another way.";
/** Signatures that clamd reports for a file beyond its limits (AlertExceedsMax) or with a password (AlertEncrypted). */
const UNSCANNABLE_SIGNATURE_PATTERN = /^Heuristics\.(Limits\.Exceeded|Encrypted)\b/;
const WARNING_DAYS = 7;

/** Whether a scanner is configured, so that every file is scanned before it is saved. */
export const isScannerConfigured = env.clamd !== null;

/** The scanner found something. Thrown at the end of a file, before any of it counts as stored. */
export class SuspiciousFileError extends Error {
  override name = "SuspiciousFileError";
  readonly signature: string;

  constructor(signature: string) {
    super(signature);
    this.signature = signature;
  }
}

/**
 * Yields a file's bytes while clamd also reads them, and ends only if clamd reports the file as clean; otherwise throws
 * an error that `recordScanRefusal` converts. Without CLAMAV_URL, yields the bytes unscanned.
 */
export async function* scanForViruses<T extends Uint8Array>(source: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  if (env.clamd === null) return yield* source;
  const scan = await openScan(env.clamd);
  try {
    for await (const bytes of source) {
      await scan.send(bytes);
      yield bytes;
    }
    const signature = await scan.finish();
    if (signature !== null) throw new SuspiciousFileError(signature);
  } finally {
    scan.close();
  }
}

/**
 * Converts an error of `scanForViruses` into a refusal for the form's field, and logs it. Records a suspicious file in
 * the access log. Returns null if the error has another cause.
 */
export async function recordScanRefusal(error: unknown, personId: number, field: string): Promise<Refusal | null> {
  if (error instanceof TooLargeToScanError) {
    logError(`StreamMaxLength of clamd is smaller than an upload. ${error.message}`, "alert: virus scanner");
    return refused("tooLarge", TOO_LARGE_MESSAGE, { [field]: [TOO_LARGE_MESSAGE] });
  }
  if (error instanceof ScannerError) {
    logError(`The virus scanner failed: ${error.message}`, "alert: virus scanner");
    return { ...refused("unavailable", SCANNER_UNAVAILABLE_MESSAGE), retryAfterSeconds: MINUTE_SECONDS };
  }
  if (!(error instanceof SuspiciousFileError)) return null;
  const { signature } = error;
  const isInfected = isVirusSignature(signature);
  const message = isInfected ? INFECTED_MESSAGE : NOT_SCANNABLE_MESSAGE;
  logError(`A file that account ${personId} sent was refused: ${signature}`, "alert: suspicious upload");
  const action = isInfected ? "infected-upload-refused" : "upload-refused";
  // Failures to record the refusal are logged and not thrown, so that the refusal is always sent.
  try {
    await recordRefusedAttempt(personId, { action, objectType: "document" });
  } catch (failure) {
    logError(failure, "recording a refusal");
  }
  return refused("invalid", message, { [field]: [message] });
}

/** Returns whether a signature names a virus, and not a file that could not be inspected. */
export function isVirusSignature(signature: string): boolean {
  return !UNSCANNABLE_SIGNATURE_PATTERN.test(signature);
}

/**
 * Returns warnings for the administrator: the scanner can't be reached, or uploads were refused because of what it
 * found.
 */
export async function virusScanWarnings(): Promise<string[]> {
  if (env.clamd === null) return [];
  const [isReached, count] = await Promise.all([
    pingClamd(env.clamd),
    countAuditEntries("infected-upload-refused", new Date(now().getTime() - WARNING_DAYS * DAY_MS)),
  ]);
  const unreachableWarning =
    "The virus scanner can't be reached, so nobody can add documents. Ask the person who installed this site to start it again.";
  const refusedUploadsWarning = `${formatCountWithNoun(count, "upload was", "uploads were")} refused in the last ${WARNING_DAYS} days for what may be a virus. Nothing was saved. Activity says whose, under what was refused: ask them to check their devices.`;
  return [...(isReached ? [] : [unreachableWarning]), ...(count > 0 ? [refusedUploadsWarning] : [])];
}
