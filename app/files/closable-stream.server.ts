/**
 * Bytes that are handed on to whoever reads them. A generator that nobody has begun to read skips its own `finally`;
 * here `end` runs whenever the reader is done, also one who left before the first byte, or only asked for the head.
 */
export function closableStream(
  next: () => Promise<IteratorResult<Uint8Array, void>>,
  close: () => Promise<unknown>,
): ClosableStream {
  return {
    next,
    close,
    [Symbol.asyncIterator]: () => ({ next, return: () => close().then(() => ({ done: true, value: undefined })) }),
  };
}

/** For a reader that holds parts longer than until the next. */
export function copyChunks(stream: ClosableStream): ClosableStream {
  const next = async () => {
    const chunk = await stream.next();
    return chunk.done ? chunk : { done: false as const, value: Uint8Array.from(chunk.value) };
  };
  return closableStream(next, () => stream.close());
}

export type ClosableStream = AsyncIterable<Uint8Array> & {
  next(): Promise<IteratorResult<Uint8Array, void>>;
  close(): Promise<unknown>;
};
