import { z } from "zod";
import { type ClientSignal, MOST_CHAT_CHARACTERS } from "./signals.ts";

const MOST_ID = 2_147_483_647;
const MOST_PAGE_CHARACTERS = 64;
const MOST_CANDIDATE_CHARACTERS = 4_096;
const MOST_LINES = 65_535;

const appointmentId = z.int().min(1).max(MOST_ID);
/** Whoever asks for a room that can't be, such as -1 or "1 OR 1", is refused like one who asks for an unknown one. */
const roomAsked = z.union([appointmentId, z.union([z.number(), z.string()]).transform(() => null)]);
const line = z.string().max(MOST_CANDIDATE_CHARACTERS);
const description = z.object({ type: z.enum(["offer", "answer", "pranswer", "rollback"]), sdp: z.string().optional() });

// Types and sizes, not grammar (decisions §4). Nothing beside the three known names at the top: the text is relayed as
// it came, and a browser must not be able to say what only the server says.
const frame = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("join-room"),
    appointmentId: roomAsked,
    payload: z
      .object({ waiting: z.boolean().optional(), page: z.string().max(MOST_PAGE_CHARACTERS).optional() })
      .optional(),
  }),
  z.strictObject({ type: z.literal("offer"), appointmentId, payload: description }),
  z.strictObject({ type: z.literal("answer"), appointmentId, payload: description }),
  z.strictObject({
    type: z.literal("ice-candidate"),
    appointmentId,
    payload: z
      .object({
        candidate: line.optional(),
        sdpMid: line.nullish(),
        sdpMLineIndex: z.int().min(0).max(MOST_LINES).nullish(),
        usernameFragment: line.nullish(),
      })
      .nullish(),
  }),
  z.strictObject({
    type: z.literal("chat"),
    appointmentId,
    payload: z.object({ text: z.string().min(1).max(MOST_CHAT_CHARACTERS) }),
  }),
  z.strictObject({ type: z.literal("leave-room"), appointmentId, payload: z.unknown().optional() }),
  z.strictObject({ type: z.literal("end-call"), appointmentId, payload: z.unknown().optional() }),
]);

/** Reads one frame; null when it is not what a browser of ours would send. */
export function readFrame(text: string): ClientSignal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const read = frame.safeParse(value);
  return read.success ? read.data : null;
}
