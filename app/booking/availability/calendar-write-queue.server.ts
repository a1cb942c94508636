import { SerialQueue } from "../../serial-queue.ts";

const calendarWriteQueue = new SerialQueue();

/**
 * Serializes calendar writes within this process. The database rejects overlaps on its own. The queue prevents many
 * requests for the same hour from waiting for database locks until they time out.
 */
export function enqueueCalendarWrite<T>(work: () => Promise<T>): Promise<T> {
  return calendarWriteQueue.run(work);
}
