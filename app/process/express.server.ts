import { createRequestHandler } from "@react-router/express";
import express, { type Express, type RequestHandler } from "express";
import type { ServerBuild } from "react-router";
import {
  limitApiReads,
  limitChangingRequests,
  limitPageRenders,
} from "../accounts/sessions/request-limit-middleware.server.ts";
import { findCachedRequestOwner, findCachedSessionAccount } from "../accounts/sessions/http-request-limit.server.ts";
import { availabilityHandler } from "../booking/availability/availability-query.server.ts";
import { storeUploadMiddleware, UPLOAD_PATH_PATTERN } from "../documents/upload/upload-middleware.server.ts";
import { bodyLimitMiddleware } from "../http/body-limits.server.ts";
import { createRequestContext } from "../http/request-context.server.ts";
import { expressErrorHandler } from "../http/errors.server.ts";
import { healthHandler } from "../http/health.server.ts";
import { setLogRouteMiddleware } from "../http/log.server.ts";
import { metricsHandler } from "../http/metrics.server.ts";
import { fairQueueMiddleware } from "../http/fair-queue/fair-queue-middleware.server.ts";
import { guardAndSanitizeRequest } from "../http/request-guard.server.ts";
import { SECURITY_TXT_PATH, securityTxtHandler } from "../http/security-txt.server.ts";
import { rejectResourceRouteDataMiddleware } from "./reject-resource-route-data.server.ts";
import { openApiDocumentHandler } from "../openapi/openapi-document-handler.server.ts";
import { OPENAPI_DOCUMENT_PATH } from "../openapi/openapi-document.server.ts";
import { staticFileHandler, staticFolderHandler } from "./static-files.server.ts";
import { mountSiteMetadataFiles } from "../practice/site-metadata-files.server.ts";

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365 * DAY_SECONDS;

type AppOptions = {
  build: ServerBuild;
  /** Folder of the built files for browsers. */
  clientFolder: string;
  /** In development: serves the unbuilt files for browsers, and reloads the build for each page. */
  development: { middleware: RequestHandler; loadBuild: () => Promise<ServerBuild> } | null;
};

/** Creates the Express app. Its handlers are tried in the order in which they are added. */
export function createApp({ build, clientFolder, development }: AppOptions): Express {
  const app = express();
  const queueFairly = fairQueueMiddleware(findCachedRequestOwner);
  // The document is the same for everyone, so no session is looked up, and an ended one must not count for its account.
  const queueByAddress = fairQueueMiddleware(async () => null);
  app.disable("x-powered-by");
  app.disable("etag");
  app.get(["/healthz", "/readyz"], healthHandler);
  app.get("/metrics", setLogRouteMiddleware("/metrics"), metricsHandler);
  app.use(guardAndSanitizeRequest, limitChangingRequests, limitApiReads);
  app.get(SECURITY_TXT_PATH, setLogRouteMiddleware(SECURITY_TXT_PATH), securityTxtHandler);
  app.get(OPENAPI_DOCUMENT_PATH, setLogRouteMiddleware(OPENAPI_DOCUMENT_PATH), queueByAddress, openApiDocumentHandler);
  // Handled before the framework, which makes it 1.5 to 3 times as fast
  // (docs/decisions/0018-what-speed-measures-buy.md).
  app.get("/api/appointments/availability", queueFairly, availabilityHandler);
  mountSiteMetadataFiles(app, queueByAddress);
  if (development) app.use(development.middleware);
  else mountStaticFiles(app, clientFolder, queueByAddress);
  app.post(UPLOAD_PATH_PATTERN, storeUploadMiddleware);
  app.use(
    limitPageRenders,
    queueFairly,
    rejectResourceRouteDataMiddleware(build.routes),
    bodyLimitMiddleware(findCachedSessionAccount),
  );
  app.use(
    createRequestHandler({
      build: development?.loadBuild ?? build,
      getLoadContext: (request) => createRequestContext(request),
    }),
  );
  app.use(expressErrorHandler);
  return app;
}

function mountStaticFiles(app: Express, clientFolder: string, queueByAddress: RequestHandler): void {
  const cacheForYear = { "Cache-Control": `public,max-age=${YEAR_SECONDS},immutable` };
  const cacheForDay = { "Cache-Control": `public,max-age=${DAY_SECONDS}` };
  const hashedFiles = staticFolderHandler(`${clientFolder}/assets`, { headers: cacheForYear });
  const namedFiles = staticFolderHandler(`${clientFolder}/static`, { headers: cacheForDay, hasEtag: true });
  // A document opened in the browser is sandboxed and has no origin, but the browser still requests the icon for it.
  const icon = staticFileHandler(`${clientFolder}/favicon.ico`, {
    headers: { ...cacheForDay, "Cross-Origin-Resource-Policy": "cross-origin" },
    hasEtag: true,
  });
  app.use("/assets", setLogRouteMiddleware("/assets/*"), queueByAddress, hashedFiles);
  app.use("/static", setLogRouteMiddleware("/static/*"), queueByAddress, namedFiles);
  app.get("/favicon.ico", setLogRouteMiddleware("/favicon.ico"), queueByAddress, icon);
}
