import { createHash, createSecretKey } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { folderStore } from "./folder-store.server.ts";
import { type Inbox, makeInbox } from "./inbox.ts";
import { s3Store } from "./s3-store.server.ts";
import {
  bodyOf,
  BrokenFile,
  openSegment,
  type ReadyLock,
  sealedSize,
  sealSegment,
  SEGMENT_BYTES,
  segmentsOf,
  segmentStart,
} from "./segments.server.ts";
import type { About, Answer, Order, Place } from "./vault-messages.ts";

type KeepOrder = Extract<Order, { do: "keep" }>;
type ReadOrder = Extract<Order, { do: "read" }>;

/** Whoever gave the order no longer wants it. */
class Stopped extends Error {
  override name = "Stopped";
}

const place = workerData as Place;
const store = place.bucket ? s3Store(place.bucket, place.folder) : folderStore(place.folder);
const inboxes = new Map<number, Inbox<Order>>();

parentPort?.on("message", ({ id, message }: About<Order>) => {
  if (message.do === "keep" || message.do === "read") void begin(id, message);
  else inboxes.get(id)?.put(message);
});

async function begin(id: number, order: KeepOrder | ReadOrder): Promise<void> {
  const inbox = makeInbox<Order>();
  inboxes.set(id, inbox);
  const answer = (message: Answer) => parentPort?.postMessage({ id, message } satisfies About<Answer>, []);
  try {
    await (order.do === "keep" ? keep(order, inbox, answer) : read(order, inbox, answer));
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    answer({ is: "failed", name, message, code });
  } finally {
    inboxes.delete(id);
  }
}

/** Seals what arrives, slot by slot, where it lies, and writes it from there. */
async function keep(order: KeepOrder, inbox: Inbox<Order>, answer: (message: Answer) => void): Promise<void> {
  const lock = ready(order);
  const hash = createHash("sha256");
  let size = 0;
  async function* sealed() {
    for (let index = 0; ;) {
      const message = await inbox.next();
      if (message.do === "end") return;
      if (message.do !== "part") throw new Stopped("The file is not wanted any more.");
      const bytes = slotOf(order, message.slot, message.length);
      for (const segment of segmentsOf(bytes)) {
        hash.update(bodyOf(segment));
        size += bodyOf(segment).length;
        sealSegment(segment, index++, lock);
      }
      yield bytes;
      answer({ is: "free", slot: message.slot });
    }
  }
  await store.write(order.key, sealed());
  answer({ is: "kept", size, sha256: hash.digest("hex") });
}

/** Reads into slots that are free, and hands each on when all its segments are proven. */
async function read(order: ReadOrder, inbox: Inbox<Order>, answer: (message: Answer) => void): Promise<void> {
  const file = await store.open(order.key);
  if (!file) return answer({ is: "missing" });
  try {
    if (file.size !== sealedSize(order.size)) {
      throw new BrokenFile(`The file has ${file.size} bytes, not ${sealedSize(order.size)}.`);
    }
    const lock = ready(order);
    let index = Math.floor(order.from / SEGMENT_BYTES);
    const end = Math.min(segmentStart(Math.ceil(order.to / SEGMENT_BYTES)), file.size);
    const fill = file.reader(segmentStart(index), end);
    const free = Array.from({ length: Math.floor(order.memory.byteLength / order.slotBytes) }, (_, slot) => slot);
    while (segmentStart(index) < end) {
      const slot = free.shift() ?? (await freed(inbox));
      if (slot === null) return;
      const bytes = slotOf(order, slot, Math.min(order.slotBytes, end - segmentStart(index)));
      if ((await fill(bytes)) < bytes.length) throw new BrokenFile("The file ended too early.");
      for (const segment of segmentsOf(bytes)) openSegment(segment, index++, lock);
      answer({ is: "part", slot, length: bytes.length });
    }
    answer({ is: "end" });
  } finally {
    await file.close();
  }
}

/** The next slot that may be filled again; null when nobody reads any more. */
async function freed(inbox: Inbox<Order>): Promise<number | null> {
  const message = await inbox.next();
  return message.do === "free" ? message.slot : null;
}

function slotOf({ memory, slotBytes }: KeepOrder | ReadOrder, slot: number, length: number): Buffer {
  return Buffer.from(memory, slot * slotBytes, length);
}

function ready({ lock }: KeepOrder | ReadOrder): ReadyLock {
  return { key: createSecretKey(lock.key), isPlain: lock.isPlain };
}
