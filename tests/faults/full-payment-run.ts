import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../bin/migrate.js";
import { startPostgres } from "../support/servers/postgres-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { runPayments } from "./payment-run.ts";

const MAX_SECONDS = 60;

/** 10,000 payments on each database, with faults and kills; the ledgers must be equal within a minute of the last one. */
export async function payments([count = "10000", which = "both", seed = String(Date.now() % 1_000_000)]: string[]) {
  let isRight = true;
  for (const kind of ["sqlite", "postgresql"].filter((each) => which === "both" || which === each)) {
    const folder = temporaryFolder("faults");
    const postgres = kind === "postgresql" ? await startPostgres() : null;
    const databaseUrl = postgres
      ? postgres.url.replace(/\/postgres$/, "/faults")
      : `file:${path.join(folder, "app.db")}`;
    await migrate(databaseUrl);
    process.env.SESSION_SECRET = "a-secret-for-tests-that-is-long-enough";
    const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");
    const database = await createDatabaseClient(databaseUrl);
    const began = performance.now();
    const result = await runPayments({
      databaseUrl,
      database,
      folder,
      payments: Number(count),
      kills: Math.ceil(Number(count) / 200),
      families: 40,
      concurrency: 48,
      seed: Number(seed),
      providerSeconds: 5,
      tries: 4,
      waitUntilSettled: async ({ unfinished }) => {
        for (let second = 0; second < 3 * MAX_SECONDS && (await unfinished()) > 0; second++) await sleep(1000);
      },
    });
    const { differences, log: _, ...figures } = result;
    console.log(
      JSON.stringify(
        { kind, seed: Number(seed), seconds: Math.round((performance.now() - began) / 1000), ...figures },
        null,
        1,
      ),
    );
    for (const sentence of differences.slice(0, 20)) console.error(sentence);
    isRight &&=
      differences.length === 0 && figures.settledInSeconds <= MAX_SECONDS && figures.chargedCents === figures.ourCents;
    await database.$disconnect();
    await postgres?.stop();
  }
  return isRight;
}
