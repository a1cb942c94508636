// Goal 12: latency of other pages while three dashboards poll over 10,000 appointments and 2,000 families.
import type { TestClient } from "../tests/support/http-client.ts";
import { createPeople } from "../tests/support/people.ts";
import { type DatabaseKind, openDatabases, seedAppointments, seedFamilies } from "./databases.ts";
import type { LoadResult } from "./generator.ts";
import { startGenerator, startProduct } from "./processes.ts";
import { isQuick, median, PACING, rawRequest } from "./compare-rates.ts";
import type { Finding } from "./report.ts";

const APPOINTMENTS = 10_000;
const FAMILIES = 2_000;
const DASHBOARDS = 3;
/** The page's polling interval (docs/product.md, Freshness). */
const REFRESH_MS = 5_000;
const ROUND_SECONDS = isQuick ? 6 : 15;
const DAY_MS = 86_400_000;
/** All appointments are in the future: none starts or ends during the run, so the dashboards do not change. */
const LAST_DAY = Math.floor(Date.now() / DAY_MS) * DAY_MS + 300 * DAY_MS;
const OTHER_PAGE = "/login?unkept=1";
const PAGES_PER_SECOND = 40;
const READERS = 4;

export async function dashboardPolling(): Promise<Finding[]> {
  return [...(await measureOnDatabase("SQLite")), ...(await measureOnDatabase("PostgreSQL"))];
}

async function measureOnDatabase(kind: DatabaseKind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const url = await databases.create("dashboards");
  await seedAppointments(url, APPOINTMENTS, LAST_DAY);
  await seedFamilies(url, FAMILIES);
  const product = await startProduct({ DATABASE_URL: url });
  const generator = startGenerator();
  try {
    const people = createPeople(product.origin);
    const consultants = await Promise.all(Array.from({ length: DASHBOARDS }, () => people.consultant()));
    const first = await Promise.all(consultants.map((consultant) => consultant.get("/dashboard/latest?refresh")));
    const tags = first.map(({ headers }) => headers.etag ?? "");
    if (!first.every(({ text }) => text.includes(`"total":${APPOINTMENTS}`)))
      throw new Error("The dashboard is incomplete.");
    const load = { port: product.port, requests: [rawRequest(OTHER_PAGE, product)], connections: READERS };
    const read = () => generator.send({ ...load, seconds: ROUND_SECONDS, perSecond: PAGES_PER_SECOND });
    await read();
    const rounds: { idle: LoadResult; busy: LoadResult }[] = [];
    const statuses: number[] = [];
    const times: number[] = [];
    for (let round = 0; round < PACING.rounds; round += 1) {
      const idle = await read();
      const stop = startRefreshing(consultants, tags, (status, ms) => void (statuses.push(status), times.push(ms)));
      const busy = await read();
      await stop();
      rounds.push({ idle, busy });
    }
    const idle = median(rounds.map((round) => round.idle.p95));
    const busy = median(rounds.map((round) => round.busy.p95));
    const unchanged = statuses.filter((status) => status === 304).length / statuses.length;
    const note = `p95 ${idle.toFixed(2)} ms idle, ${busy.toFixed(2)} ms while polling; a refresh ${median(times).toFixed(1)} ms`;
    return [
      {
        goal: "12",
        label: `other pages' p95 with ${DASHBOARDS} dashboards polling / idle, ${kind}`,
        value: busy / idle,
        atMost: 2,
        note,
      },
      {
        goal: "12",
        label: `unchanged refreshes that were 304, ${kind}`,
        value: unchanged,
        atLeast: 1,
        isCounted: true,
        note: `${statuses.length} refreshes`,
      },
    ];
  } finally {
    await Promise.all([generator.stop(), product.stop()]);
    await databases.stop();
  }
}

/** Polls now and then every five seconds. Returns a function that stops it and waits for requests in flight. */
function startRefreshing(consultants: TestClient[], tags: string[], onResponse: (status: number, ms: number) => void) {
  let inFlight: Promise<unknown> = Promise.resolve();
  const refreshAll = async () => {
    await Promise.all(
      consultants.map(async (consultant, index) => {
        const start = performance.now();
        const { status } = await consultant.get("/dashboard/latest?refresh", { "If-None-Match": tags[index] });
        onResponse(status, performance.now() - start);
      }),
    );
  };
  inFlight = refreshAll();
  const timer = setInterval(() => (inFlight = refreshAll()), REFRESH_MS);
  return async () => {
    clearInterval(timer);
    await inFlight;
  };
}
