import { handedOn, type HandedOn } from "./handed-on.server.ts";
import {
  bodyOf,
  giveBack,
  type Lock,
  SEALED_SEGMENT_BYTES,
  sealedSize,
  SEGMENT_BYTES,
  segmentsOf,
  segmentStart,
} from "./segments.server.ts";
import { begin, type Told, type Transfer } from "./vault-line.server.ts";

// Two slots: one is filled while the other is emptied. A reader may be slow, and holds its own all the while.
const SLOTS = 2;
const KEEP_SEGMENTS = 4;
const READ_SEGMENTS = 1;

/** A file in the store and what opens it; `size` in bytes, unsealed. */
export type Sealed = { key: string; lock: Lock; size: number };

/**
 * Writes what comes into the store, sealed, and says how much it was and its SHA-256. When the source or the store fails
 * nothing is left, and the error is thrown. Hashing, sealing and writing happen in the documents' own thread.
 */
export async function keepFile(
  key: string,
  lock: Lock,
  source: AsyncIterable<Uint8Array>,
): Promise<{ size: number; sha256: string }> {
  const slotBytes = KEEP_SEGMENTS * SEALED_SEGMENT_BYTES;
  const memory = new SharedArrayBuffer(SLOTS * slotBytes);
  const transfer = begin({ do: "keep", key, lock, memory, slotBytes });
  try {
    await fillSlots(transfer, memory, slotBytes, source);
    transfer.send({ do: "end" });
    for (;;) {
      const answer = await transfer.next();
      if (answer.is === "kept") return { size: answer.size, sha256: answer.sha256 };
    }
  } catch (error) {
    transfer.send({ do: "stop" });
    // What was taken is put away before anybody hears of it.
    while (!transfer.isOver()) await transfer.next().catch(() => {});
    throw error;
  } finally {
    transfer.end();
  }
}

/** Lays the bytes into the slots as segments, each with room for its tag behind it. */
async function fillSlots(
  transfer: Transfer,
  memory: SharedArrayBuffer,
  slotBytes: number,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const free = Array.from({ length: SLOTS }, (_, slot) => slot);
  const whole = KEEP_SEGMENTS * SEGMENT_BYTES;
  let slot: number | null = null;
  let filled = 0;
  for await (const part of source) {
    for (let from = 0; from < part.length;) {
      slot ??= free.shift() ?? slotIn(await transfer.next());
      const inSegment = filled % SEGMENT_BYTES;
      const taken = Math.min(part.length - from, SEGMENT_BYTES - inSegment);
      const at = slot * slotBytes + segmentStart(Math.floor(filled / SEGMENT_BYTES)) + inSegment;
      new Uint8Array(memory, at, taken).set(part.subarray(from, from + taken));
      filled += taken;
      from += taken;
      if (filled < whole) continue;
      transfer.send({ do: "part", slot, length: sealedSize(filled) });
      slot = null;
      filled = 0;
    }
    giveBack(part);
  }
  if (slot !== null) transfer.send({ do: "part", slot, length: sealedSize(filled) });
}

/**
 * The bytes of a file from `from` up to, not including, `to`; null where there is no such file. The first are proven
 * before this answers; the iteration throws at later ones that are not. Each part is good until the next is asked for.
 */
export async function openFile({ key, lock, size }: Sealed, from = 0, to = size): Promise<HandedOn | null> {
  const first = Math.floor(from / SEGMENT_BYTES);
  const wanted = Math.min(segmentStart(Math.ceil(to / SEGMENT_BYTES)), sealedSize(size)) - segmentStart(first);
  const slotBytes = Math.max(1, Math.min(READ_SEGMENTS * SEALED_SEGMENT_BYTES, wanted));
  const memory = new SharedArrayBuffer(Math.min(SLOTS, Math.ceil(wanted / slotBytes)) * slotBytes);
  const transfer = begin({ do: "read", key, lock, size, from, to, memory, slotBytes });
  const end = async () => {
    if (!transfer.isOver()) transfer.send({ do: "stop" });
    transfer.end();
  };
  async function* parts(told: Told): AsyncGenerator<Buffer> {
    let at = first * SEGMENT_BYTES;
    for (let answer = told; answer.is === "part"; answer = await transfer.next()) {
      for (const segment of segmentsOf(Buffer.from(memory, answer.slot * slotBytes, answer.length))) {
        const body = bodyOf(segment);
        yield body.subarray(Math.max(0, from - at), Math.min(body.length, to - at));
        at += body.length;
      }
      transfer.send({ do: "free", slot: answer.slot });
    }
  }
  try {
    const told = await transfer.next();
    if (told.is === "missing") return (await end(), null);
    const opened = parts(told);
    return handedOn(() => opened.next().finally(() => (transfer.isOver() ? transfer.end() : undefined)), end);
  } catch (error) {
    await end();
    throw error;
  }
}

function slotIn(answer: Told): number {
  if (answer.is === "free") return answer.slot;
  throw new Error(`A free slot was expected, not "${answer.is}".`);
}
