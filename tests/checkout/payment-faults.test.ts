// Proves that many payments with provider faults and killed servers leave equal ledgers.
import { setTimeout } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { runPayments } from "../faults/payment-run.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { testEnvironment } from "../support/test-environment.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const { folder, databaseUrl } = await emptyDatabase();
Object.assign(process.env, await testEnvironment(databaseUrl, folder));
const { createDatabaseClient } = await import("../../app/db/database-client.server.ts");

const LATER_MS = 60_000;

/** The thinned run of `npm run faults -- payments`. Instead of waiting a minute, the minute is taken off what waits. */
test("60 payments with failing Square requests and two server kills leave equal ledgers here and at Square", async () => {
  const { folder, databaseUrl } = await emptyDatabase();
  const database = await createDatabaseClient(databaseUrl);
  const result = await runPayments({
    databaseUrl,
    database,
    folder,
    payments: 60,
    kills: 2,
    families: 4,
    concurrency: 6,
    seed: 4711,
    providerSeconds: 4,
    // After a kill the same key is answered when the lease of the dead has ended: the long run waits for that.
    tries: 1,
    waitUntilSettled: async ({ unfinished, restart }) => {
      const passMinute = async () => {
        for (const { id, leaseEndsAt, createdAt } of await database.payment.findMany()) {
          const data = { leaseEndsAt: earlier(leaseEndsAt), createdAt: earlier(createdAt) };
          await database.payment.update({ where: { id }, data });
        }
        await database.refund.updateMany({
          where: { state: { in: ["asked", "accepted"] } },
          data: { leaseEndsAt: new Date(0) },
        });
      };
      await passMinute();
      await restart();
      // On a busy machine the provider's answer can come too late for this attempt, too: then another minute passes.
      for (let minutes = 0; minutes < 2 && (await unfinishedAfter(20_000, unfinished)) > 0; minutes += 1)
        await passMinute();
      await expect.poll(unfinished, { timeout: 30_000 }).toBe(0);
    },
  });
  await database.$disconnect();
  expect(result.differences).toEqual([]);
  expect(result.other).toEqual([]);
  expect([result.chargedCents, result.refundedCents]).toEqual([result.ourCents, result.ourRefundedCents]);
  expect(result.counts.paid).toBeGreaterThan(20);
  expect(result.kills).toBe(2);
});

async function emptyDatabase() {
  const folder = temporaryFolder("faults");
  return { folder, databaseUrl: await copyDatabase(inject("template"), folder) };
}

/** How many are unfinished after at most so many milliseconds. */
async function unfinishedAfter(milliseconds: number, unfinished: () => Promise<number>): Promise<number> {
  const end = Date.now() + milliseconds;
  let left = await unfinished();
  while (left > 0 && Date.now() < end) {
    await setTimeout(500);
    left = await unfinished();
  }
  return left;
}

function earlier(instant: Date): Date {
  return new Date(instant.getTime() - LATER_MS);
}
