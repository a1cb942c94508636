/** The storage of encrypted files: a folder or a bucket, according to FILE_STORAGE. Keys come from `newStorageKey`. */
export type FileStore = {
  /**
   * Writes each chunk of `source` before it requests the next one, and resolves when the file is durable. If the source
   * fails, deletes the partial file and throws the source's error.
   */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Returns the stored file, or null if there is none. The caller must close it. */
  open(key: string): Promise<StoredFile | null>;
  /** Deletes a file. Does nothing if it is missing. */
  remove(key: string): Promise<void>;
  /**
   * Deletes files that are not in `knownKeys` and were last written before `before`. Returns the number of deleted
   * files.
   */
  deleteOrphans(knownKeys: ReadonlySet<string>, before: Date): Promise<number>;
  /** Returns whether the storage can be read and written now. */
  ping(): Promise<boolean>;
  /** Returns the free and total bytes of the volume that receives uploads. */
  diskSpace(): Promise<{ freeBytes: number; totalBytes: number }>;
};

export type StoredFile = {
  /** stored bytes, tags included */
  size: number;
  /**
   * Returns a function that reads the stored bytes [from, to) in order. Each call fills `target` and returns the byte
   * count, which is less than its length only at the end.
   */
  createReader(from: number, to: number): (target: Buffer) => Promise<number>;
  close(): Promise<void>;
};
