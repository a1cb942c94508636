import { createHash } from "node:crypto";
import { recordAuditInTransaction } from "../../audit/record-audit.server.ts";
import { now } from "../../clock.ts";
import { db, inTransaction } from "../../db/database-client.server.ts";
import { isUniqueViolation } from "../../db/database-errors.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../time-units.ts";
import { env } from "../../env.server.ts";
import { logError } from "../../http/errors.server.ts";
import { log } from "../../http/log.server.ts";
import { squareScriptUrl } from "../../payments/square-script-url.ts";
import type { PeriodicJob } from "../../periodic-job.ts";

const FETCH_TIMEOUT_MS = 20 * SECOND_MS;
/** The script has about 400 KB. */
const MAX_SCRIPT_BYTES = 5_000_000;

/**
 * Returns the URL of the Square script that the payment page loads. Null when Square doesn't process the payments, and
 * when a test server replaces Square (SQUARE_BASE_URL).
 */
export function watchedScriptUrl(): string | null {
  return env.payments === "square" && !env.square.baseUrl ? squareScriptUrl(env.square.environment) : null;
}

/**
 * Fetches the provider's script and stores its hash if it differs from the last one. The first version needs no review;
 * each later one does. A failed fetch is not a change. Runs at most once an hour after a successful check, for all
 * processes together. Returns the milliseconds until the next check.
 */
export async function fetchAndRecordPaymentScript(url: string, signal: AbortSignal): Promise<number> {
  const latest = await findLatestScript(url);
  const waitMs = latest ? latest.lastSeenAt.getTime() + HOUR_MS - now().getTime() : 0;
  if (waitMs > 0) return Math.min(waitMs, HOUR_MS);
  const sha256 = await fetchScriptHash(url, signal).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason: reason.slice(0, 200) }, "payment script could not be checked");
    return null;
  });
  if (sha256 === null) return HOUR_MS;
  if (latest?.sha256 === sha256)
    await db.paymentScript.update({ where: { id: latest.id }, data: { lastSeenAt: now() } });
  else await insertPaymentScriptVersion(url, sha256, latest?.id ?? null);
  return DAY_MS;
}

/** Finds the version of the script that was seen last; null before the first check. */
export function findLatestScript(url: string) {
  return db.paymentScript.findFirst({ where: { url }, orderBy: { id: "desc" } });
}

export const paymentScriptJob: PeriodicJob = {
  name: "checking the payment script",
  intervalMs: DAY_MS,
  delayMs: MINUTE_MS,
  run: async (signal) => {
    const url = watchedScriptUrl();
    return url === null ? undefined : fetchAndRecordPaymentScript(url, signal);
  },
};

async function insertPaymentScriptVersion(url: string, sha256: string, previousId: number | null): Promise<void> {
  const at = now();
  const isFirst = previousId === null;
  const row = {
    url,
    sha256,
    previousId: previousId ?? 0,
    firstSeenAt: at,
    lastSeenAt: at,
    acceptedAt: isFirst ? at : null,
  };
  try {
    await inTransaction(async (transaction) => {
      await transaction.paymentScript.create({ data: row });
      if (!isFirst) recordAuditInTransaction(transaction, { action: "payment-script-changed", actorId: null });
    });
  } catch (error) {
    // Another process has just recorded the same version.
    if (isUniqueViolation(error)) return;
    throw error;
  }
  if (!isFirst) logError(`The script of the card form changed. Its SHA-256 is ${sha256} now.`, "alert: payment script");
}

/**
 * Returns the SHA-256 hash of the file at exactly this address. Throws unless the response is complete and has status
 * 200.
 */
async function fetchScriptHash(url: string, signal: AbortSignal): Promise<string> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.any([signal, timeout]) });
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    throw new Error(`It answered ${response.status}.`);
  }
  const hash = createHash("sha256");
  let length = 0;
  for await (const bytes of response.body) {
    length += bytes.length;
    if (length > MAX_SCRIPT_BYTES) throw new Error(`It has more than ${MAX_SCRIPT_BYTES} bytes.`);
    hash.update(bytes);
  }
  if (length === 0) throw new Error("It is empty.");
  return hash.digest("hex");
}
