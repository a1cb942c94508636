// `npm run audit -- verify` over a million entries on each database: how long it takes, and that it names what was done to them.
import { execFile } from "node:child_process";
import path from "node:path";
import Database from "better-sqlite3";
import { NODE_ENVIRONMENT } from "../bin/prepare.js";
import { adminEmail, adminPassword } from "../tests/support/test-environment.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { isQuick } from "./compare-rates.ts";
import { type DatabaseKind, openDatabases, withClient } from "./databases.ts";
import { HERE } from "./processes.ts";
import type { Finding } from "./report.ts";

const ENTRIES = isQuick ? 100_000 : 1_000_000;
const ROUNDS = isQuick ? 1 : 3;
/** The last line of a command's errors: the processor time that it used, in microseconds. */
const TELL_PROCESSOR_TIME = `--import=data:text/javascript,process.on("exit",()=>console.error(process.cpuUsage().user+process.cpuUsage().system))`;
const WANTED_MS = 10_000;
const ROW = `"at", "actorId", "familyId", "action", "objectType", "objectId", "network", "hash"`;

/** What was done behind the program's back, with the number that must be named. */
const altered = Math.floor(ENTRIES * 0.7);
const missing = Math.floor(ENTRIES * 0.8);
const swapped = Math.floor(ENTRIES * 0.9);
const DAMAGES = [
  ["an altered entry is named", `UPDATE "audit_entries" SET "familyId" = 1 WHERE "sequence" = ${altered}`, altered],
  ["a missing entry is named", `DELETE FROM "audit_entries" WHERE "sequence" = ${missing}`, missing],
  [
    "the first of two exchanged entries is named",
    `UPDATE "audit_entries" SET "sequence" = 0 WHERE "sequence" = ${swapped};
     UPDATE "audit_entries" SET "sequence" = ${swapped} WHERE "sequence" = ${swapped + 1};
     UPDATE "audit_entries" SET "sequence" = ${swapped + 1} WHERE "sequence" = 0`,
    swapped,
  ],
] as const;

const DISABLE_TRIGGERS: Record<DatabaseKind, string> = {
  SQLite: ["unchanged", "stay", "stay_a_year", "not_replaced", "not_before_the_first"]
    .map((name) => `DROP TRIGGER "audit_entries_${name}";`)
    .join("\n"),
  PostgreSQL: `ALTER TABLE "audit_entries" DISABLE TRIGGER USER`,
};

export async function audit(): Promise<Finding[]> {
  return [...(await verifyOn("SQLite")), ...(await verifyOn("PostgreSQL"))];
}

async function verifyOn(kind: DatabaseKind): Promise<Finding[]> {
  const databases = await openDatabases(kind);
  const url = await databases.create("audit");
  const settings = {
    NODE_ENV: "production",
    TZ: "UTC",
    ...NODE_ENVIRONMENT,
    ON_PINNED_NODE: "1", // everything is installed and built
    APP_ORIGIN: "http://localhost:3000",
    DATABASE_URL: url,
    DATA_DIR: temporaryFolder("bench-audit"),
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    PAYMENTS: "simulator",
  };
  // Doesn't block this process: PostgreSQL is its child.
  const run = (args: string[], cwd: string) => runNode(args, cwd, { PATH: process.env.PATH, ...settings });
  const seeded = await run([path.join(HERE, "seed-audit.ts"), url, String(ENTRIES)], HERE);
  if (seeded.status !== 0) throw new Error(`The entries were not written: ${seeded.stderr}`);

  const verify = (...options: string[]) => run([...options, "bin/audit.js", "verify"], path.dirname(HERE));
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const { status, stdout, stderr } = await verify(TELL_PROCESSOR_TIME);
    times.push(performance.now() - startedAt);
    processorTimes.push(Number(stderr.trim().split("\n").at(-1)) / 1_000);
    if (status !== 0 || !stdout.includes(`${ENTRIES} entries hold.`))
      throw new Error(`The chain does not hold: ${status} ${stdout}${stderr}`);
  }
  await execute(url, DISABLE_TRIGGERS[kind]);
  const findings: Finding[] = [];
  for (const [label, damage, sequence] of DAMAGES) {
    const rows = `"audit_entries" WHERE "sequence" IN (${sequence}, ${sequence + 1})`;
    await execute(url, `CREATE TABLE "undamaged" AS SELECT * FROM ${rows}; ${damage}`);
    const { status, stderr } = await verify();
    const isNamed = status === 1 && stderr.startsWith(`Entry ${sequence} `);
    await execute(
      url,
      `DELETE FROM ${rows};
       INSERT INTO "audit_entries" ("sequence", ${ROW}) SELECT "sequence", ${ROW} FROM "undamaged"; DROP TABLE "undamaged"`,
    );
    findings.push(counted(`${label}, with exit 1, ${kind}`, Number(isNamed), `${status}: ${stderr.trim()}`));
  }
  if ((await verify()).status !== 0) throw new Error("The chain does not hold after the damage was undone.");
  await databases.stop();
  const label = `audit -- verify, ${ENTRIES.toLocaleString("en-US")} entries, ${kind}`;
  const timed = { goal: "", atMost: WANTED_MS, unit: "ms" } as const;
  return [
    { ...timed, label, value: median(times), note: inSeconds(times) },
    { ...timed, label: `its processor time, ${kind}`, value: median(processorTimes), note: inSeconds(processorTimes) },
    ...findings,
  ];
}

/** Runs statements without parameters. */
async function execute(url: string, statements: string) {
  if (!url.startsWith("file:")) return void (await withClient(url, (client) => client.query(statements)));
  const database = new Database(url.slice("file:".length));
  database.exec(statements);
  database.close();
}

function runNode(args: string[], cwd: string, environment: NodeJS.ProcessEnv) {
  return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env: environment }, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, stdout, stderr }),
    );
  });
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function inSeconds(times: readonly number[]): string {
  return `rounds ${times.map((time) => (time / 1000).toFixed(1)).join(", ")} s, the start of the command included`;
}

function counted(label: string, value: number, note: string): Finding {
  return { goal: "", label, value, atLeast: 1, atMost: 1, isCounted: true, note };
}
