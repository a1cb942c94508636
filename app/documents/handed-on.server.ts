/**
 * Bytes that are handed on to whoever reads them. A generator that nobody has begun to read skips its own `finally`;
 * here `end` runs whenever the reader is done, also one who left before the first byte, or only asked for the head.
 */
export function handedOn(next: () => Promise<IteratorResult<Uint8Array, void>>, end: () => Promise<unknown>): HandedOn {
  return {
    next,
    end,
    [Symbol.asyncIterator]: () => ({ next, return: () => end().then(() => ({ done: true, value: undefined })) }),
  };
}

export type HandedOn = AsyncIterable<Uint8Array> & {
  next(): Promise<IteratorResult<Uint8Array, void>>;
  end(): Promise<unknown>;
};
