/** Runs tasks one at a time, in the order in which they were added. For the server and the browser. */
export class SerialQueue {
  private tail: Promise<void> = Promise.resolve();
  private pendingCount = 0;

  /** Whether no task is running or waiting. */
  get isIdle(): boolean {
    return this.pendingCount === 0;
  }

  /** Returns a promise that settles like the task. A rejection does not stop the next task, and need not be handled. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    this.pendingCount += 1;
    const result = this.tail.then(task);
    const onSettled = () => void (this.pendingCount -= 1);
    this.tail = result.then(onSettled, onSettled);
    return result;
  }

  /** Resolves when the tasks added so far have settled. */
  waitUntilDrained(): Promise<void> {
    return this.tail;
  }
}

/**
 * Same as the timeout of one query: tasks that wait for a database that does not respond are refused instead of piling
 * up.
 */
const MAX_QUEUE_WAIT_MS = 4_000;

/**
 * Serial queues by key: tasks with the same key run one at a time, those with different keys in parallel. A task that
 * has waited for more than 4 s is not run, and rejects with a timeout, which results in a 503 response.
 */
export class KeyedSerialQueue<Key> {
  private readonly queues = new Map<Key, SerialQueue>();

  /** Returns a promise that settles like the task. */
  run<T>(key: Key, task: () => Promise<T> | T): Promise<T> {
    const queue = this.queues.get(key) ?? new SerialQueue();
    this.queues.set(key, queue);
    const addedAt = performance.now();
    const runInTime = () => {
      if (performance.now() - addedAt > MAX_QUEUE_WAIT_MS) throw new Error("timeout: earlier tasks took too long");
      return task();
    };
    return queue.run(runInTime).finally(() => {
      if (queue.isIdle) this.queues.delete(key);
    });
  }
}
