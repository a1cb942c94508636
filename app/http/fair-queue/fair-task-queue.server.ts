/** Maximum consecutive ticks in which new connections and requests are only read, before the next queued request starts. */
const MAX_DEFERRED_TICKS = 64;
/**
 * Maximum connections and requests of one network that are read before tasks start. With more, the unanswered ones
 * could exceed `CONNECTION_LIMITS`.
 */
export const MAX_PRIORITY_READS = 64;

/** Maximum running tasks of one network, and of one requester in all networks. */
export type ConcurrencyLimits = { network: number; requester: number };

/**
 * Who sent a task: its widest network, the account or address (`requester`), and the session of the account ("" for an
 * address).
 */
export type TaskSource = { network: string; requester: string; session: string };
type Task = { network: string; start: () => void };
/**
 * `count`: number of tasks, in all and `countByRequester`. `position`: the place in the rotation, which grows when a task of
 * the network starts.
 */
type NetworkTasks = { countByRequester: Map<string, number>; count: number; position: number };
/** `lastServedPosition`: the position at which a task of the requester last started; 0 if none did. */
type RequesterTasks = { tasksBySession: Map<string, Task[]>; lastServedPosition: number };

/**
 * Starts one task per event loop tick and takes the networks in turn, and in each network its requesters, so that a
 * requester with many tasks delays mostly its own. A requester in several networks has one turn for all of them, in
 * which its sessions take turns, so that a copied session delays the owner's new one little. A network or requester
 * with the maximum of running tasks waits until one of them is released. Node accepts one connection per tick. While
 * connections arrive, no task starts for up to 64 ticks, so that the requests of connections in the accept backlog are
 * also queued fairly.
 */
export class FairTaskQueue {
  /** Ordered by `position`. */
  private readonly networks = new Map<string, NetworkTasks>();
  private readonly requesters = new Map<string, RequesterTasks>();
  private readonly runningCounts = new Map<string, number>();
  private readonly limits: ConcurrencyLimits;
  private position = 0;
  private isScheduled = false;
  private hasNewArrival = false;
  private deferredTicks = 0;

  constructor(limits: ConcurrencyLimits) {
    this.limits = limits;
  }

  /** `isArrival`: the request has just arrived, and is not one that has been started before. */
  add({ network, requester, session }: TaskSource, start: () => void, isArrival = true): void {
    const networkTasks = this.networks.get(network) ?? {
      countByRequester: new Map(),
      count: 0,
      position: this.nextPosition(),
    };
    networkTasks.count += 1;
    networkTasks.countByRequester.set(requester, (networkTasks.countByRequester.get(requester) ?? 0) + 1);
    this.networks.set(network, networkTasks);
    const requesterTasks = this.requesters.get(requester) ?? {
      tasksBySession: new Map<string, Task[]>(),
      lastServedPosition: 0,
    };
    this.requesters.set(requester, requesterTasks);
    const tasks = requesterTasks.tasksBySession.get(session);
    if (tasks) tasks.push({ network, start });
    else requesterTasks.tasksBySession.set(session, [{ network, start }]);
    if (isArrival && networkTasks.count <= MAX_PRIORITY_READS) this.markArrival();
    this.schedule();
  }

  /** Records that a connection or request has arrived in this tick. */
  markArrival(): void {
    this.hasNewArrival = true;
  }

  /** Counts a task as running. Returns a function that releases it. Calling it again has no effect. */
  acquire({ network, requester }: Pick<TaskSource, "network" | "requester">): () => void {
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
      const shouldDeferTasks = this.hasNewArrival && this.deferredTicks < MAX_DEFERRED_TICKS;
      this.hasNewArrival = false;
      this.deferredTicks = shouldDeferTasks ? this.deferredTicks + 1 : 0;
      if (shouldDeferTasks) this.schedule();
      else this.startNext();
    });
  }

  private startNext(): void {
    const requester = this.findNextRequester();
    const task = requester === null ? null : this.takeTask(requester);
    if (!task) return;
    this.schedule();
    task.start();
  }

  /** Returns the requester that starts next: it and one of its networks have waited the longest. */
  private findNextRequester(): string | null {
    let next: { requester: string; position: number } | null = null;
    for (const [network, { countByRequester, position: networkPosition }] of this.networks) {
      // No later network can come before the one that was found.
      if (next && next.position <= networkPosition) break;
      if (this.isNetworkAtLimit(network)) continue;
      for (const requester of countByRequester.keys()) {
        if (this.countRunning(requesterKey(requester)) >= this.limits.requester) continue;
        const position = Math.max(networkPosition, this.requesters.get(requester)?.lastServedPosition ?? 0);
        if (!next || position < next.position) next = { requester, position };
        if (position === networkPosition) break;
      }
    }
    return next && next.requester;
  }

  private isNetworkAtLimit(network: string): boolean {
    return this.countRunning(network) >= this.limits.network;
  }

  /** Removes the oldest task of the requester's session that was served least recently, in a network that is not full. */
  private takeTask(requester: string): Task | null {
    const requesterTasks = this.requesters.get(requester);
    for (const [session, tasks] of requesterTasks?.tasksBySession ?? []) {
      const index = tasks.findIndex(({ network }) => !this.isNetworkAtLimit(network));
      const [task] = index === -1 ? [] : tasks.splice(index, 1);
      if (!requesterTasks || !task) continue;
      requesterTasks.tasksBySession.delete(session);
      if (tasks.length > 0) requesterTasks.tasksBySession.set(session, tasks);
      requesterTasks.lastServedPosition = this.nextPosition();
      if (requesterTasks.tasksBySession.size === 0) this.requesters.delete(requester);
      this.rotateNetwork(task.network, requester, requesterTasks.lastServedPosition);
      return task;
    }
    return null;
  }

  /** Moves a network, and in it the requester of its started task, to the end of the rotation. */
  private rotateNetwork(network: string, requester: string, position: number): void {
    const networkTasks = this.networks.get(network);
    if (!networkTasks) return;
    const { countByRequester } = networkTasks;
    const remainingTaskCount = (countByRequester.get(requester) ?? 1) - 1;
    countByRequester.delete(requester);
    if (remainingTaskCount > 0) countByRequester.set(requester, remainingTaskCount);
    const count = networkTasks.count - 1;
    this.networks.delete(network);
    if (count > 0) this.networks.set(network, { countByRequester, count, position });
  }
}

/** A stranger's address may be both a network and a requester. */
function requesterKey(requester: string): string {
  return `requester ${requester}`;
}
