import type { Request, Response } from "express";
import { HOUR_SECONDS } from "../duration.ts";
import { apiDescription } from "./api-description.server.ts";

let body: Buffer | null = null;

/** Responds with the API's description. It is the same for every client, and is built once. */
export function apiDescriptionHandler(_request: Request, response: Response): void {
  body ??= Buffer.from(JSON.stringify(apiDescription()));
  response.set("Cache-Control", `public, max-age=${HOUR_SECONDS}`).type("application/json").send(body);
}
