import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { env } from "../env.server.ts";

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const registry = new Registry();
const requestDurationHistogram = new Histogram({
  name: "http_request_duration_seconds",
  help: "Time from a request's arrival until its response closed, by route pattern",
  labelNames: ["method", "route", "status"],
  buckets: DURATION_BUCKETS_SECONDS,
  registers: [registry],
});
const cachedPagesCounter = new Counter({
  name: "http_cached_pages_total",
  help: "Pages served from memory, which are in no other figure",
  registers: [registry],
});

/**
 * Starts collecting the process metrics (CPU, memory, event loop, garbage collection). Does nothing without a token.
 */
export function startMetrics(): void {
  if (env.metricsToken) collectDefaultMetrics({ register: registry });
}

/**
 * Records one response. `route` is a pattern from routes.ts, never a path, so that the number of series stays limited.
 */
export function observeHttpRequest(labels: { method: string; route: string; status: number }, seconds: number): void {
  if (env.metricsToken) requestDurationHistogram.observe(labels, seconds);
}

export function incrementCachedPageCounter(): void {
  if (env.metricsToken) cachedPagesCounter.inc();
}

/**
 * Registers a gauge that is read at each request for the metrics. `readValue` returns one number, or with `label` one number
 * for each value of the label. If `readValue` fails, the gauge is left out.
 */
export function registerGauge(
  name: string,
  help: string,
  readValue: () => Promise<number | Record<string, number>> | number,
  label?: string,
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
    async collect() {
      gauge.reset();
      if (!label) gauge.remove();
      const value = await Promise.resolve(readValue()).catch(() => null);
      if (typeof value === "number") return gauge.set(value);
      for (const [key, count] of Object.entries(value ?? {})) gauge.set({ [label ?? ""]: key }, count);
    },
  });
}

/**
 * Responds to `GET /metrics` in the Prometheus text format if METRICS_TOKEN is sent as a bearer token, otherwise with
 * 401. Responds with 404 if the variable is not set.
 */
export const metricsHandler: RequestHandler = async (request, response, next) => {
  if (!env.metricsToken) return next();
  response.set("Cache-Control", "no-store");
  if (!hasValidBearerToken(request.headers.authorization ?? "", env.metricsToken)) {
    response.status(401).set("WWW-Authenticate", "Bearer").json({ message: "Unauthorized" });
    return;
  }
  response.type(registry.contentType).send(await registry.metrics());
};

/** Compares hashes in constant time. Unlike the tokens, the hashes have the same length. */
function hasValidBearerToken(authorization: string, token: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  const [, sent] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  return sent !== undefined && timingSafeEqual(hash(sent), hash(token));
}
