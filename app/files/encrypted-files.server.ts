import { closableStream, type ClosableStream } from "./closable-stream.server.ts";
import {
  chunkBody,
  detachBuffer,
  type DataKey,
  STORED_CHUNK_BYTES,
  encryptedSize,
  CHUNK_BYTES,
  splitChunks,
  chunkOffset,
} from "./chunk-encryption.server.ts";
import { startTransfer, type WorkerResult, type Transfer } from "./crypto-worker-client.server.ts";

// Two slots: one is filled while the other is emptied. A slow reader holds its slots all the while, so they are small.
const SLOT_COUNT = 2;
const WRITE_CHUNKS_PER_SLOT = 4;
const READ_CHUNKS_PER_SLOT = 1;

/** A stored file, its key and its plaintext size in bytes. */
export type EncryptedFile = { key: string; dataKey: DataKey; size: number };

/**
 * Encrypts `source` into the storage, in a worker thread. Returns the plaintext's size in bytes and its SHA-256 in hex.
 * When the source or the storage fails, the partial file is deleted and the error is thrown.
 */
export async function writeEncrypted(
  key: string,
  dataKey: DataKey,
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const slotBytes = WRITE_CHUNKS_PER_SLOT * STORED_CHUNK_BYTES;
  const memory = new SharedArrayBuffer(SLOT_COUNT * slotBytes);
  const transfer = startTransfer({ type: "write", key, dataKey, memory, slotBytes });
  try {
    await fillSlots(transfer, memory, slotBytes, source);
    transfer.send({ type: "end" });
    for (;;) {
      const response = await transfer.next();
      if (response.type === "written") return { size: response.size, sha256: response.sha256 };
    }
  } catch (error) {
    transfer.send({ type: "stop" });
    // The partial file is deleted before the caller learns of the error.
    while (!transfer.isFinished()) await transfer.next().catch(() => {});
    throw error;
  } finally {
    transfer.close();
  }
}

/** Copies the source into the slots, chunk by chunk, and leaves 16 bytes after each chunk for its tag. */
async function fillSlots(
  transfer: Transfer,
  memory: SharedArrayBuffer,
  slotBytes: number,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const freeSlots = Array.from({ length: SLOT_COUNT }, (_, slot) => slot);
  const slotCapacity = WRITE_CHUNKS_PER_SLOT * CHUNK_BYTES;
  let slot: number | null = null;
  let filledBytes = 0;
  for await (const bytes of source) {
    for (let offset = 0; offset < bytes.length;) {
      slot ??= freeSlots.shift() ?? freeSlotOf(await transfer.next());
      const offsetInChunk = filledBytes % CHUNK_BYTES;
      const byteCount = Math.min(bytes.length - offset, CHUNK_BYTES - offsetInChunk);
      const target = slot * slotBytes + chunkOffset(Math.floor(filledBytes / CHUNK_BYTES)) + offsetInChunk;
      new Uint8Array(memory, target, byteCount).set(bytes.subarray(offset, offset + byteCount));
      filledBytes += byteCount;
      offset += byteCount;
      if (filledBytes < slotCapacity) continue;
      transfer.send({ type: "chunk", slot, length: encryptedSize(filledBytes) });
      slot = null;
      filledBytes = 0;
    }
    detachBuffer(bytes);
  }
  if (slot !== null) transfer.send({ type: "chunk", slot, length: encryptedSize(filledBytes) });
}

/**
 * Streams the plaintext bytes [from, to), or returns null if there is no file. The first chunk is authenticated before
 * this resolves; the iteration throws CorruptFileError on a later chunk that fails. A chunk is valid only until the
 * next one is requested. The caller reads to the end or calls `close`.
 */
export async function readEncrypted(
  { key, dataKey, size }: EncryptedFile,
  from = 0,
  to = size,
): Promise<ClosableStream | null> {
  const firstChunk = Math.floor(from / CHUNK_BYTES);
  const encryptedBytes =
    Math.min(chunkOffset(Math.ceil(to / CHUNK_BYTES)), encryptedSize(size)) - chunkOffset(firstChunk);
  const slotBytes = Math.max(1, Math.min(READ_CHUNKS_PER_SLOT * STORED_CHUNK_BYTES, encryptedBytes));
  const memory = new SharedArrayBuffer(Math.min(SLOT_COUNT, Math.ceil(encryptedBytes / slotBytes)) * slotBytes);
  const transfer = startTransfer({ type: "read", key, dataKey, size, from, to, memory, slotBytes });
  const close = async () => {
    if (!transfer.isFinished()) transfer.send({ type: "stop" });
    transfer.close();
  };
  async function* plaintextChunks(firstResponse: WorkerResult): AsyncGenerator<Buffer> {
    let position = firstChunk * CHUNK_BYTES;
    for (let response = firstResponse; response.type === "chunk"; response = await transfer.next()) {
      for (const chunk of splitChunks(Buffer.from(memory, response.slot * slotBytes, response.length))) {
        const plaintext = chunkBody(chunk);
        yield plaintext.subarray(Math.max(0, from - position), Math.min(plaintext.length, to - position));
        position += plaintext.length;
      }
      transfer.send({ type: "free", slot: response.slot });
    }
  }
  try {
    const firstResponse = await transfer.next();
    if (firstResponse.type === "missing") return (await close(), null);
    const chunks = plaintextChunks(firstResponse);
    return closableStream(
      () => chunks.next().finally(() => (transfer.isFinished() ? transfer.close() : undefined)),
      close,
    );
  } catch (error) {
    await close();
    throw error;
  }
}

function freeSlotOf(response: WorkerResult): number {
  if (response.type === "free") return response.slot;
  throw new Error(`A free slot was expected, not "${response.type}".`);
}
