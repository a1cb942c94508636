import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from "react-router";
import { tryGetPerson } from "./accounts/guards.server.ts";
import { negotiateEncoding, compress } from "./http/compress.server.ts";
import { nodeRequestContext, nonceContext } from "./http/request-context.server.ts";
import { outageRefusal, logError, RETRY_AFTER_SECONDS } from "./http/errors.server.ts";
import { videoCallCspSources, pageCsp } from "./http/security-headers.server.ts";
import { getRequestId } from "./http/log.server.ts";
import { type Refusal, HTTP_STATUS } from "./http/outcome.ts";
import { paymentCspSources } from "./payments/payment-csp.server.ts";
import { rootSiteData } from "./practice/root-site-data.server.ts";
import { registerMonitoring } from "./process/register-monitoring.server.ts";
import { registerMetrics } from "./process/register-metrics.server.ts";
import { isVideoCallPage, isUnhydratedPage, isPaymentPage } from "./ui/page-handle.ts";
import { RequestIdContext } from "./ui/request-id-context.ts";

/** For server.ts, the commands in bin/, and tests, so that they share one set of modules with the pages. */
export * as runtime from "./process/server-exports.server.ts";
export * as commands from "./process/command-exports.server.ts";
export * as testing from "./process/test-exports.server.ts";

/** Brotli quality for pages: takes half the time of quality 4 for about 7% more bytes. */
const DYNAMIC_BROTLI_QUALITY = 3;

registerMonitoring();
registerMetrics();

/**
 * Requests that failed because the database was unreachable or full. Their response has the matching status and
 * Retry-After.
 */
const outageRefusalByContext = new WeakMap<object, Refusal>();

/** Records and logs every error of a page before the page is rendered without the details. */
export function handleError(
  error: unknown,
  { request, context }: { request: Request; context: RouterContextProvider },
): void {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const outage = outageRefusal(error);
  if (outage) outageRefusalByContext.set(context, outage);
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
  // A request may fail before the root loader has run. The error page still needs the data of the frame.
  if (errors !== null) loaderData.root ??= rootSiteData(tryGetPerson(context));
  const nonce = isUnhydratedPage(matches, errors !== null) ? undefined : context.get(nonceContext);
  const html = nonce
    ? await renderHydrated(request, entry, nonce)
    : renderUnhydrated(request, entry, getRequestId(context.get(nodeRequestContext)));
  const encoding = negotiateEncoding(request.headers.get("accept-encoding"));

  const outage = outageRefusalByContext.get(context);
  const responseStatus = outage ? HTTP_STATUS[outage.reason] : status;
  if (responseStatus === HTTP_STATUS.unavailable)
    headers.set("Retry-After", String(outage?.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  if (responseStatus === 405) headers.set("Allow", "GET, HEAD");
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Content-Security-Policy", pageCsp(nonce, cspSourcesFor(matches)));
  setCacheHeaders(headers);
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  const body = await compress(Buffer.from(`<!DOCTYPE html>${html}`), encoding, DYNAMIC_BROTLI_QUALITY);
  headers.set("Content-Length", String(body.length));
  return new Response(new Uint8Array(body), { status: responseStatus, headers });
}

/** Sets the caching headers of a page's data, which contains the same personal data as the page. */
export function handleDataRequest(response: Response): Response {
  setCacheHeaders(response.headers);
  return response;
}

function setCacheHeaders(headers: Headers): void {
  headers.set("Vary", "Accept-Encoding, Cookie");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
}

/** Returns the additional CSP sources of this page. */
function cspSourcesFor(matches: { handle?: unknown }[]): Record<string, string[]> {
  if (isPaymentPage(matches)) return paymentCspSources();
  return isVideoCallPage(matches) ? videoCallCspSources() : {};
}

/**
 * Renders a page that is not hydrated, in one pass to one string. Error pages are of this kind and show the request id.
 */
function renderUnhydrated(request: Request, entry: EntryContext, requestId: string | null): string {
  return renderToString(
    <RequestIdContext value={requestId}>
      <ServerRouter context={{ ...entry, serverHandoffStream: undefined }} url={request.url} />
    </RequestIdContext>,
  );
}

/**
 * Renders a page that React hydrates in the browser. It contains its data, which only the streaming renderer writes.
 */
function renderHydrated(request: Request, entry: EntryContext, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(<ServerRouter context={entry} url={request.url} nonce={nonce} />, {
      nonce,
      // Disables out-of-order streaming: a script would insert the larger parts, and some visitors have no scripts.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => {
        const stream = new PassThrough();
        buffer(stream).then((html) => resolve(html.toString().replace(/^<!DOCTYPE html>/i, "")), reject);
        pipe(stream);
      },
      // Errors are logged once, by handleError. By default React would log them with all values.
      onError: reject,
    });
  });
}
