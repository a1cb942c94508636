import { z } from "zod";
import { MAX_ID } from "../http/field-schemas.ts";
import { findExceededJsonLimit, type JsonLimits } from "../http/json-limits.ts";
import { type ClientSignal, MAX_CHAT_LENGTH } from "./signaling-protocol.ts";

const MAX_PAGE_ID_LENGTH = 64;
const MAX_CANDIDATE_LENGTH = 4_096;
const MAX_SDP_LINES = 65_535;
/** The largest signal has two objects with seven keys. */
const FRAME_JSON_LIMITS: JsonLimits = { keys: 50, containers: 50, commas: 100, depth: 8 };

const appointmentIdSchema = z.int().min(1).max(MAX_ID);
/** Invalid room ids, such as -1 or "1 OR 1", become null and are refused like an unknown room. */
const requestedRoomSchema = z.union([appointmentIdSchema, z.union([z.number(), z.string()]).transform(() => null)]);
const shortTextSchema = z.string().max(MAX_CANDIDATE_LENGTH);
const chatTextSchema = z.string().min(1).max(MAX_CHAT_LENGTH);
const descriptionSchema = z.object({
  type: z.enum(["offer", "answer", "pranswer", "rollback"]),
  sdp: z.string().optional(),
});

// Checks types and sizes, not the grammar of SDP. The top level is strict because the text is relayed unchanged: a
// browser must not be able to add the fields of a server's signal.
const signalSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("join-room"),
    appointmentId: requestedRoomSchema,
    payload: z
      .object({
        waiting: z.boolean().optional(),
        page: z
          .string()
          .max(MAX_PAGE_ID_LENGTH)
          .regex(/^\P{Cc}*$/u)
          .optional(),
      })
      .optional(),
  }),
  z.strictObject({ type: z.literal("offer"), appointmentId: appointmentIdSchema, payload: descriptionSchema }),
  z.strictObject({
    type: z.literal("answer"),
    appointmentId: appointmentIdSchema,
    payload: descriptionSchema.extend({ inReplyTo: shortTextSchema.optional() }),
  }),
  z.strictObject({
    type: z.literal("ice-candidate"),
    appointmentId: appointmentIdSchema,
    payload: z
      .object({
        candidate: shortTextSchema.optional(),
        sdpMid: shortTextSchema.nullish(),
        sdpMLineIndex: z.int().min(0).max(MAX_SDP_LINES).nullish(),
        usernameFragment: shortTextSchema.nullish(),
      })
      .nullish(),
  }),
  z.strictObject({
    type: z.literal("chat"),
    appointmentId: appointmentIdSchema,
    payload: z.union([chatTextSchema, z.object({ text: chatTextSchema.optional() })]),
  }),
  z.strictObject({
    type: z.literal("leave-room"),
    appointmentId: appointmentIdSchema,
    payload: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal("end-call"), appointmentId: appointmentIdSchema, payload: z.unknown().optional() }),
]);

/** Parses one frame. Returns null if it is not a valid client signal. */
export function parseClientSignal(text: string): ClientSignal | null {
  if (findExceededJsonLimit(text, FRAME_JSON_LIMITS)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = signalSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
