import type { DataKey } from "./chunk-encryption.server.ts";

/** Where the thread finds the files. */
export type StoreConfig = {
  folder: string;
  bucket: { url: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
};

/** `memory` is shared by both threads and is this one file's alone; it is cut into slots of `slotBytes`. */
type FileRequest = { key: string; dataKey: DataKey; memory: SharedArrayBuffer; slotBytes: number };

export type WorkerRequest =
  | ({ type: "write" } & FileRequest)
  | ({ type: "read"; size: number; from: number; to: number } & FileRequest)
  /** A slot was filled for a file that is kept. */
  | { type: "chunk"; slot: number; length: number }
  /** A slot that was read may be filled again. */
  | { type: "free"; slot: number }
  | { type: "end" }
  | { type: "stop" };

export type WorkerResponse =
  | { type: "free"; slot: number }
  | { type: "written"; size: number; sha256: string }
  | { type: "chunk"; slot: number; length: number }
  | { type: "end" }
  | { type: "missing" }
  | { type: "failed"; name: string; message: string; code?: string };

/** Which file a message is about. */
export type Envelope<T> = { id: number; message: T };

/** A queue in order of arrival; `shift` waits for the next item. One caller of `shift` at a time. */
export function createAsyncQueue<T>() {
  const items: T[] = [];
  let resolveNext: ((item: T) => void) | null = null;
  return {
    push(item: T): void {
      if (resolveNext) resolveNext(item);
      else items.push(item);
      resolveNext = null;
    },
    shift(): Promise<T> {
      const item = items.shift();
      return item === undefined ? new Promise((resolve) => (resolveNext = resolve)) : Promise.resolve(item);
    },
  };
}
export type AsyncQueue<T> = ReturnType<typeof createAsyncQueue<T>>;
