/** Messages that wait, in order, until they are asked for. */
export function makeInbox<T>() {
  const waiting: T[] = [];
  let wake: ((message: T) => void) | null = null;
  return {
    put(message: T): void {
      if (wake) wake(message);
      else waiting.push(message);
      wake = null;
    },
    next(): Promise<T> {
      const message = waiting.shift();
      return message === undefined ? new Promise((resolve) => (wake = resolve)) : Promise.resolve(message);
    },
  };
}
export type Inbox<T> = ReturnType<typeof makeInbox<T>>;
