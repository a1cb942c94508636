// Proves the order in which tasks of several networks and requesters start, and how many of a network run at once.
import { once } from "node:events";
import { type ClientRequest, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import express from "express";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  fairQueueMiddleware,
  receiveThenRequeue,
  runInTurn,
  runWithSlotReleased,
} from "../../app/http/fair-queue/fair-queue-middleware.server.ts";
import { FairTaskQueue } from "../../app/http/fair-queue/fair-task-queue.server.ts";

async function ticks(count: number) {
  for (let tick = 0; tick < count; tick += 1) await setImmediate();
}

/** A task's source: "school/keisha/phone" is the session of Keisha's phone in the school's network. */
function source(name: string) {
  const [network = "", requester = network, session = ""] = name.split("/");
  return { network, requester, session };
}

test("tasks start one per network in turn, so a network's many tasks do not delay those of other networks", async () => {
  const queue = new FairTaskQueue({ network: 8, requester: 8 });
  const started: string[] = [];
  for (const network of ["many", "many", "many", "many", "one", "two", "two"])
    queue.add(source(network), () => started.push(network));
  expect(started).toEqual([]);
  await ticks(10);
  expect(started).toEqual(["many", "one", "two", "many", "two", "many", "many"]);
});

test("in one network the requesters take turns, so a family's many tasks do not delay those of its school", async () => {
  const queue = new FairTaskQueue({ network: 8, requester: 8 });
  const started: string[] = [];
  const names = ["school/many", "school/many", "school/many", "home/one", "school/other", "school/last"];
  for (const name of names) queue.add(source(name), () => started.push(name));
  await ticks(10);
  expect(started).toEqual(["school/many", "home/one", "school/other", "school/last", "school/many", "school/many"]);
});

test("a requester in many networks has one turn for all of them, and its networks take turns in it", async () => {
  const queue = new FairTaskQueue({ network: 8, requester: 8 });
  const started: string[] = [];
  const many = ["one/many", "two/many", "three/many", "three/neighbor", "one/many"];
  for (const name of [...many, "home/tom", "home/tom", "home/tom"]) queue.add(source(name), () => started.push(name));
  await ticks(12);
  const expected = ["one/many", "three/neighbor", "home/tom", "two/many", "home/tom", "three/many", "home/tom"];
  expect(started).toEqual([...expected, "one/many"]);
});

test("the owner's new session gets every other turn of its account, whatever the number of a copied one's networks", async () => {
  const queue = new FairTaskQueue({ network: 8, requester: 8 });
  const started: string[] = [];
  const add = (name: string) => queue.add(source(name), () => started.push(name));
  for (let thief = 0; thief < 60; thief += 1) add(`thief ${thief}/maria/copied`);
  for (let count = 0; count < 3; count += 1) add("home/maria/new");
  await ticks(10);
  expect(started.slice(0, 6).map((name) => name.split("/")[2])).toEqual([
    "copied",
    "new",
    "copied",
    "new",
    "copied",
    "new",
  ]);
});

test("an account that is busy elsewhere is served in a network that somebody else keeps busy", async () => {
  const queue = new FairTaskQueue({ network: 8, requester: 8 });
  let ownerTurn = 0;
  let turns = 0;
  const repeat = (name: string) =>
    queue.add(source(name), () => {
      turns += 1;
      repeat(name);
    });
  repeat("elsewhere/maria/copied");
  repeat("school/neighbor/own");
  queue.add(source("school/maria/new"), () => (ownerTurn = turns));
  await vi.waitUntil(() => turns > 20);
  expect(ownerTurn).toBeGreaterThan(0);
  expect(ownerTurn).toBeLessThan(5);
  queue.add = () => {};
});

test("a requester with the maximum of running tasks in one network waits in the others, too", async () => {
  const queue = new FairTaskQueue({ network: 8, requester: 2 });
  const started: string[] = [];
  const releases: (() => void)[] = [];
  for (const name of ["one/many", "two/many", "three/many", "four/tom"])
    queue.add(source(name), () => {
      started.push(name);
      releases.push(queue.acquire(source(name)));
    });
  await ticks(10);
  expect(started).toEqual(["one/many", "four/tom", "two/many"]);
  releases[0]?.();
  await ticks(10);
  expect(started).toEqual(["one/many", "four/tom", "two/many", "three/many"]);
});

test("at most two tasks of a network run at once; the next starts when one is released", async () => {
  const queue = new FairTaskQueue({ network: 2, requester: 2 });
  const releases: (() => void)[] = [];
  for (const name of ["many/a", "many/b", "many/c", "many/d"])
    queue.add(source(name), () => releases.push(queue.acquire(source(name))));
  await ticks(10);
  expect(releases).toHaveLength(2);
  const other = new Promise<void>((resolve) => queue.add(source("other/a"), resolve));
  await other;
  releases[0]?.();
  releases[0]?.();
  await ticks(10);
  expect(releases).toHaveLength(3);
  releases[1]?.();
  await ticks(10);
  expect(releases).toHaveLength(4);
});

