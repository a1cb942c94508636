import type { DataKey } from "./chunk-encryption.server.ts";

/** The storage that the worker uses. */
export type StoreConfig = {
  folder: string;
  bucket: { url: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
};

/** `memory` is shared by both threads, used for this file only and divided into slots of `slotBytes`. */
type FileRequest = { key: string; dataKey: DataKey; memory: SharedArrayBuffer; slotBytes: number };

export type WorkerRequest =
  | ({ type: "write" } & FileRequest)
  | ({ type: "read"; size: number; from: number; to: number } & FileRequest)
  /** A slot holds the next bytes of a file that is written. */
  | { type: "chunk"; slot: number; length: number }
  /** A slot was read and may be filled again. */
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

/** Adds the number of the transfer to a message. */
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
