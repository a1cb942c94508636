// Proves which entry gets a place in the full queue of password comparisons, and which entry is removed for it.
import { expect, test } from "vitest";
import { FairPasswordQueue, type PasswordTaskClient } from "../../app/accounts/passwords/fair-password-queue.server.ts";

type Task = Parameters<FairPasswordQueue["push"]>[0];

/**
 * A queue with so many entries of each IPv4 address, each of an account of its own; an address that begins with "own" is
 * of recognized people.
 */
function queueOf(counts: Record<string, number>) {
  const clients = new Map<unknown, PasswordTaskClient>();
  const queue = new FairPasswordQueue((task) => clients.get(task)!);
  const removed: string[] = [];
  const push = (ip: string, account: string) => {
    const task = {} as Task;
    clients.set(task, { ...client(ip, account), onEvicted: () => removed.push(account) });
    queue.push(task);
  };
  const client = (ip: string, account = "new"): PasswordTaskClient => ({
    networks: [ip],
    account,
    isRecognized: ip.startsWith("own"),
    onEvicted: () => {},
  });
  for (const [ip, count] of Object.entries(counts))
    for (let number = 1; number <= count; number += 1) push(ip, `${ip} ${number}`);
  const serve = () => clients.get(queue.shift())?.account;
  return { queue, removed, push, client, serve };
}

test("a full queue makes room for a network without entries by removing the largest network's newest entry", () => {
  const { queue, removed, client } = queueOf({ a: 2, b: 4, c: 3 });
  expect([queue.ensureQueueCapacity(client("d"), 10), removed]).toEqual([true, []]);
  expect([queue.ensureQueueCapacity(client("d"), 9), removed, queue.size]).toEqual([true, ["b 4"], 8]);
  expect([queue.ensureQueueCapacity(client("a"), 8), removed]).toEqual([false, ["b 4"]]);
  expect([queue.ensureQueueCapacity(client("d"), 8), removed]).toEqual([true, ["b 4", "b 3"]]);
});

test("a full queue refuses a network whose new entry would make it as large as the largest network", () => {
  const { queue, removed, client } = queueOf({ a: 3, b: 3, c: 2 });
  for (const ip of ["a", "b", "c"]) expect(queue.ensureQueueCapacity(client(ip), 8)).toBe(false);
  const even = queueOf({ a: 1, b: 1 });
  expect(even.queue.ensureQueueCapacity(even.client("c"), 2)).toBe(false);
  expect([...removed, ...even.removed]).toEqual([]);
});

test("an account gets three places; a network without an entry replaces one of them", () => {
  const { queue, removed, push, client } = queueOf({});
  for (const ip of ["a", "a", "b"]) {
    expect(queue.ensureAccountCapacity(client(ip, "maria"))).toBe(true);
    push(ip, "maria");
  }
  expect(queue.ensureAccountCapacity(client("a", "maria"))).toBe(false);
  expect(queue.ensureAccountCapacity(client("b", "maria"))).toBe(false);
  expect(queue.ensureAccountCapacity(client("b", "noor"))).toBe(true);
  expect(removed).toEqual([]);
  expect([queue.ensureAccountCapacity(client("c", "maria")), removed, queue.size]).toEqual([true, ["maria"], 2]);
});

/** One entry of each of so many addresses. */
const fromEach = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]));

test("recognized users get up to twenty places in a queue filled from sixty unrecognized addresses", () => {
  const { queue, removed, push, client } = queueOf(fromEach("stranger ", 60));
  expect(queue.ensureQueueCapacity(client("stranger 60"), 60)).toBe(false);
  for (let number = 1; number <= 20; number += 1) {
    expect(queue.ensureQueueCapacity(client(`own ${number}`), 60)).toBe(true);
    push(`own ${number}`, `own ${number}`);
  }
  expect(queue.ensureQueueCapacity(client("own 21"), 60)).toBe(false);
  expect([queue.size, removed.length, removed.filter((account) => account.startsWith("own"))]).toEqual([60, 20, []]);
});

test("an unrecognized user can't take the place of a recognized one", () => {
  const { queue, removed, client } = queueOf({ "own a": 5, b: 1 });
  expect([queue.ensureQueueCapacity(client("c"), 6), removed]).toEqual([false, []]);
});

test("recognized and unrecognized users are served in turn, however many of either came first", () => {
  const { serve } = queueOf({ a: 2, b: 1, "own c": 1, "own d": 1 });
  expect([serve(), serve(), serve(), serve(), serve(), serve()]).toEqual([
    "own c 1",
    "a 1",
    "own d 1",
    "b 1",
    "a 2",
    undefined,
  ]);
});

test("unrecognized and recognized users at one address don't use up each other's places", () => {
  const { queue, push, client } = queueOf({ "own school": 0 });
  const school = (isRecognized: boolean, account: string) => ({ ...client("school", account), isRecognized });
  for (let number = 1; number <= 10; number += 1) push("school", `stranger ${number}`);
  expect(queue.ensureNetworkCapacity(school(false, "stranger 11"))).toBe(false);
  expect(queue.ensureNetworkCapacity(school(true, "maria"))).toBe(true);

  const recognized = queueOf({ "own school": 20 });
  expect(recognized.queue.ensureNetworkCapacity(recognized.client("own school", "one more"))).toBe(false);
  expect(recognized.queue.ensureNetworkCapacity({ ...recognized.client("own school"), isRecognized: false })).toBe(
    true,
  );
  expect(recognized.removed).toEqual([]);
});

test("at one address, a recognized family without an entry takes a place of the family with the most entries", () => {
  const { queue, removed, push, client } = queueOf({});
  const families = ["maria", "devon", "priya", "samuel", "noor", "elena"];
  for (const family of families) for (const _ of [1, 2, 3]) push("own school", family);
  for (const _ of [1, 2]) push("own school", "tomás");
  expect([queue.ensureNetworkCapacity(client("own school", "grace")), removed]).toEqual([true, ["maria"]]);
  push("own school", "grace");
  expect([queue.ensureNetworkCapacity(client("own school", "devon")), removed]).toEqual([false, ["maria"]]);
  expect(queue.ensureNetworkCapacity(client("own library", "devon"))).toBe(true);
});
