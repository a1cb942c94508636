// Proves who gets a place in the queue of passwords to compare when it is full, and at whose cost.
import { expect, test } from "vitest";
import { FairPasswordQueue, type Waiter } from "../../app/accounts/passwords/fair-password-queue.server.ts";

type Task = Parameters<FairPasswordQueue["push"]>[0];

/** A queue with so many waiters of each IPv4 address, each of an account of its own. */
function queueOf(counts: Record<string, number>) {
  const waiters = new Map<unknown, Waiter>();
  const queue = new FairPasswordQueue((task) => waiters.get(task)!);
  const removed: string[] = [];
  const push = (ip: string, account: string) => {
    const task = {} as Task;
    waiters.set(task, { networks: [ip], account, onRemoved: () => removed.push(account) });
    queue.push(task);
  };
  for (const [ip, count] of Object.entries(counts))
    for (let number = 1; number <= count; number += 1) push(ip, `${ip} ${number}`);
  const waiter = (ip: string, account = "new"): Waiter => ({ networks: [ip], account, onRemoved: () => {} });
  return { queue, removed, push, waiter };
}

test("a full queue makes a place for a network that has none, at the cost of the newest of the largest", () => {
  const { queue, removed, waiter } = queueOf({ a: 2, b: 4, c: 3 });
  expect([queue.makeRoom(waiter("d"), 10), removed]).toEqual([true, []]);
  expect([queue.makeRoom(waiter("d"), 9), removed, queue.size]).toEqual([true, ["b 4"], 8]);
  expect([queue.makeRoom(waiter("a"), 8), removed]).toEqual([false, ["b 4"]]);
  expect([queue.makeRoom(waiter("d"), 8), removed]).toEqual([true, ["b 4", "b 3"]]);
});

test("a full queue has no place for a network that has as many waiting as any, or where all have one", () => {
  const { queue, removed, waiter } = queueOf({ a: 3, b: 3, c: 2 });
  for (const ip of ["a", "b", "c"]) expect(queue.makeRoom(waiter(ip), 8)).toBe(false);
  const even = queueOf({ a: 1, b: 1 });
  expect(even.queue.makeRoom(even.waiter("c"), 2)).toBe(false);
  expect([...removed, ...even.removed]).toEqual([]);
});

test("an account has three places, of which a network that has none gets one", () => {
  const { queue, removed, push, waiter } = queueOf({});
  for (const ip of ["a", "a", "b"]) {
    expect(queue.makeRoomForAccount(waiter(ip, "maria"))).toBe(true);
    push(ip, "maria");
  }
  expect(queue.makeRoomForAccount(waiter("a", "maria"))).toBe(false);
  expect(queue.makeRoomForAccount(waiter("b", "maria"))).toBe(false);
  expect(queue.makeRoomForAccount(waiter("b", "noor"))).toBe(true);
  expect(removed).toEqual([]);
  expect([queue.makeRoomForAccount(waiter("c", "maria")), removed, queue.size]).toEqual([true, ["maria"], 2]);
});
