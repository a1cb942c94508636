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

/** Serial queues by key: tasks of one key run one at a time, those of different keys at once. */
export class KeyedSerialQueue<Key> {
  private readonly queues = new Map<Key, SerialQueue>();

  /** Settles as the task does. */
  run<T>(key: Key, task: () => Promise<T> | T): Promise<T> {
    const queue = this.queues.get(key) ?? new SerialQueue();
    this.queues.set(key, queue);
    return queue.run(task).finally(() => {
      if (queue.isIdle) this.queues.delete(key);
    });
  }
}
