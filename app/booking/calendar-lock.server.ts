import { SerialQueue } from "../serial-queue.ts";

const writes = new SerialQueue();

/**
 * Lets the writers of the calendar in this process go one after the other. The database refuses overlaps without it;
 * but a thousand who want the same hour would wait inside the database, longer than it lets anyone wait.
 */
export function withCalendarLock<T>(work: () => Promise<T>): Promise<T> {
  return writes.run(work);
}
