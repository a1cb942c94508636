/** Number of rows that are read and decrypted before other requests run. */
const DEFAULT_BATCH_SIZE = 200;

type ReadBatch<Row> = (after: number, take: number) => Promise<Row[]>;

/**
 * Reads a table of any length in batches. `read` returns the next `take` rows with ids greater than `after`, in
 * ascending order of id. It is called until it returns fewer rows.
 */
export async function* readBatches<Row extends { id: number }>(
  read: ReadBatch<Row>,
  size = DEFAULT_BATCH_SIZE,
): AsyncGenerator<Row[]> {
  for (let after = 0, isLast = false; !isLast;) {
    const rows = await read(after, size);
    yield rows;
    isLast = rows.length < size;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Yields the rows of `readBatches` one by one. */
export async function* readRowsInBatches<Row extends { id: number }>(
  read: ReadBatch<Row>,
  size?: number,
): AsyncGenerator<Row> {
  for await (const rows of readBatches(read, size)) yield* rows;
}

/** Calls `deleteBatch` until it has nothing left to delete. Returns the number of deleted rows. */
export async function deleteInBatches(deleteBatch: () => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await deleteBatch();
    if (count === 0) return deleted;
    deleted += count;
  }
}
