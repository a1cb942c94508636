import { CHUNK_BYTES } from "../files/chunk-encryption.server.ts";

/** The JSON records of a backup, in the order of the file. Frames of bytes come between them. */
export type BackupRecord =
  | { kind: "about"; provider: DatabaseProvider; at: string; migrations: string[]; textKeys?: TextKey[] }
  /** SQLite: the bytes that follow are the database file */
  | { kind: "database" }
  /** PostgreSQL: rows of one table, each as the database's own JSON text */
  | { kind: "rows"; table: string; rows: string[] }
  /** the bytes that follow are the document's */
  | { kind: "document"; id: number; size: number }
  | { kind: "documentEnd"; id: number; sha256: string; isComplete: boolean }
  | Trailer;

/** A key of encrypted texts, in base64. It is included because the machine that restores them has other FILE_KEYS. */
export type TextKey = { id: string; key: string };

export type DatabaseProvider = "sqlite" | "postgresql";

/** The last record. A file without it is truncated. */
export type Trailer = {
  kind: "end";
  /** rows of each table */
  tables: Record<string, number>;
  /** PostgreSQL: the last value of each sequence */
  sequences: Record<string, number>;
  documents: number;
  /** ids of documents that were deleted while the backup was created: a restore omits their records */
  gone: number[];
  /** ids of documents that were missing or damaged before the backup */
  broken: number[];
};

export type Frame = BackupRecord | Buffer;

const RECORD_TAG = 1;
const BYTES_TAG = 2;
const HEADER_BYTES = 5;

/** Encodes each frame as a type byte, a 32-bit big-endian length, and the body. */
export async function* encodeFrames(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const isRecord = !Buffer.isBuffer(frame);
    const body = isRecord ? Buffer.from(JSON.stringify(frame)) : frame;
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt8(isRecord ? RECORD_TAG : BYTES_TAG);
    header.writeUInt32BE(body.length, 1);
    yield header;
    yield body;
  }
}

/** Decodes the complete frames of a stream. Drops an incomplete frame at the end. */
export async function* decodeFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let requiredBytes = HEADER_BYTES;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes < requiredBytes) continue;
    const buffered = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    let offset = 0;
    for (;;) {
      const bytesLeft = buffered.length - offset;
      requiredBytes = bytesLeft < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + buffered.readUInt32BE(offset + 1);
      if (bytesLeft < requiredBytes) break;
      const body = buffered.subarray(offset + HEADER_BYTES, offset + requiredBytes);
      yield buffered[offset] === RECORD_TAG ? (JSON.parse(body.toString()) as BackupRecord) : body;
      offset += requiredBytes;
    }
    chunks = [buffered.subarray(offset)];
    bufferedBytes = buffered.length - offset;
  }
}

/** Splits the source into buffers of at most 64 KiB, which limits a reader's memory. */
export async function* splitIntoChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES)
      yield Buffer.from(bytes.subarray(offset, offset + CHUNK_BYTES));
  }
}
