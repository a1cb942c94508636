import { SEGMENT_BYTES } from "../documents/segments.server.ts";

/** What a backup says of itself, in the order in which it stands in the file; bytes stand between. */
export type Note =
  | { kind: "about"; provider: Provider; at: string; migrations: string[]; textKeys?: TextKey[] }
  /** SQLite: the bytes that follow are the database file */
  | { kind: "database" }
  /** PostgreSQL: rows of one table, each as the database's own JSON text */
  | { kind: "rows"; table: string; rows: string[] }
  /** the bytes that follow are the document's */
  | { kind: "document"; id: number; size: number }
  | { kind: "documentEnd"; id: number; sha256: string; isWhole: boolean }
  | End;

/** What opens the sealed texts of the database, in base64: the machine that is restored on has other FILE_KEYS. */
export type TextKey = { id: string; key: string };

export type Provider = "sqlite" | "postgresql";

/** The last note: a file without it was cut short. */
export type End = {
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

export type Frame = Note | Buffer;

const NOTE = 1;
const BYTES = 2;
const HEAD_BYTES = 5;

/** Frames as one stream: a byte for what follows, its length in four, itself. */
export async function* packed(frames: AsyncIterable<Frame>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const isNote = !Buffer.isBuffer(frame);
    const body = isNote ? Buffer.from(JSON.stringify(frame)) : frame;
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(isNote ? NOTE : BYTES);
    head.writeUInt32BE(body.length, 1);
    yield head;
    yield body;
  }
}

/** The frames of a stream, one by one; a half one at the end is not given. */
export async function* unpacked(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = HEAD_BYTES;
  for await (const part of stream) {
    parts.push(part);
    held += part.length;
    if (held < wanted) continue;
    const whole = parts.length === 1 ? part : Buffer.concat(parts);
    let at = 0;
    for (;;) {
      const left = whole.length - at;
      wanted = left < HEAD_BYTES ? HEAD_BYTES : HEAD_BYTES + whole.readUInt32BE(at + 1);
      if (left < wanted) break;
      const body = whole.subarray(at + HEAD_BYTES, at + wanted);
      yield whole[at] === NOTE ? (JSON.parse(body.toString()) as Note) : body;
      at += wanted;
    }
    parts = [whole.subarray(at)];
    held = whole.length - at;
  }
}

/** Parts of at most one segment: a reader holds no more than that. */
export async function* inSmallParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += SEGMENT_BYTES) yield Buffer.from(part.subarray(at, at + SEGMENT_BYTES));
  }
}
