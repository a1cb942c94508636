import type { Request, Response } from "express";
import { pingDatabase } from "../db/database-client.server.ts";
import { SECOND_MS } from "../time-units.ts";
import { setLogRoute } from "./log.server.ts";

type ReadinessCheck = () => Promise<boolean>;

const readinessChecks = new Map<string, ReadinessCheck>([["database", pingDatabase]]);

/** Registers a dependency that `/readyz` checks. */
export function registerReadinessCheck(name: string, check: ReadinessCheck): void {
  readinessChecks.set(name, check);
}

const CHECK_RESULT_TTL_MS = SECOND_MS;

type CheckResults = (readonly [name: string, isHealthy: boolean])[];
let lastCheckRun: { startedAt: number; results: Promise<CheckResults> } | null = null;

/** Returns the results of all checks, at most one second old, so that many requests cause only one check. */
function loadCheckResults(): Promise<CheckResults> {
  const startedAt = performance.now();
  if (lastCheckRun && startedAt - lastCheckRun.startedAt < CHECK_RESULT_TTL_MS) return lastCheckRun.results;
  const runCheck = async ([name, check]: [string, ReadinessCheck]) => [name, await check().catch(() => false)] as const;
  lastCheckRun = { startedAt, results: Promise.all([...readinessChecks].map(runCheck)) };
  return lastCheckRun.results;
}

/** Returns whether each dependency answered within the last second, by name. */
export async function loadDependencyHealth(): Promise<Record<string, boolean>> {
  return Object.fromEntries(await loadCheckResults());
}

/** Responds to `/healthz` (the process is running) and `/readyz` (its dependencies respond), for any Host header. */
export async function healthHandler(request: Request, response: Response): Promise<void> {
  response.set("Cache-Control", "no-store");
  // Express matches other spellings, too, of which each would be another route of the metrics.
  const route = /^\/healthz/i.test(request.path) ? "/healthz" : "/readyz";
  setLogRoute(request, route);
  if (route === "/healthz") {
    response.json({ status: "ok" });
    return;
  }
  const results = await loadCheckResults();
  const isReady = results.every(([, isHealthy]) => isHealthy);
  response.status(isReady ? 200 : 503).json({ status: isReady ? "ok" : "unavailable", ...Object.fromEntries(results) });
}
