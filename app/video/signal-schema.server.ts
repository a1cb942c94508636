import { z } from "zod";
import { type ClientSignal, MAX_CHAT_LENGTH } from "./signals.ts";

const MAX_ID = 2_147_483_647;
const MAX_PAGE_ID_LENGTH = 64;
const MAX_CANDIDATE_LENGTH = 4_096;
const MAX_SDP_LINES = 65_535;

const appointmentIdSchema = z.int().min(1).max(MAX_ID);
/** Whoever asks for a room that can't be, such as -1 or "1 OR 1", is refused like one who asks for an unknown one. */
const requestedRoomSchema = z.union([appointmentIdSchema, z.union([z.number(), z.string()]).transform(() => null)]);
const candidateTextSchema = z.string().max(MAX_CANDIDATE_LENGTH);
const descriptionSchema = z.object({
  type: z.enum(["offer", "answer", "pranswer", "rollback"]),
  sdp: z.string().optional(),
});

// Types and sizes, not grammar (decisions §4). Nothing beside the three known names at the top: the text is relayed as
// it came, and a browser must not be able to say what only the server says.
const signalSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("join-room"),
    appointmentId: requestedRoomSchema,
    payload: z
      .object({ waiting: z.boolean().optional(), page: z.string().max(MAX_PAGE_ID_LENGTH).optional() })
      .optional(),
  }),
  z.strictObject({ type: z.literal("offer"), appointmentId: appointmentIdSchema, payload: descriptionSchema }),
  z.strictObject({ type: z.literal("answer"), appointmentId: appointmentIdSchema, payload: descriptionSchema }),
  z.strictObject({
    type: z.literal("ice-candidate"),
    appointmentId: appointmentIdSchema,
    payload: z
      .object({
        candidate: candidateTextSchema.optional(),
        sdpMid: candidateTextSchema.nullish(),
        sdpMLineIndex: z.int().min(0).max(MAX_SDP_LINES).nullish(),
        usernameFragment: candidateTextSchema.nullish(),
      })
      .nullish(),
  }),
  z.strictObject({
    type: z.literal("chat"),
    appointmentId: appointmentIdSchema,
    payload: z.object({ text: z.string().min(1).max(MAX_CHAT_LENGTH) }),
  }),
  z.strictObject({
    type: z.literal("leave-room"),
    appointmentId: appointmentIdSchema,
    payload: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal("end-call"), appointmentId: appointmentIdSchema, payload: z.unknown().optional() }),
]);

/** Reads one frame; null when it is not what a browser of ours would send. */
export function parseSignal(text: string): ClientSignal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = signalSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
