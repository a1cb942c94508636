import type { Lock } from "./segments.server.ts";

/** Where the thread finds the files. */
export type Place = {
  folder: string;
  bucket: { url: string; region: string; accessKeyId: string; secretAccessKey: string } | null;
};

/** `memory` is shared by both threads and is this one file's alone; it is cut into slots of `slotBytes`. */
type Shared = { key: string; lock: Lock; memory: SharedArrayBuffer; slotBytes: number };

export type Order =
  | ({ do: "keep" } & Shared)
  | ({ do: "read"; size: number; from: number; to: number } & Shared)
  /** A slot was filled for a file that is kept. */
  | { do: "part"; slot: number; length: number }
  /** A slot that was read may be filled again. */
  | { do: "free"; slot: number }
  | { do: "end" }
  | { do: "stop" };

export type Answer =
  | { is: "free"; slot: number }
  | { is: "kept"; size: number; sha256: string }
  | { is: "part"; slot: number; length: number }
  | { is: "end" }
  | { is: "missing" }
  | { is: "failed"; name: string; message: string; code?: string };

/** Which file a message is about. */
export type About<T> = { id: number; message: T };
