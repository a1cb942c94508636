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

/** One file on its way through the documents' thread. `next` throws what failed there, as the store's own errors. */
export type Transfer = {
  send: (order: WorkerRequest) => void;
  next: () => Promise<WorkerResult>;
  /** Whether the thread is done with it, well or badly. */
  isFinished: () => boolean;
  /** No answer is waited for any more. */
  close: () => void;
};

// The thread's file stands beside this one, in the sources as in the build.
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./crypto-worker.server.ts" : "./crypto-worker.js",
  import.meta.url,
);

const queues = new Map<number, AsyncQueue<WorkerResponse>>();
let sharedWorker: Worker | null = null;
let lastId = 0;

/** Gives the thread a file to keep or to read; it starts with the first. */
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
      // An idle thread keeps no process from ending.
      if (queues.size === 0) worker.unref();
    },
  };
}

function startWorker(): Worker {
  const config: StoreConfig = { folder: env.files.folder, bucket: env.files.bucket ?? null };
  const worker = new Worker(WORKER_URL, { workerData: config, name: "documents" });
  worker.on("message", ({ id, message }: Envelope<WorkerResponse>) => queues.get(id)?.push(message));
  worker.on("error", (error) => failAll(worker, error));
  worker.on("exit", (code) => failAll(worker, new Error(`The documents' thread ended with ${code}.`)));
  return worker;
}

/** Whatever was on its way fails; the next file starts another thread. */
function failAll(worker: Worker, { message }: Error): void {
  if (sharedWorker !== worker) return;
  sharedWorker = null;
  for (const queue of queues.values()) queue.push({ type: "failed", name: "StorageUnavailableError", message });
}

/** Errors lose their class on the way between threads. */
function toError({ name, message, code }: WorkerFailure): Error {
  if (name === "CorruptFileError") return new CorruptFileError(message);
  if (name === "StorageUnavailableError") return new StorageUnavailableError(message);
  return Object.assign(new Error(message), { name, code });
}
