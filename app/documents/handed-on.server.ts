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

/** For a reader that holds parts longer than until the next. */
export function copied(bytes: HandedOn): HandedOn {
  const next = async () => {
    const part = await bytes.next();
    return part.done ? part : { done: false as const, value: Uint8Array.from(part.value) };
  };
  return handedOn(next, () => bytes.end());
}

export type HandedOn = AsyncIterable<Uint8Array> & {
  next(): Promise<IteratorResult<Uint8Array, void>>;
  end(): Promise<unknown>;
};