describe("requests of one network", () => {
  let server: Server;
  /** Paths of the requests that have begun, and of those whose body has arrived. */
  const begun: string[] = [];
  const received: string[] = [];
  /** Each lets the handler of a received request finish. */
  const finishers: (() => void)[] = [];
  const clients: ClientRequest[] = [];

  beforeAll(async () => {
    const app = express();
    app.use(
      fairQueueMiddleware(async ({ headers: { cookie } }) =>
        cookie ? { key: cookie, session: cookie, isPerNetwork: false } : null,
      ),
    );
    app.use(async (incoming, response) => {
      begun.push(incoming.path);
      if (incoming.method === "POST") await receiveThenRequeue(() => once(incoming.resume(), "end"));
      received.push(incoming.path);
      const finished = new Promise<void>((resolve) => finishers.push(resolve));
      await (incoming.path === "/pay" ? runWithSlotReleased(() => finished) : finished);
      response.end("Done");
    });
    server = app.listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  afterEach(async () => {
    for (const finish of finishers.splice(0)) finish();
    await vi.waitUntil(() => begun.length === clients.length);
    for (const client of clients.splice(0)) client.destroy();
    await vi.waitUntil(async () => (await connectionCount()) === 0);
    for (const list of [begun, received, finishers]) list.length = 0;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  function connectionCount() {
    return promisify(server.getConnections.bind(server))();
  }

  type Options = { cookie?: string; method?: string; body?: string | null };

  /** Sends a request; one with `body` null never finishes its body. */
  function send(path: string, { cookie = "keisha", method = "GET", body = "" }: Options = {}) {
    const { port } = server.address() as AddressInfo;
    const client = request({
      agent: false,
      port,
      path,
      method,
      headers: { Cookie: cookie, "Content-Length": method === "POST" ? 4 : 0 },
    });
    client.on("error", () => {});
    clients.push(client);
    if (body === null) client.write("on");
    else client.end(body);
    return client;
  }

  for (const options of [{ method: "GET" }, { method: "POST", body: "text" }])
    test(`by ${options.method} run six at a time for one account, and eight of all accounts there`, async () => {
      for (let count = 0; count < 8; count += 1) send("/visit", options);
      await expect.poll(() => received.length).toBe(6);
      for (let count = 0; count < 3; count += 1) send("/other", { ...options, cookie: "tom" });
      await expect.poll(() => received.length).toBe(8);
      await expect.poll(connectionCount).toBe(11);
      await ticks(200);
      expect(received).toEqual([...Array.from({ length: 6 }, () => "/visit"), "/other", "/other"]);
      for (const finish of finishers.slice(0, 2)) finish();
      await expect.poll(() => received.length).toBe(10);
      await ticks(200);
      expect(received.slice(8).toSorted()).toEqual(["/other", "/visit"]);
    });

  test("by POST of strangers start in turn, but none waits for another to end", async () => {
    for (let count = 0; count < 12; count += 1) send("/login", { cookie: "", method: "POST", body: "text" });
    await expect.poll(() => received.length).toBe(12);
  });

  test("whose bodies have not arrived keep no other from running", async () => {
    for (let count = 0; count < 10; count += 1) send("/slow", { method: "POST", body: null });
    await expect.poll(() => begun.length).toBe(10);
    send("/visit");
    await expect.poll(() => received).toEqual(["/visit"]);
  });

  test("that wait for the card provider keep no other from running", async () => {
    for (let count = 0; count < 10; count += 1) send("/pay", { method: "POST", body: "card" });
    await expect.poll(() => received.length).toBe(10);
    send("/visit");
    await expect.poll(() => received).toContain("/visit");
  });

  test("that were aborted while they waited are not begun, and their places go to others", async () => {
    const waiting = new Map(Array.from({ length: 10 }, (_, index) => [`/visit/${index}`, send(`/visit/${index}`)]));
    await expect.poll(() => begun.length).toBe(6);
    for (const path of begun) waiting.delete(path);
    for (const client of waiting.values()) clients.splice(clients.indexOf(client.destroy()), 1);
    await expect.poll(connectionCount).toBe(6);
    send("/last");
    for (const finish of finishers.splice(0)) finish();
    await expect.poll(() => received).toContain("/last");
    expect(received).toHaveLength(7);
  });

  test("that were aborted while they waited for the card provider keep no other from running", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    for (let count = 0; count < 12; count += 1) send("/pay");
    await expect.poll(() => received.length).toBe(12);
    for (const client of clients) client.destroy();
    await expect.poll(connectionCount).toBe(0);
    send("/visit", { cookie: "tom" });
    await expect.poll(() => received).toContain("/visit");
    vi.useRealTimers();
  });

  test.each(["GET", "POST"])(
    "by %s that were aborted still count for half a second while they are processed",
    async (method) => {
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      const options = { method, body: method === "POST" ? "text" : "" };
      for (let count = 0; count < 6; count += 1) send("/visit", options);
      await expect.poll(() => received.length).toBe(6);
      for (const client of clients) client.destroy();
      await expect.poll(connectionCount).toBe(0);
      send("/last", options);
      await expect.poll(connectionCount).toBe(1);
      await ticks(200);
      expect(received).not.toContain("/last");
      vi.advanceTimersByTime(500);
      vi.useRealTimers();
      await expect.poll(() => received).toContain("/last");
    },
  );
});

test("of a family's socket operations six run at a time, another family's starts beside them, and a failed one makes room", async () => {
  const started: string[] = [];
  const fail: (() => void)[] = [];
  const run = (name: string) =>
    runInTurn(source(name), () => {
      started.push(name);
      return new Promise((_, reject) => fail.push(() => reject(new Error("The database is down."))));
    });
  const many = Array.from({ length: 8 }, () => run("home/maria/phone"));
  const settled = Promise.allSettled([...many, run("school/keisha/phone")]);
  await ticks(80);
  expect(started.filter((name) => name === "home/maria/phone")).toHaveLength(6);
  expect(started).toContain("school/keisha/phone");
  for (const each of fail.splice(0)) each();
  await ticks(80);
  expect(started).toHaveLength(9);
  for (const each of fail) each();
  expect((await settled).every(({ status }) => status === "rejected")).toBe(true);
});
