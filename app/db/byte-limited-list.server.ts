/** Maximum bytes of the JSON of one list. Source: docs/product.md, Limits. */
const MAX_LISTED_BYTES = 500_000;
/**
 * Rows read at once. Decrypting long texts takes a while, so reading stops after the batch in which the limit is
 * reached.
 */
const BATCH_SIZE = 50;

/**
 * Returns the first rows of `ids`, in that order, whose JSON together has at most 500 kB; at least one row. `readRows`
 * finds rows by id, in any order; a row that was deleted in the meantime is left out. `toJson` returns the listed part
 * of a row.
 */
export async function readRowsWithinByteLimit<Row extends { id: number }, Listed>(
  ids: readonly number[],
  readRows: (ids: number[]) => Promise<Row[]>,
  toJson: (row: Row) => Listed,
): Promise<Listed[]> {
  const listed: Listed[] = [];
  let bytes = 0;
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE);
    const rows = new Map((await readRows(batch)).map((row) => [row.id, row]));
    for (const id of batch) {
      const row = rows.get(id);
      if (!row) continue;
      const json = toJson(row);
      bytes += Buffer.byteLength(JSON.stringify(json)) + 1;
      if (listed.length > 0 && bytes > MAX_LISTED_BYTES) return listed;
      listed.push(json);
    }
  }
  return listed;
}
