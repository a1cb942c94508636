import type { TaskQueue } from "piscina";

type Task = Parameters<TaskQueue["push"]>[0];

/**
 * Maximum numbers of waiting tasks of an IP address, of its /56 and of its /48: for recognized people, and for others.
 */
const MAX_WAITING_PER_NETWORK = { recognized: [20, 30, 40], others: [10, 20, 30] };
const MAX_WAITING_PER_ACCOUNT = 3;
/**
 * Number of places in a full queue that recognized people can take from others, so that clients in many networks can't
 * lock them out.
 */
const RESERVED_QUEUE_SLOTS = 20;

/** The client of a task. */
export type PasswordTaskClient = {
  /** The client's networks, narrowest first. */
  networks: readonly string[];
  account: string;
  /** True if signed in, with a valid link, or on a device on which the account has signed in before. */
  isRecognized: boolean;
  onEvicted: () => void;
};

/**
 * A fair queue of passwords to hash. Recognized people and others are served alternately, and within each group the
 * networks in rotation, so that a network with many tasks delays only itself. `clientOf` returns the client of a task.
 */
export class FairPasswordQueue implements TaskQueue {
  private readonly waiting = new Map<string, Task[]>();
  private readonly clientOf: (task: Task) => PasswordTaskClient;
  private wasLastRecognized = false;

  constructor(clientOf: (task: Task) => PasswordTaskClient) {
    this.clientOf = clientOf;
  }

  get size(): number {
    let size = 0;
    for (const tasks of this.waiting.values()) size += tasks.length;
    return size;
  }

  push(task: Task): void {
    const key = this.keyOf(task);
    this.waiting.set(key, [...(this.waiting.get(key) ?? []), task]);
  }

  /** Puts a task that no thread accepted back at the front of the queue. */
  unshift(task: Task): void {
    const key = this.keyOf(task);
    const otherEntries = [...this.waiting].filter(([each]) => each !== key);
    const own = [task, ...(this.waiting.get(key) ?? [])];
    this.waiting.clear();
    for (const [each, tasks] of [[key, own] as const, ...otherEntries]) this.waiting.set(each, tasks);
  }

  /** Removes the oldest task of the next network, which then moves to the end of the rotation. */
  shift(): Task | null {
    const entries = [...this.waiting];
    const nextEntry = entries.find(([, [task]]) => task && this.clientOf(task).isRecognized !== this.wasLastRecognized);
    const [key, tasks = []] = nextEntry ?? entries[0] ?? [];
    const [first, ...others] = tasks;
    if (key === undefined || !first) return null;
    this.wasLastRecognized = this.clientOf(first).isRecognized;
    this.waiting.delete(key);
    if (others.length > 0) this.waiting.set(key, others);
    return first;
  }

  remove(task: Task): void {
    const key = this.keyOf(task);
    const remainingTasks = (this.waiting.get(key) ?? []).filter((each) => each !== task);
    if (remainingTasks.length > 0) this.waiting.set(key, remainingTasks);
    else this.waiting.delete(key);
  }

  /**
   * Makes room for `client` among the tasks of its network and group; returns false if that is impossible. Among
   * recognized people, removes a task of the account with the most tasks, because the families of a school may share
   * one address. For others no task is removed, because their account is only what they claim.
   */
  ensureNetworkCapacity(client: PasswordTaskClient): boolean {
    const { networks, isRecognized } = client;
    const limits = MAX_WAITING_PER_NETWORK[isRecognized ? "recognized" : "others"];
    const sameGroupTasks = this.tasks().filter((task) => this.clientOf(task).isRecognized === isRecognized);
    const tasksByLevel = networks.map((network, level) =>
      sameGroupTasks.filter((task) => this.clientOf(task).networks[level] === network),
    );
    const fullNetworkTasks = tasksByLevel.find((tasks, level) => tasks.length >= (limits[level] ?? 0));
    return (
      !fullNetworkTasks ||
      (isRecognized && this.evictNewestOfLargest(fullNetworkTasks, client, ({ account }) => account))
    );
  }

  /** Makes room for `client` among the three tasks of its account; returns false if that is impossible. */
  ensureAccountCapacity(client: PasswordTaskClient): boolean {
    const accountTasks = this.tasks().filter((task) => this.clientOf(task).account === client.account);
    return accountTasks.length < MAX_WAITING_PER_ACCOUNT || this.evictNewestOfLargest(accountTasks, client);
  }

  /** Makes room for `client` in a queue of at most `maxSize` tasks; returns false if that is impossible. */
  ensureQueueCapacity(client: PasswordTaskClient, maxSize: number): boolean {
    if (this.size < maxSize) return true;
    const { recognized = [], others = [] } = Object.groupBy(this.tasks(), (task) =>
      this.clientOf(task).isRecognized ? "recognized" : "others",
    );
    if (!client.isRecognized) return this.evictNewestOfLargest(others, client);
    if (recognized.length >= RESERVED_QUEUE_SLOTS) return this.evictNewestOfLargest(this.tasks(), client);
    return this.evictNewestOfLargest(others, null);
  }

  /**
   * Removes the newest task of the network (or other group by `groupOf`) with the most of `tasks`, unless the group of
   * `client` would then have as many or more. `client` is null if it has precedence. Returns whether a task was
   * removed.
   */
  private evictNewestOfLargest(
    tasks: readonly Task[],
    client: PasswordTaskClient | null,
    groupOf = rotationKey,
  ): boolean {
    const groups = Map.groupBy(tasks, (task) => groupOf(this.clientOf(task)));
    const ownCount = client ? (groups.get(groupOf(client))?.length ?? 0) : -1;
    const [largest = []] = [...groups.values()].toSorted((a, b) => b.length - a.length);
    const newest = largest.at(-1);
    if (!newest || largest.length <= ownCount + 1) return false;
    this.remove(newest);
    this.clientOf(newest).onEvicted();
    return true;
  }

  private tasks(): Task[] {
    return [...this.waiting.values()].flat();
  }

  private keyOf(task: Task): string {
    return rotationKey(this.clientOf(task));
  }
}

/** Returns one key for each widest network (the /48 of an IPv6 address, an IPv4 address itself) and group. */
function rotationKey({ networks, isRecognized }: PasswordTaskClient): string {
  return `${networks.at(-1) ?? ""} ${isRecognized ? "recognized" : ""}`;
}
