// Proves that malformed frames close only the sockets that sent them.
import { expect, test } from "vitest";
import { fuzzFrames } from "../faults/frame-fuzzer.ts";
import { testing, family } from "../support/site.ts";
import { startCall } from "../support/call-scenarios.ts";

const MAX_GROWTH_BYTES = 100 * 1024 * 1024;
const count = Number(process.env.FRAMES ?? 4_000);
const seed = process.env.FRAMES ? Date.now() % 1_000_000 : 11;

test(`${count} malformed frames on /ws close the sockets that sent them, and another call goes on`, async () => {
  const { maria, consulting, appointment, hers, theirs } = await startCall();
  const otherFamilies = await Promise.all(Array.from({ length: 4 }, () => family()));
  const rssBefore = process.memoryUsage().rss;
  const rooms = [appointment.id, appointment.id + 1, 2_000_000_000];
  const result = await fuzzFrames({ count, seed, browsers: otherFamilies, rooms, atOnce: 8 });
  console.log(JSON.stringify({ seed, ...result }));
  expect(result.sent).toBeGreaterThanOrEqual(count);
  expect(result.unexpectedCodes).toEqual([]);
  expect(Object.keys(result.closes)).toEqual(expect.arrayContaining(["1002", "1008"]));

  hers.sendType("chat", { text: "Did you notice anything?" });
  expect(await theirs.next("chat")).toMatchObject({ payload: { text: "Did you notice anything?" } });
  expect([await hers.flush(), await theirs.flush()]).toEqual([[], []]);
  for (const client of [maria, consulting]) expect((await client.get("/api/auth/me")).status).toBe(200);
  await testing.closeRevokedSockets();
  expect(process.memoryUsage().rss - rssBefore).toBeLessThan(MAX_GROWTH_BYTES);
});
