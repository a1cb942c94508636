/** Messages that wait, in order, until they are asked for. */
export function createAsyncQueue<T>() {
  const items: T[] = [];
  let resolveNext: ((item: T) => void) | null = null;
  return {
    put(item: T): void {
      if (resolveNext) resolveNext(item);
      else items.push(item);
      resolveNext = null;
    },
    next(): Promise<T> {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => (resolveNext = resolve)) : Promise.resolve(item);
    },
  };
}
export type AsyncQueue<T> = ReturnType<typeof createAsyncQueue<T>>;
