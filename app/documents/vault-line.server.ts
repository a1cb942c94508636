import { Worker } from "node:worker_threads";
import { env } from "../env.server.ts";
import { type Inbox, makeInbox } from "./inbox.ts";
import { BrokenFile } from "./segments.server.ts";
import { StoreUnreachable } from "./store-errors.server.ts";
import type { About, Answer, Order, Place } from "./vault-messages.ts";

type Failed = Extract<Answer, { is: "failed" }>;
export type Told = Exclude<Answer, Failed>;

/** One file on its way through the documents' thread. `next` throws what failed there, as the store's own errors. */
export type Transfer = {
  send: (order: Order) => void;
  next: () => Promise<Told>;
  /** Whether the thread is done with it, well or badly. */
  isOver: () => boolean;
  /** No answer is waited for any more. */
  end: () => void;
};

// The thread's file stands beside this one, in the sources as in the build.
const FILE = new URL(
  import.meta.url.endsWith(".ts") ? "./vault-thread.server.ts" : "./vault-thread.js",
  import.meta.url,
);

const inboxes = new Map<number, Inbox<Answer>>();
let thread: Worker | null = null;
let last = 0;

/** Gives the thread a file to keep or to read; it starts with the first. */
export function begin(order: Order): Transfer {
  const id = (last += 1);
  const inbox = makeInbox<Answer>();
  const worker = (thread ??= start());
  const send = (message: Order) => worker.postMessage({ id, message } satisfies About<Order>, []);
  let isOver = false;
  inboxes.set(id, inbox);
  worker.ref();
  send(order);
  return {
    send,
    async next() {
      const answer = await inbox.next();
      if (answer.is !== "free" && answer.is !== "part") isOver = true;
      if (answer.is === "failed") throw failureOf(answer);
      return answer;
    },
    isOver: () => isOver,
    end() {
      inboxes.delete(id);
      // An idle thread keeps no process from ending.
      if (inboxes.size === 0) worker.unref();
    },
  };
}

function start(): Worker {
  const place: Place = { folder: env.files.folder, bucket: env.files.bucket ?? null };
  const worker = new Worker(FILE, { workerData: place, name: "documents" });
  worker.on("message", ({ id, message }: About<Answer>) => inboxes.get(id)?.put(message));
  worker.on("error", (error) => lose(worker, error));
  worker.on("exit", (code) => lose(worker, new Error(`The documents' thread ended with ${code}.`)));
  return worker;
}

/** Whatever was on its way fails; the next file starts another thread. */
function lose(worker: Worker, { message }: Error): void {
  if (thread !== worker) return;
  thread = null;
  for (const inbox of inboxes.values()) inbox.put({ is: "failed", name: "StoreUnreachable", message });
}

/** Errors lose their class on the way between threads. */
function failureOf({ name, message, code }: Failed): Error {
  if (name === "BrokenFile") return new BrokenFile(message);
  if (name === "StoreUnreachable") return new StoreUnreachable(message);
  return Object.assign(new Error(message), { name, code });
}
