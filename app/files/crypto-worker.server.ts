import { createHash, createSecretKey } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { folderStore } from "./folder-store.server.ts";
import { s3Store } from "./s3-store.server.ts";
import {
  chunkBody,
  CorruptFileError,
  decryptChunk,
  type PreparedKey,
  encryptedSize,
  encryptChunk,
  CHUNK_BYTES,
  splitChunks,
  chunkOffset,
} from "./chunk-encryption.server.ts";
import {
  type AsyncQueue,
  createAsyncQueue,
  type Envelope,
  type StoreConfig,
  type WorkerRequest,
  type WorkerResponse,
} from "./crypto-worker-messages.ts";

type WriteRequest = Extract<WorkerRequest, { type: "write" }>;
type ReadRequest = Extract<WorkerRequest, { type: "read" }>;

/** The main thread cancelled the transfer. */
class CancelledError extends Error {
  override name = "CancelledError";
}

const config = workerData as StoreConfig;
const store = config.bucket ? s3Store(config.bucket, config.folder) : folderStore(config.folder);
const queues = new Map<number, AsyncQueue<WorkerRequest>>();

parentPort?.on("message", ({ id, message }: Envelope<WorkerRequest>) => {
  if (message.type === "write" || message.type === "read") void handleRequest(id, message);
  else queues.get(id)?.push(message);
});

async function handleRequest(id: number, request: WriteRequest | ReadRequest): Promise<void> {
  const queue = createAsyncQueue<WorkerRequest>();
  queues.set(id, queue);
  const respond = (message: WorkerResponse) =>
    parentPort?.postMessage({ id, message } satisfies Envelope<WorkerResponse>, []);
  try {
    await (request.type === "write" ? writeFile(request, queue, respond) : readFile(request, queue, respond));
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    respond({ type: "failed", name, message, code });
  } finally {
    queues.delete(id);
  }
}

/** Encrypts each slot in place as it arrives, and writes it to the storage from there. */
async function writeFile(
  request: WriteRequest,
  queue: AsyncQueue<WorkerRequest>,
  respond: (message: WorkerResponse) => void,
): Promise<void> {
  const preparedKey = prepareKey(request);
  const hash = createHash("sha256");
  let size = 0;
  async function* encryptedChunks() {
    for (let index = 0; ;) {
      const message = await queue.shift();
      if (message.type === "end") return;
      if (message.type !== "chunk") throw new CancelledError("The transfer was cancelled.");
      const bytes = slotBuffer(request, message.slot, message.length);
      for (const chunk of splitChunks(bytes)) {
        hash.update(chunkBody(chunk));
        size += chunkBody(chunk).length;
        encryptChunk(chunk, index++, preparedKey);
      }
      yield bytes;
      respond({ type: "free", slot: message.slot });
    }
  }
  await store.write(request.key, encryptedChunks());
  respond({ type: "written", size, sha256: hash.digest("hex") });
}

/** Reads into free slots, and reports each slot when all its chunks are authenticated. */
async function readFile(
  request: ReadRequest,
  queue: AsyncQueue<WorkerRequest>,
  respond: (message: WorkerResponse) => void,
): Promise<void> {
  const file = await store.open(request.key);
  if (!file) return respond({ type: "missing" });
  try {
    if (file.size !== encryptedSize(request.size)) {
      throw new CorruptFileError(`The file has ${file.size} bytes, not ${encryptedSize(request.size)}.`);
    }
    const preparedKey = prepareKey(request);
    let index = Math.floor(request.from / CHUNK_BYTES);
    const end = Math.min(chunkOffset(Math.ceil(request.to / CHUNK_BYTES)), file.size);
    const readInto = file.createReader(chunkOffset(index), end);
    const freeSlots = Array.from(
      { length: Math.floor(request.memory.byteLength / request.slotBytes) },
      (_, slot) => slot,
    );
    while (chunkOffset(index) < end) {
      const slot = freeSlots.shift() ?? (await waitForFreeSlot(queue));
      if (slot === null) return;
      const bytes = slotBuffer(request, slot, Math.min(request.slotBytes, end - chunkOffset(index)));
      if ((await readInto(bytes)) < bytes.length) throw new CorruptFileError("The file ended too early.");
      for (const chunk of splitChunks(bytes)) decryptChunk(chunk, index++, preparedKey);
      respond({ type: "chunk", slot, length: bytes.length });
    }
    respond({ type: "end" });
  } finally {
    await file.close();
  }
}

/** The next slot that may be filled again; null when the reader stopped. */
async function waitForFreeSlot(queue: AsyncQueue<WorkerRequest>): Promise<number | null> {
  const message = await queue.shift();
  return message.type === "free" ? message.slot : null;
}

function slotBuffer({ memory, slotBytes }: WriteRequest | ReadRequest, slot: number, length: number): Buffer {
  return Buffer.from(memory, slot * slotBytes, length);
}

function prepareKey({ dataKey }: WriteRequest | ReadRequest): PreparedKey {
  return { key: createSecretKey(dataKey.key), isPlaintext: dataKey.isPlaintext };
}
