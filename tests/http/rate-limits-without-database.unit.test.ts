// Proves that each process enforces rate limits by itself while PostgreSQL is unreachable.
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("no-database");
const nowhere = "postgresql://nobody:nothing@127.0.0.1:1/none";
Object.assign(process.env, await testEnvironment(nowhere, folder), { RATE_LIMITS: "on", LOG_LEVEL: "silent" });
const { createRateLimiter } = await import("../../app/http/rate-limit.server.ts");

test("the last allowed attempt passes and the next is refused while the database is unreachable", async () => {
  const limit = createRateLimiter("edge", 2, 60);
  for (const _ of [1, 2]) expect([await limit.peek("a"), await limit.consume("a")]).toEqual([null, null]);
  expect(await limit.peek("a")).toMatchObject({ reason: "tooMany" });
  expect(await limit.consume("a")).toMatchObject({ reason: "tooMany", retryAfterSeconds: 60 });
  expect(await limit.consume("b")).toBeNull();
});
