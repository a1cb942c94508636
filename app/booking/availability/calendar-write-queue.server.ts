import { SerialQueue } from "../../serial-queue.ts";

const writes = new SerialQueue();

/**
 * Serializes calendar writes within this process. The database rejects overlaps by itself; this keeps many waiters for
 * the same hour out of its lock queue, where they would time out.
 */
export function enqueueCalendarWrite<T>(work: () => Promise<T>): Promise<T> {
  return writes.run(work);
}
