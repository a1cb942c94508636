// Proves that limits are kept, by each process, while PostgreSQL does not answer.
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("no-database");
const nowhere = "postgresql://nobody:nothing@127.0.0.1:1/none";
Object.assign(process.env, await testEnvironment(nowhere, folder), { RATE_LIMITS: "on", LOG_LEVEL: "silent" });
const { rateLimit } = await import("../../app/http/rate-limit.server.ts");

test("the last try is allowed and the next refused, although the database can't count them", async () => {
  const limit = rateLimit("edge", 2, 60);
  for (const _ of [1, 2]) expect([await limit.peek("a"), await limit.consume("a")]).toEqual([null, null]);
  expect(await limit.peek("a")).toMatchObject({ reason: "tooMany" });
  expect(await limit.consume("a")).toMatchObject({ reason: "tooMany", retryAfterSeconds: 60 });
  expect(await limit.consume("b")).toBeNull();
});
