import { logFailure } from "../http/failure.server.ts";
import { accepted, type Outcome } from "../http/outcome.ts";
import { unknownDocument } from "./documents.server.ts";
import { handedOn, type HandedOn } from "./handed-on.server.ts";
import { BrokenFile, findLock, SEGMENT_BYTES, sealedSize, segmentStart, unseal } from "./seal.server.ts";
import { storeFailure } from "./store-errors.server.ts";
import { store } from "./store.server.ts";

/** What finds and opens a document's file. */
export const FILE = { id: true, filePath: true, fileSize: true, fileKey: true, keyId: true } as const;

export type FileRecord = {
  id: number;
  filePath: string;
  fileSize: number;
  fileKey: string | null;
  keyId: string | null;
};

/**
 * Opens a document's file for the bytes from `from` up to, not including, `to`. The first segment is proven whole
 * before this answers; the iteration throws at a later one that is not. Whoever gets it reads to the end or ends it.
 * notFound where the file is gone, conflict where it is damaged, unavailable where the store is down; all are logged.
 */
export async function openDocument(record: FileRecord, from = 0, to = record.fileSize): Promise<Outcome<HandedOn>> {
  try {
    const file = await store.open(record.filePath);
    if (!file) {
      logFailure(`The file of document ${record.id} is missing.`, "alert: document missing");
      return unknownDocument();
    }
    const opened = bytesOf(file, record, from, to);
    const first = await opened.next();
    return accepted(withFirst(first.done ? [] : [first.value], opened));
  } catch (error) {
    const failed = storeFailure(error);
    if (!failed) throw error;
    logFailure(error, `alert: document ${record.id} can't be read`);
    return failed;
  }
}

async function* bytesOf(
  file: NonNullable<Awaited<ReturnType<typeof store.open>>>,
  record: FileRecord,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  try {
    const { fileSize } = record;
    const lock = findLock(record);
    if (file.size !== sealedSize(fileSize))
      throw new BrokenFile(`The file has ${file.size} bytes, not ${sealedSize(fileSize)}.`);
    const first = Math.floor(from / SEGMENT_BYTES);
    const end = Math.min(segmentStart(Math.ceil(to / SEGMENT_BYTES)), file.size);
    let at = first * SEGMENT_BYTES;
    for await (const segment of unseal(file.read(segmentStart(first), end), first, lock)) {
      const start = Math.max(0, from - at);
      yield segment.subarray(start, Math.min(segment.length, to - at));
      at += segment.length;
    }
    if (at < to) throw new BrokenFile("The file ended too early.");
  } finally {
    await file.close();
  }
}

/** The first segment is let go as soon as it is taken: a slow reader of a long file would hold it all the while. */
function withFirst(first: Buffer[], rest: AsyncGenerator<Buffer>): HandedOn {
  const next = async () => {
    const value = first.shift();
    return value ? { done: false as const, value } : rest.next();
  };
  return handedOn(next, () => rest.return(undefined));
}
