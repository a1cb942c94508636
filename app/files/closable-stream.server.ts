/**
 * Creates a byte stream with an explicit `close`. A generator that was never started skips its `finally`; `close` also
 * runs if the reader stops before the first byte or needs only the headers.
 */
export function createClosableStream(
  next: () => Promise<IteratorResult<Uint8Array, void>>,
  close: () => Promise<unknown>,
): ClosableStream {
  return {
    next,
    close,
    [Symbol.asyncIterator]: () => ({ next, return: () => close().then(() => ({ done: true, value: undefined })) }),
  };
}

/** Returns a stream that copies each chunk, for a reader that still needs it after the next one is requested. */
export function cloneChunks(stream: ClosableStream): ClosableStream {
  const next = async () => {
    const chunk = await stream.next();
    return chunk.done ? chunk : { done: false as const, value: Uint8Array.from(chunk.value) };
  };
  return createClosableStream(next, () => stream.close());
}

export type ClosableStream = AsyncIterable<Uint8Array> & {
  next(): Promise<IteratorResult<Uint8Array, void>>;
  close(): Promise<unknown>;
};
