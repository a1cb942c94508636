// Goal 4: the availability endpoint over HTTP, compared with a trivial Express JSON response and across database sizes.
import { createPeople } from "../tests/support/people.ts";
import { type DatabaseKind, countAppointments, openDatabases, seedAppointments } from "./databases.ts";
import { type RunningServer, startBaseline, startProduct } from "./processes.ts";
import { isQuick, compareRates, ratio, type Target } from "./compare-rates.ts";
import { type Finding, raceFinding } from "./report.ts";

const FEW = 1_000;
const MANY = isQuick ? 100_000 : 1_000_000;
const DAY_MS = 86_400_000;
/** Appointments fill the three weeks before this day; the three weeks after it are free. */
const BUSY_UNTIL = Math.floor(Date.now() / DAY_MS) * DAY_MS + 30 * DAY_MS;
const QUERIED_DAYS = 18;
/** Shuffles the queries, so that any run of them is representative. Coprime to their number. */
const STRIDE = 101;
const QUERIED_TIMES = ["09:00", "09:15", "10:30", "11:45", "12:00", "15:00", "15:15", "16:30", "18:45", "19:00"];
const FREE_JSON = JSON.stringify({ available: true, reason: null });

export async function availability(): Promise<Finding[]> {
  return [...(await measureOnDatabase("SQLite")), ...(await measureOnDatabase("PostgreSQL"))];
}

async function measureOnDatabase(kind: DatabaseKind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const running: RunningServer[] = [];
  try {
    const targets: Target[] = [];
    const responses: string[][] = [];
    for (const [name, count] of [
      ["few", FEW],
      ["many", MANY],
    ] as const) {
      const url = await databases.create(name);
      await seedAppointments(url, count, BUSY_UNTIL);
      if ((await countAppointments(url)) !== count) throw new Error(`There are not ${count} appointments on ${kind}.`);
      const product = await startProduct({ DATABASE_URL: url });
      running.push(product);
      const target = await availabilityTarget(name, product);
      targets.push(target);
      responses.push(await fetchResponses(target));
    }
    checkResponses(responses);
    const express = await startBaseline("json");
    running.push(express);
    targets.push({ name: "express", server: express, paths: ["/json"], check: expectFreeResponse });
    const { few, many, express: baseline } = await compareRates(targets);
    return [
      raceFinding("4", `availability / trivial Express JSON, ${kind}`, 0.15, ratio(few!, baseline!)),
      raceFinding(
        "4",
        `availability, ${MANY.toLocaleString("en-US")} / ${FEW.toLocaleString("en-US")} appointments, ${kind}`,
        0.85,
        ratio(many!, few!),
      ),
    ];
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await databases.stop();
  }
}

/** Queries of a signed-in family, about times within 18 days before and after `BUSY_UNTIL`: taken, free and closed. */
async function availabilityTarget(name: string, server: RunningServer): Promise<Target> {
  const family = await createPeople(server.origin).family();
  const cookie = [...family.cookies].map(([key, value]) => `${key}=${value}`).join("; ");
  const days = Array.from({ length: 2 * QUERIED_DAYS }, (_, index) =>
    new Date(BUSY_UNTIL + (index - QUERIED_DAYS) * DAY_MS).toISOString().slice(0, 10),
  );
  const inOrder = days.flatMap((day) =>
    QUERIED_TIMES.map((time) => `/api/appointments/availability?date=${day}&time=${time}&duration=15`),
  );
  const paths = inOrder.map((_, index) => inOrder[(index * STRIDE) % inOrder.length] as string);
  return {
    name,
    server,
    paths,
    headers: { Cookie: cookie },
    check: (body) => void (JSON.parse(body) as { available: boolean }).available,
  };
}

async function fetchResponses({ server, paths, headers }: Target): Promise<string[]> {
  const responses: string[] = [];
  for (const path of paths) {
    const response = await fetch(server.origin + path, { headers });
    responses.push(await response.text());
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${responses.at(-1)}`);
  }
  return responses;
}

/** Requires equal responses over few and many appointments, and both free and taken times among them. */
function checkResponses([few = [], many = []]: string[][]) {
  if (few.some((response, index) => response !== many[index]))
    throw new Error("The responses differ between few and many appointments.");
  const free = few.filter((response) => response === FREE_JSON).length;
  const taken = few.filter((response) => /taken|booked|someone/i.test(response)).length;
  if (free === 0 || taken === 0)
    throw new Error(`Of ${few.length} times ${free} are free and ${taken} taken: the database was not read.`);
}

function expectFreeResponse(body: string) {
  if (body !== FREE_JSON) throw new Error(`Express responded with ${body}`);
}
