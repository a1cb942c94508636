import type { Request, Response } from "express";
import { pingDatabase } from "../db/client.server.ts";
import { setLogRoute } from "./log.server.ts";

type ReadinessCheck = () => Promise<boolean>;

const checks = new Map<string, ReadinessCheck>([["database", pingDatabase]]);

/** One more thing that the process can't do without. */
export function registerReadinessCheck(name: string, check: ReadinessCheck): void {
  checks.set(name, check);
}

const READINESS_MS = 1_000;

type Answers = (readonly [string, boolean])[];
let recent: { asked: number; answers: Promise<Answers> } | null = null;

/** Whoever asks again and again, or a thousand at once, is told what was found out within the last second. */
function recentAnswers(): Promise<Answers> {
  const asked = performance.now();
  if (recent && asked - recent.asked < READINESS_MS) return recent.answers;
  const ask = async ([name, check]: [string, ReadinessCheck]) => [name, await check().catch(() => false)] as const;
  recent = { asked, answers: Promise.all([...checks].map(ask)) };
  return recent.answers;
}

/** `/healthz` says that the process lives, `/readyz` that what it depends on answers too. Under any Host. */
export async function healthHandler(request: Request, response: Response): Promise<void> {
  response.set("Cache-Control", "no-store");
  setLogRoute(request, request.path);
  if (request.path === "/healthz") {
    response.json({ status: "ok" });
    return;
  }
  const results = await recentAnswers();
  const isReady = results.every(([, isHealthy]) => isHealthy);
  response.status(isReady ? 200 : 503).json({ status: isReady ? "ok" : "unavailable", ...Object.fromEntries(results) });
}
