import type { LoadResult, LoadRequest } from "./generator.ts";
import { processorSeconds, type RunningServer, startGenerator } from "./processes.ts";

/** Rates vary by a few per cent between rounds: the targets alternate, and the median of the rounds counts. */
const FULL_PACING = { warmSeconds: 15, roundSeconds: 4, rounds: 5 };
const QUICK_PACING = { warmSeconds: 2, roundSeconds: 1, rounds: 3 };

export const isQuick = process.argv.includes("--quick");
export const PACING = isQuick ? QUICK_PACING : FULL_PACING;
const CONNECTIONS = 32;

export type Target = {
  name: string;
  server: RunningServer;
  /** requested in rotation */
  paths: string[];
  headers?: Record<string, string>;
  /** Throws when a complete body is not as expected. */
  check: (body: string, response: Response) => void;
};

/** One target's figures by round: responses per second, the same of processor time (null if unknown), p99 in ms. */
export type Rates = { perSecond: number[]; perProcessorSecond: (number | null)[]; p99: number[] };

/**
 * Measures the targets alternately, round by round; returns the rates by target name. Throws when the status or body
 * size of a response is wrong.
 */
export async function compareRates(targets: Target[]): Promise<Record<string, Rates>> {
  const generator = startGenerator();
  try {
    const sizes = new Map<Target, number[]>();
    for (const target of targets) {
      sizes.set(target, await measureBodySizes(target, generator.send));
      await generator.send({ ...loadFor(target), seconds: PACING.warmSeconds });
    }
    const result: Record<string, Rates> = {};
    for (const { name } of targets) result[name] = { perSecond: [], perProcessorSecond: [], p99: [] };
    for (let round = 0; round < PACING.rounds; round += 1) {
      for (const target of round % 2 ? targets.toReversed() : targets) {
        const before = processorSeconds(target.server.pid);
        const load = await generator.send({
          ...loadFor(target),
          seconds: PACING.roundSeconds,
          sizes: sizes.get(target),
        });
        const after = processorSeconds(target.server.pid);
        checkLoad(target, load);
        const rates = result[target.name] as Rates;
        rates.perSecond.push(load.responses / load.seconds);
        rates.perProcessorSecond.push(before === null || after === null ? null : load.responses / (after - before));
        rates.p99.push(load.p99);
      }
    }
    return result;
  } finally {
    await generator.stop();
  }
}

/** The median of the rounds' ratios, by wall-clock time and by processor time. */
export function ratio(first: Rates, second: Rates) {
  const byClock = first.perSecond.map((rate, round) => rate / (second.perSecond[round] ?? Number.NaN));
  const byProcessor = first.perProcessorSecond.map(
    (rate, round) => (rate ?? Number.NaN) / (second.perProcessorSecond[round] ?? Number.NaN),
  );
  return {
    value: median(byClock),
    range: [Math.min(...byClock), Math.max(...byClock)] as const,
    byProcessor: median(byProcessor),
  };
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** A complete HTTP/1.1 request as text, for the load generator. */
export function rawRequest(
  path: string,
  server: RunningServer,
  headers: Record<string, string> = {},
  method = "GET",
  body = "",
): string {
  const allHeaders: Record<string, string> = { Host: new URL(server.origin).host, "Accept-Encoding": "br", ...headers };
  if (body) allHeaders["Content-Length"] = String(Buffer.byteLength(body));
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

function loadFor({ server, paths, headers }: Target): LoadRequest {
  return {
    port: server.port,
    requests: paths.map((path) => rawRequest(path, server, headers)),
    connections: CONNECTIONS,
  };
}

/** The transferred sizes of the bodies, by path, after checking the content of the first 20. */
async function measureBodySizes(
  target: Target,
  send: (request: LoadRequest) => Promise<LoadResult>,
): Promise<number[]> {
  const { server, paths, headers, check } = target;
  for (const path of paths.slice(0, 20)) {
    const response = await fetch(`${server.origin}${path}`, { headers: { "Accept-Encoding": "br", ...headers } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${body.slice(0, 200)}`);
    check(body, response);
  }
  return (await send({ ...loadFor(target), connections: 1, maxRequests: paths.length })).sizes;
}

function checkLoad({ name }: Target, { statuses, mismatched, responses }: LoadResult) {
  if (statuses["200"] !== responses) throw new Error(`${name} responded with ${JSON.stringify(statuses)} under load.`);
  if (mismatched > 0)
    throw new Error(`${name} sent bodies of another size under load: ${mismatched} of ${responses} responses.`);
}
