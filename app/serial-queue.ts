/** Runs tasks one at a time, in the order they were added. For the server and the browser. */
export class SerialQueue {
  private tail: Promise<void> = Promise.resolve();
  private pendingCount = 0;

  /** Whether no task is running or waiting. */
  get isIdle(): boolean {
    return this.pendingCount === 0;
  }

  /** Settles as the task does. A rejection does not stop the next task, and need not be handled. */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    this.pendingCount += 1;
    const result = this.tail.then(task);
    const onSettled = () => void (this.pendingCount -= 1);
    this.tail = result.then(onSettled, onSettled);
    return result;
  }

  /** Resolves when the tasks added so far have settled. */
  drained(): Promise<void> {
    return this.tail;
  }
}

/** The timeout of one query: tasks behind a database that does not respond are refused instead of adding up. */
const MAX_WAIT_MS = 4_000;

/**
 * Serial queues by key: tasks of one key run one at a time, those of different keys at once. A task that has waited for
 * more than 4 s is not run, and rejects with a timeout, which is answered with 503.
 */
export class KeyedSerialQueue<Key> {
  private readonly queues = new Map<Key, SerialQueue>();

  /** Settles as the task does. */
  run<T>(key: Key, task: () => Promise<T> | T): Promise<T> {
    const queue = this.queues.get(key) ?? new SerialQueue();
    this.queues.set(key, queue);
    const addedAt = performance.now();
    const runInTime = () => {
      if (performance.now() - addedAt > MAX_WAIT_MS) throw new Error("timeout: earlier tasks took too long");
      return task();
    };
    return queue.run(runInTime).finally(() => {
      if (queue.isIdle) this.queues.delete(key);
    });
  }
}
