import type { Request, Response } from "express";
import { HOUR_SECONDS } from "../time-units.ts";
import { buildOpenApiDocument } from "./openapi-document.server.ts";

let cachedDocument: Buffer | null = null;

/** Responds with the API's description. It is the same for every client, and is built once. */
export function openApiDocumentHandler(_request: Request, response: Response): void {
  cachedDocument ??= Buffer.from(JSON.stringify(buildOpenApiDocument()));
  response.set("Cache-Control", `public, max-age=${HOUR_SECONDS}`).type("application/json").send(cachedDocument);
}
