// Proves that each message of a week arrives, and is repeated only after a kill, while processes are killed and the
// mail server refuses messages (`npm run faults -- mail` is the long run).
import { expect, inject, test } from "vitest";
import { runMail } from "../faults/mail-run.ts";

const template = inject("template");
const isFull = process.env.MAIL_VISITS !== undefined;
const visits = Number(process.env.MAIL_VISITS ?? 30);
const seed = Number(process.env.MAIL_SEED ?? 7);
/** What a process has handed over and not yet recorded when it dies is sent again, with its Message-ID. */
const MAX_REPEATED_PER_KILL = 5;

test(`a week of ${visits} visits with killed processes and refusals: no email is lost, unexpected or out of order`, async () => {
  const began = performance.now();
  const result = await runMail({
    template,
    visits,
    seed,
    families: isFull ? 12 : 2,
    // Several processes on one database are for PostgreSQL.
    processes: template.startsWith("postgres") ? 2 : 1,
    kills: isFull ? Math.ceil(visits / 40) : 2,
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(JSON.stringify({ database: new URL(template).protocol, seed, visits, seconds, ...result }, null, 1));
  expect(result.lost).toEqual([]);
  expect(result.unexpected).toEqual([]);
  expect(result.outOfOrder).toEqual([]);
  expect(result.hurried).toBeGreaterThan(0);
  expect(result.messages).toBeGreaterThan(2 * visits);
  expect(result.refused).toBeGreaterThan(0);
  expect(result.kills).toBeGreaterThan(0);
  expect(result.repeated).toBeLessThanOrEqual(result.kills * MAX_REPEATED_PER_KILL);
});
