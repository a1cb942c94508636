import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { wrongPasswordWarnings } from "./accounts/passwords/wrong-passwords.server.ts";
import { tryGetPerson } from "./accounts/guards.server.ts";
import { backupWarnings } from "./backup/backup-checks.server.ts";
import { paymentWarnings } from "./checkout/payment-checks.server.ts";
import { store } from "./files/store.server.ts";
import { storageWarnings } from "./documents/maintenance.server.ts";
import { env } from "./env.server.ts";
import { restrictBelow } from "./file-modes.server.ts";
import { registerCheck } from "./http/system-checks.server.ts";
import { negotiateEncoding, compress } from "./http/compress.server.ts";
import { nodeRequestContext, nonceContext } from "./http/context.server.ts";
import { outageRefusal, logError, RETRY_AFTER_SECONDS } from "./http/errors.server.ts";
import { registerReadinessCheck } from "./http/health.server.ts";
import { videoCallCsp, pageCsp } from "./http/headers.server.ts";
import { getRequestId } from "./http/log.server.ts";
import { type Refusal, HTTP_STATUS } from "./http/outcome.ts";
import { paymentCspSources } from "./payments/payment-csp.server.ts";
import { startEncryptingPlainTexts } from "./db/reencrypt.server.ts";
import { onUnreadableColumn, fieldEncryptionWarnings } from "./db/field-encryption.server.ts";
import { loadSite } from "./practice/site.server.ts";
import { isVideoCallPage, isStaticPage, isPaymentPage } from "./ui/page-handle.ts";
import { RequestIdContext } from "./ui/request-id.ts";

// What server.ts needs from the module graph of the pages, so that both share one set of modules.
// Packages among it are bundled with the pages, too.
export { createRequestHandler } from "@react-router/express";
export { default as express } from "express";
export { createRequestHandler as createFetchHandler } from "react-router";
export { default as serveFiles } from "sirv";
export { env } from "./env.server.ts";
export { setNow } from "./clock.ts";
export { closeDatabase, db } from "./db/client.server.ts";
export { ensureAdministrator, demoteAdministrator, setPassword } from "./accounts/administrator.server.ts";
export { startCleanup, deleteExpired } from "./accounts/cleanup.server.ts";
export { startReconciler, reconcile, finishBackgroundWork } from "./checkout/reconciler.server.ts";
export { createRequestContext } from "./http/context.server.ts";
export { serveCachedPage, warmPageCache } from "./http/page-cache.server.ts";
export { startChecks, runChecks } from "./http/system-checks.server.ts";
export { trackRequest, drainRequests, isShuttingDown } from "./http/graceful-shutdown.server.ts";
export {
  addCommonHeaders,
  answerClientError,
  CONNECTION_OPTIONS,
  limitStall,
  refuseExpectation,
  refuseTunnel,
} from "./http/connections.server.ts";
export { limitChanges, reserveBody, BODY_LIMITS } from "./http/body-limits.server.ts";
export { admitConnection, canUpgrade, CONNECTION_LIMITS, enqueueRequest } from "./http/request-queue.server.ts";
export { guardRequest } from "./http/request-guard.server.ts";
export { explainListenError } from "./http/listen-error.server.ts";
export { flushLog, log, logRequest, logRoute, startCacheHitReports } from "./http/log.server.ts";
export { handleUpgrade } from "./video/upgrade.server.ts";
export { BUDGETS } from "./video/token-bucket.server.ts";
export { closeSockets } from "./video/signalling.server.ts";
export { findWaitingFamilies } from "./video/waiting-families.server.ts";
export { pingAll, revalidateSockets, touchActiveSessions } from "./video/heartbeat.server.ts";
export { errorHandler, logError } from "./http/errors.server.ts";
export { availabilityHandler } from "./booking/availability-query.server.ts";
export { collectGarbage } from "./http/collect-garbage.server.ts";
export { registerReadinessCheck, healthHandler } from "./http/health.server.ts";
export { limitPages } from "./http/page-limit.server.ts";
export { refuseResourceData } from "./http/resource-data.server.ts";
export { bodyTimeout } from "./http/body-timeout.server.ts";
export {
  handlesExpectContinue,
  MAX_UPLOAD_MS,
  uploadMiddleware,
  UPLOAD_PATHS,
} from "./documents/upload-middleware.server.ts";
export { DOWNLOAD_LIMITS } from "./documents/download-limits.server.ts";
export { createBackup } from "./backup/create-backup.server.ts";
export { restore } from "./backup/restore.server.ts";
export { isBackupConfigured, recordRun, readBackupStatus } from "./backup/status.server.ts";
export { rotateKeys } from "./documents/key-rotation.server.ts";
export { verifyDocuments, deleteOrphanedFiles, startMaintenance } from "./documents/maintenance.server.ts";

