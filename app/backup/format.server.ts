import { CHUNK_BYTES } from "../files/chunk-encryption.server.ts";

/** What a backup says of itself, in the order in which it stands in the file; bytes stand between. */
export type FormatRecord =
  | { kind: "about"; provider: Provider; at: string; migrations: string[]; textKeys?: TextKey[] }
  /** SQLite: the bytes that follow are the database file */
  | { kind: "database" }
  /** PostgreSQL: rows of one table, each as the database's own JSON text */
  | { kind: "rows"; table: string; rows: string[] }
  /** the bytes that follow are the document's */
  | { kind: "document"; id: number; size: number }
  | { kind: "documentEnd"; id: number; sha256: string; isWhole: boolean }
  | Trailer;

/** What opens the sealed texts of the database, in base64: the machine that is restored on has other FILE_KEYS. */
export type TextKey = { id: string; key: string };

export type Provider = "sqlite" | "postgresql";

/** The last note: a file without it was cut short. */
export type Trailer = {
  kind: "end";
  /** rows of each table */
  tables: Record<string, number>;
  /** PostgreSQL: the last number each sequence gave */
  sequences: Record<string, number>;
  documents: number;
  /** deleted by somebody while the backup was made: their records are left out when it is restored */
  gone: number[];
  /** missing or damaged already before the backup */
  broken: number[];
};

export type Frame = FormatRecord | Buffer;

const RECORD_TAG = 1;
const BYTES_TAG = 2;
const HEADER_BYTES = 5;

/** Frames as one stream: a byte for what follows, its length in four, itself. */
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

/** The frames of a stream, one by one; a half one at the end is not given. */
export async function* decodeFrames(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let chunks: Buffer[] = [];
  let bufferedBytes = 0;
  let wantedBytes = HEADER_BYTES;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes < wantedBytes) continue;
    const buffered = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    let offset = 0;
    for (;;) {
      const bytesLeft = buffered.length - offset;
      wantedBytes = bytesLeft < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + buffered.readUInt32BE(offset + 1);
      if (bytesLeft < wantedBytes) break;
      const body = buffered.subarray(offset + HEADER_BYTES, offset + wantedBytes);
      yield buffered[offset] === RECORD_TAG ? (JSON.parse(body.toString()) as FormatRecord) : body;
      offset += wantedBytes;
    }
    chunks = [buffered.subarray(offset)];
    bufferedBytes = buffered.length - offset;
  }
}

/** Parts of at most one segment: a reader holds no more than that. */
export async function* splitIntoChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES)
      yield Buffer.from(bytes.subarray(offset, offset + CHUNK_BYTES));
  }
}
