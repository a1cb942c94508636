import { closableStream, type ClosableStream } from "./closable-stream.server.ts";
import {
  plaintextOf,
  detachBuffer,
  type DataKey,
  ENCRYPTED_CHUNK_BYTES,
  encryptedSize,
  CHUNK_BYTES,
  splitChunks,
  chunkOffset,
} from "./chunk-encryption.server.ts";
import { startTransfer, type WorkerResult, type Transfer } from "./crypto-worker-client.server.ts";

// Two slots: one is filled while the other is emptied. A reader may be slow, and holds its own all the while.
const SLOT_COUNT = 2;
const WRITE_CHUNKS_PER_SLOT = 4;
const READ_CHUNKS_PER_SLOT = 1;

/** A file in the store and what opens it; `size` in bytes, unsealed. */
export type EncryptedFile = { key: string; dataKey: DataKey; size: number };

/**
 * Writes what comes into the store, sealed, and says how much it was and its SHA-256. When the source or the store fails
 * nothing is left, and the error is thrown. Hashing, sealing and writing happen in the documents' own thread.
 */
export async function writeEncrypted(
  key: string,
  dataKey: DataKey,
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const slotBytes = WRITE_CHUNKS_PER_SLOT * ENCRYPTED_CHUNK_BYTES;
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
    // What was taken is put away before anybody hears of it.
    while (!transfer.isFinished()) await transfer.next().catch(() => {});
    throw error;
  } finally {
    transfer.close();
  }
}

/** Lays the bytes into the slots as segments, each with room for its tag behind it. */
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
 * The bytes of a file from `from` up to, not including, `to`; null where there is no such file. The first are proven
 * before this answers; the iteration throws at later ones that are not. Each part is good until the next is asked for.
 */
export async function readEncrypted(
  { key, dataKey, size }: EncryptedFile,
  from = 0,
  to = size,
): Promise<ClosableStream | null> {
  const firstChunk = Math.floor(from / CHUNK_BYTES);
  const encryptedBytes =
    Math.min(chunkOffset(Math.ceil(to / CHUNK_BYTES)), encryptedSize(size)) - chunkOffset(firstChunk);
  const slotBytes = Math.max(1, Math.min(READ_CHUNKS_PER_SLOT * ENCRYPTED_CHUNK_BYTES, encryptedBytes));
  const memory = new SharedArrayBuffer(Math.min(SLOT_COUNT, Math.ceil(encryptedBytes / slotBytes)) * slotBytes);
  const transfer = startTransfer({ type: "read", key, dataKey, size, from, to, memory, slotBytes });
  const close = async () => {
    if (!transfer.isFinished()) transfer.send({ type: "stop" });
    transfer.close();
  };
  async function* decryptedParts(firstResponse: WorkerResult): AsyncGenerator<Buffer> {
    let position = firstChunk * CHUNK_BYTES;
    for (let response = firstResponse; response.type === "chunk"; response = await transfer.next()) {
      for (const chunk of splitChunks(Buffer.from(memory, response.slot * slotBytes, response.length))) {
        const plaintext = plaintextOf(chunk);
        yield plaintext.subarray(Math.max(0, from - position), Math.min(plaintext.length, to - position));
        position += plaintext.length;
      }
      transfer.send({ type: "free", slot: response.slot });
    }
  }
  try {
    const firstResponse = await transfer.next();
    if (firstResponse.type === "missing") return (await close(), null);
    const chunks = decryptedParts(firstResponse);
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
