/** Maximum consecutive ticks in which new connections and requests are only read, before the next queued request starts. */
const MAX_DEFERRED_TICKS = 64;
/**
 * Maximum connections and requests of one network that are read before tasks start. With more, the unanswered ones
 * could exceed `CONNECTION_LIMITS`.
 */
export const MAX_PRIORITY_READS = 64;

/** Maximum running tasks of one network, and of one requester in all networks. */
export type RunningLimits = { network: number; requester: number };

/** Who sent a task: an account or an address (`requester`), and its widest network. */
export type TaskSource = { network: string; requester: string };
/** `position`: the place in the rotation, which grows each time a task of the network starts. */
type NetworkTasks = { byRequester: Map<string, (() => void)[]>; count: number; position: number };
/** `servedAt`: the position in the rotation at which a task of the requester last started; 0 if none did. */
type RequesterTasks = { count: number; servedAt: number };

/**
 * Starts one task per event loop tick and takes the networks in turn, and in each network its requesters, so that a
 * requester with many tasks delays mostly its own. A requester in several networks has one turn for all of them. A
 * network or requester with the maximum of running tasks waits until one of them is released. Node accepts one
 * connection per tick. While connections arrive, no task starts for up to 64 ticks, so that the requests of connections
 * in the accept backlog are also queued fairly.
 */
export class FairTaskQueue {
  /** Ordered by `position`. */
  private readonly networks = new Map<string, NetworkTasks>();
  private readonly requesters = new Map<string, RequesterTasks>();
  private readonly runningCounts = new Map<string, number>();
  private readonly limits: RunningLimits;
  private position = 0;
  private isScheduled = false;
  private hasNewArrival = false;
  private deferredTicks = 0;

  constructor(limits: RunningLimits) {
    this.limits = limits;
  }

  /** `isArrival`: the request has just arrived, and is not one that has been started before. */
  add({ network, requester }: TaskSource, task: () => void, isArrival = true): void {
    const tasks = this.networks.get(network) ?? { byRequester: new Map(), count: 0, position: this.nextPosition() };
    const own = tasks.byRequester.get(requester);
    if (own) own.push(task);
    else tasks.byRequester.set(requester, [task]);
    tasks.count += 1;
    this.networks.set(network, tasks);
    const { count, servedAt } = this.requesters.get(requester) ?? { count: 0, servedAt: 0 };
    this.requesters.set(requester, { count: count + 1, servedAt });
    if (isArrival && tasks.count <= MAX_PRIORITY_READS) this.markArrival();
    this.schedule();
  }

  /** Records that a connection or request has arrived in this tick. */
  markArrival(): void {
    this.hasNewArrival = true;
  }

  /** Counts a task as running. Returns a function that releases it. Calling it again has no effect. */
  acquire({ network, requester }: TaskSource): () => void {
    const keys = [network, requesterKey(requester)];
    for (const key of keys) this.changeRunning(key, 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      for (const key of keys) this.changeRunning(key, -1);
      this.schedule();
    };
  }

  private changeRunning(key: string, change: number): void {
    const count = this.countRunning(key) + change;
    if (count > 0) this.runningCounts.set(key, count);
    else this.runningCounts.delete(key);
  }

  private countRunning(key: string): number {
    return this.runningCounts.get(key) ?? 0;
  }

  private nextPosition(): number {
    this.position += 1;
    return this.position;
  }

  private schedule(): void {
    if (this.isScheduled || this.networks.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      const isReading = this.hasNewArrival && this.deferredTicks < MAX_DEFERRED_TICKS;
      this.hasNewArrival = false;
      this.deferredTicks = isReading ? this.deferredTicks + 1 : 0;
      if (isReading) this.schedule();
      else this.startNext();
    });
  }

  private startNext(): void {
    const next = this.findNext();
    if (!next) return;
    const task = this.remove(next);
    this.schedule();
    task?.();
  }

  /** Returns the source of the task that starts next: its network and its requester have waited the longest. */
  private findNext(): TaskSource | null {
    let next: (TaskSource & { position: number }) | null = null;
    for (const [network, { byRequester, position: networkPosition }] of this.networks) {
      // No later network can come before the one that was found.
      if (next && next.position <= networkPosition) return next;
      if (this.countRunning(network) >= this.limits.network) continue;
      for (const requester of byRequester.keys()) {
        if (this.countRunning(requesterKey(requester)) >= this.limits.requester) continue;
        const position = Math.max(networkPosition, this.requesters.get(requester)?.servedAt ?? 0);
        if (!next || position < next.position) next = { network, requester, position };
        if (position === networkPosition) break;
      }
    }
    return next;
  }

  private remove({ network, requester }: TaskSource): (() => void) | undefined {
    const tasks = this.networks.get(network);
    const own = tasks?.byRequester.get(requester);
    if (!tasks || !own) return undefined;
    const task = own.shift();
    const position = this.nextPosition();
    tasks.byRequester.delete(requester);
    if (own.length > 0) tasks.byRequester.set(requester, own);
    this.networks.delete(network);
    if (tasks.count > 1) this.networks.set(network, { ...tasks, count: tasks.count - 1, position });
    const count = (this.requesters.get(requester)?.count ?? 1) - 1;
    if (count > 0) this.requesters.set(requester, { count, servedAt: position });
    else this.requesters.delete(requester);
    return task;
  }
}

/** A stranger's address may be both a network and a requester. */
function requesterKey(requester: string): string {
  return `requester ${requester}`;
}
