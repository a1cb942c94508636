/** Where files lie, sealed, under keys of our own. Every store is one of these; switching is configuration. */
export type FileStore = {
  /**
   * Writes what comes, each part before the next is asked for, and answers when it would outlast the loss of power.
   * When the source fails nothing is left, and the source's error is thrown.
   */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** The stored file, or null where there is none. Whoever opens it closes it. */
  open(key: string): Promise<StoredFile | null>;
  /** Removes a file; one that is not there is removed already. */
  remove(key: string): Promise<void>;
  /** Removes what is not among `kept` and was last written before `before`; says how many. */
  deleteOrphans(kept: ReadonlySet<string>, before: Date): Promise<number>;
  /** Whether the store can be read and written just now. */
  ping(): Promise<boolean>;
  /** Bytes free, and in all, on the volume that receives files. */
  diskSpace(): Promise<{ freeBytes: number; totalBytes: number }>;
};

export type StoredFile = {
  /** bytes, seals included */
  size: number;
  /** Gives the bytes from `from` on, up to but not including `to`: each call fills what it is given, less only at the end. */
  createReader(from: number, to: number): (target: Buffer) => Promise<number>;
  close(): Promise<void>;
};