/** Encrypts texts that were stored plain, in the background. */
export const encryptPlainTexts = () => startEncryptingPlainTexts((error) => logError(error, "encrypting texts"));

/** What a backup or a rehearsal that was killed left behind. */
export { removeLeftovers } from "./backup/leftovers.server.ts";

/** Files that an earlier version, or a copy, left readable for others. */
export async function restrictStoredFiles(): Promise<void> {
  for (const folder of [env.files.folder, env.backups.folder]) await restrictBelow(folder);
}

/** Brotli's: a page takes half the time that 4 takes, for a fifteenth more bytes. */
const DYNAMIC_BROTLI_QUALITY = 3;

registerReadinessCheck("storage", () => store.ping());
registerCheck("payments", paymentWarnings);
registerCheck("storage", storageWarnings);
registerCheck("backups", backupWarnings);
registerCheck("sign-in", wrongPasswordWarnings);
registerCheck("encrypted texts", fieldEncryptionWarnings);
onUnreadableColumn((column) =>
  logError(`A value of ${column} can't be opened: its key is missing, or it was altered.`, "alert: encrypted texts"),
);

/** Requests that failed because the database could not be reached, or is full: the page says so by its status, and when to come back. */
const outageByContext = new WeakMap<object, Refusal>();

/** Hears of every error of a page before it is shown without its details. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: RouterContextProvider },
): void {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const outage = outageRefusal(error);
  if (outage) outageByContext.set(context, outage);
  logError(error, "a page", context.get(nodeRequestContext));
}

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const matches = entry.staticHandlerContext.matches.map(({ route }) => ({
    handle: (entry.routeModules[route.id] as { handle?: unknown } | undefined)?.handle,
  }));
  const { errors, loaderData } = entry.staticHandlerContext;
  // Whoever failed before the frame had its data: the page of that failure is in the frame all the same.
  if (errors !== null) loaderData.root ??= loadSite(tryGetPerson(context));
  const nonce = isStaticPage(matches, errors !== null) ? undefined : context.get(nonceContext);
  const html = nonce
    ? await renderHydrated(request, entry, nonce)
    : renderStatic(request, entry, getRequestId(context.get(nodeRequestContext)));
  const encoding = negotiateEncoding(request.headers.get("accept-encoding"));

  const outage = outageByContext.get(context);
  const responseStatus = outage ? HTTP_STATUS[outage.reason] : status;
  if (responseStatus === HTTP_STATUS.unavailable)
    headers.set("Retry-After", String(outage?.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  if (responseStatus === 405) headers.set("Allow", "GET, HEAD");
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", pageCsp(nonce, cspSourcesFor(matches)));
  headers.set("Vary", "Accept-Encoding, Cookie");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  const body = await compress(Buffer.from(`<!DOCTYPE html>${html}`), encoding, DYNAMIC_BROTLI_QUALITY);
  headers.set("Content-Length", String(body.length));
  return new Response(new Uint8Array(body), { status: responseStatus, headers });
}

/** What this one page may load or reach besides our own. */
function cspSourcesFor(matches: { handle?: unknown }[]): Record<string, string[]> {
  if (isPaymentPage(matches)) return paymentCspSources();
  return isVideoCallPage(matches) ? videoCallCsp() : {};
}

/** A finished page that no script takes over: one pass, one string. Pages of failures are such, and name their number. */
function renderStatic(request: Request, entry: EntryContext, requestId: string | null): string {
  return renderToString(
    <RequestIdContext value={requestId}>
      <ServerRouter context={{ ...entry, serverHandoffStream: undefined }} url={request.url} />
    </RequestIdContext>,
  );
}

/** A page that the browser's React takes over. It carries its data, which only the streaming renderer writes. */
function renderHydrated(request: Request, entry: EntryContext, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<ServerRouter context={entry} url={request.url} nonce={nonce} />, {
      nonce,
      // Everything stands where it belongs: a larger part would be put there by a script, which not everyone has.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => {
        const stream = new PassThrough();
        buffer(stream).then((html) => resolve(html.toString().replace(/^<!DOCTYPE html>/i, "")), reject);
        pipe(stream);
      },
      // Heard once, by handleError: React would write it to the log itself, values and all.
      onError: reject,
    });
  });
}
