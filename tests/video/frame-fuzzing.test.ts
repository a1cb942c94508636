import { expect, test } from "vitest";
import { fuzzFrames } from "../faults/frame-fuzzer.ts";
import { db, entry, family } from "../support/site.ts";
import { startCall } from "../support/call-scenarios.ts";

const MEBIBYTE = 1024 * 1024;
const count = Number(process.env.FRAMES ?? 4_000);
const seed = process.env.FRAMES ? Date.now() % 1_000_000 : 11;

test(`${count} senseless frames close their own sockets and touch nobody else`, async () => {
  const { maria, consulting, appointment, hers, theirs } = await startCall();
  const strangers = await Promise.all(Array.from({ length: 4 }, () => family()));
  const before = { seats: await db.callPresence.count(), memory: process.memoryUsage().rss };
  const rooms = [appointment.id, appointment.id + 1, 2_000_000_000];
  const result = await fuzzFrames({ count, seed, browsers: strangers, rooms, atOnce: 8 });
  console.log(JSON.stringify({ seed, ...result }));
  expect(result.sent).toBeGreaterThanOrEqual(count);
  expect(result.wrong).toEqual([]);
  expect(Object.keys(result.closes)).toEqual(expect.arrayContaining(["1002", "1008"]));

  hers.sendType("chat", { text: "Did you notice anything?" });
  expect(await theirs.next("chat")).toMatchObject({ payload: { text: "Did you notice anything?" } });
  expect([await hers.flush(), await theirs.flush()]).toEqual([[], []]);
  for (const browser of [maria, consulting]) expect((await browser.get("/api/auth/me")).status).toBe(200);
  await entry.revalidateSockets();
  expect(await db.callPresence.count()).toBe(before.seats);
  expect(process.memoryUsage().rss - before.memory).toBeLessThan(200 * MEBIBYTE);
});
