import type { Request, Response } from "express";
import { databaseAnswers } from "../db.server.ts";
import { COMMON_HEADERS } from "./headers.server.ts";
import { noteRoute } from "./log.server.ts";

type Check = () => Promise<boolean>;

const checks = new Map<string, Check>([["database", databaseAnswers]]);

/** One more thing that the process can't do without. */
export function alsoCheck(name: string, check: Check): void {
  checks.set(name, check);
}

/** `/healthz` says that the process lives, `/readyz` that what it depends on answers too. Under any Host. */
export async function answerHealth(request: Request, response: Response): Promise<void> {
  response.set({ ...COMMON_HEADERS, "Cache-Control": "no-store" });
  noteRoute(request, request.path);
  if (request.path === "/healthz") {
    response.json({ status: "ok" });
    return;
  }
  const answers = await Promise.all(
    [...checks].map(async ([name, check]) => [name, await check().catch(() => false)] as const),
  );
  const isReady = answers.every(([, answer]) => answer);
  response.status(isReady ? 200 : 503).json({ status: isReady ? "ok" : "unavailable", ...Object.fromEntries(answers) });
}
