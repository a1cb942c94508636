/** The storage of encrypted files: a folder or a bucket, as FILE_STORAGE says. Keys come from `newStorageKey`. */
export type FileStore = {
  /**
   * Writes each chunk of `source` before it requests the next, and resolves when the file is durable.
   * When the source fails, the partial file is deleted and the source's error is thrown.
   */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** The stored file, or null if there is none. The caller closes it. */
  open(key: string): Promise<StoredFile | null>;
  /** Deletes a file; does nothing when it is missing. */
  remove(key: string): Promise<void>;
  /** Deletes files that are not in `knownKeys` and were last written before `before`. Returns how many. */
  deleteOrphans(knownKeys: ReadonlySet<string>, before: Date): Promise<number>;
  /** Whether the storage can be read and written now. */
  ping(): Promise<boolean>;
  /** Free and total bytes of the volume that receives uploads. */
  diskSpace(): Promise<{ freeBytes: number; totalBytes: number }>;
};

export type StoredFile = {
  /** stored bytes, tags included */
  size: number;
  /**
   * Reads the stored bytes [from, to) in order. Each call fills `target` and returns the byte count, less only at the
   * end.
   */
  createReader(from: number, to: number): (target: Buffer) => Promise<number>;
  close(): Promise<void>;
};
