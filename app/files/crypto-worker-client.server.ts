import { Worker } from "node:worker_threads";
import { env } from "../env.server.ts";
import { CorruptFileError } from "./chunk-encryption.server.ts";
import { StorageUnavailableError } from "./storage-errors.server.ts";
import {
  type AsyncQueue,
  createAsyncQueue,
  type Envelope,
  type StoreConfig,
  type WorkerRequest,
  type WorkerResponse,
} from "./crypto-worker-messages.ts";

type WorkerFailure = Extract<WorkerResponse, { type: "failed" }>;
export type WorkerResult = Exclude<WorkerResponse, WorkerFailure>;

/** One file that the worker writes or reads. `next` throws the worker's error under its own class. */
export type Transfer = {
  send: (request: WorkerRequest) => void;
  next: () => Promise<WorkerResult>;
  /** Whether the worker has finished, with success or an error. */
  isFinished: () => boolean;
  /** Stops listening for responses. */
  close: () => void;
};

// The worker's file is next to this one, in the sources and in the build.
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./crypto-worker.server.ts" : "./crypto-worker.js",
  import.meta.url,
);

const queues = new Map<number, AsyncQueue<WorkerResponse>>();
let sharedWorker: Worker | null = null;
let lastId = 0;

/** Starts writing or reading a file in the worker, which is created for the first file. */
export function startTransfer(request: WorkerRequest): Transfer {
  const id = (lastId += 1);
  const queue = createAsyncQueue<WorkerResponse>();
  const worker = (sharedWorker ??= startWorker());
  const send = (message: WorkerRequest) => worker.postMessage({ id, message } satisfies Envelope<WorkerRequest>, []);
  let isFinished = false;
  queues.set(id, queue);
  worker.ref();
  send(request);
  return {
    send,
    async next() {
      const response = await queue.shift();
      if (response.type !== "free" && response.type !== "chunk") isFinished = true;
      if (response.type === "failed") throw toError(response);
      return response;
    },
    isFinished: () => isFinished,
    close() {
      queues.delete(id);
      // An idle worker must not keep the process alive.
      if (queues.size === 0) worker.unref();
    },
  };
}

function startWorker(): Worker {
  const config: StoreConfig = { folder: env.files.folder, bucket: env.files.bucket ?? null };
  const worker = new Worker(WORKER_URL, { workerData: config, name: "file-crypto" });
  worker.on("message", ({ id, message }: Envelope<WorkerResponse>) => queues.get(id)?.push(message));
  worker.on("error", (error) => failAll(worker, error));
  worker.on("exit", (code) => failAll(worker, new Error(`The file worker ended with exit code ${code}.`)));
  return worker;
}

/** Fails every open transfer. The next file starts another worker. */
function failAll(worker: Worker, { message }: Error): void {
  if (sharedWorker !== worker) return;
  sharedWorker = null;
  for (const queue of queues.values()) queue.push({ type: "failed", name: "StorageUnavailableError", message });
}

/** Restores the class of an error, which a message between threads does not carry. */
function toError({ name, message, code }: WorkerFailure): Error {
  if (name === "CorruptFileError") return new CorruptFileError(message);
  if (name === "StorageUnavailableError") return new StorageUnavailableError(message);
  return Object.assign(new Error(message), { name, code });
}
