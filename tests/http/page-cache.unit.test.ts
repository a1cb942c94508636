// Proves that a cached page whose render fails once is served from memory again later.
import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("page-cache");
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), { LOG_LEVEL: "silent" });
const { setTestClock } = await import("../../app/clock.ts");
const { env } = await import("../../app/env.server.ts");
const { serveCachedPage, warmPageCache } = await import("../../app/http/page-cache.server.ts");

/** Whether `/` is served from memory to a visitor. */
function isCached(): boolean {
  const { host } = new URL(env.origin);
  const request = { url: "/", method: "GET", headers: { host }, rawHeaders: ["Host", host] };
  const response = { writeHead: () => {}, end: () => {} };
  return serveCachedPage(request as unknown as IncomingMessage, response as unknown as ServerResponse);
}

test("a page whose next render fails is rendered again after ten seconds, and then served from memory", async () => {
  let time = new Date("2026-11-20T15:00:00Z");
  setTestClock(() => time);
  const pass = (milliseconds: number) => void (time = new Date(time.getTime() + milliseconds));
  const statuses = [200, 503, 200];
  let renders = 0;
  const render = () => Promise.resolve(new Response("page", { status: statuses[renders++] ?? 500 }));
  await warmPageCache(["/"], render, ["/"]);
  expect(isCached()).toBe(true);
  pass(60_000);
  expect([isCached(), isCached(), renders]).toEqual([false, false, 2]);
  pass(9_999);
  expect([isCached(), renders]).toEqual([false, 2]);
  pass(1);
  expect([isCached(), renders]).toEqual([false, 3]);
  await expect.poll(isCached).toBe(true);
  expect(renders).toBe(3);
});
