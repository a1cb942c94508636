// Proves which signaling messages the schema accepts.
import { describe, expect, test } from "vitest";
import { parseClientSignal } from "../../app/video/client-signal-schema.server.ts";
import { CLOSE_CODES, type ServerSignal, ERROR_MESSAGES } from "../../app/video/signaling-protocol.ts";

const frame = (fields: Record<string, unknown>) => JSON.stringify({ type: "offer", appointmentId: 7, ...fields });
const offer = { type: "offer", sdp: "v=0\r\n" };
const keys = (count: number) => Array.from({ length: count }, (_, number) => `"k${number}":1`).join();

test.each<ServerSignal>([
  { type: "call-ended", appointmentId: 7 },
  { type: "user-left", appointmentId: 7, payload: { role: "admin" } },
])("a server message sent by a browser is rejected: $type", (signal) => {
  expect(parseClientSignal(JSON.stringify(signal))).toBeNull();
});

describe("a signaling frame", () => {
  test.each([
    { type: "join-room" },
    { type: "join-room", payload: { waiting: true, page: "3f" } },
    { type: "offer", payload: offer },
    { type: "answer", payload: { type: "answer", sdp: "v=0\r\n" } },
    { type: "answer", payload: { type: "answer", sdp: "v=0\r\n", inReplyTo: "aB3+" } },
    {
      type: "ice-candidate",
      payload: { candidate: "candidate:1 1 udp 1 10.0.0.1 9 typ host", sdpMid: "0", sdpMLineIndex: 0 },
    },
    { type: "ice-candidate", payload: null },
    { type: "ice-candidate" },
    { type: "chat", payload: { text: "We can't hear you." } },
    { type: "chat", payload: "We can't hear you." },
    { type: "chat", payload: {} },
    { type: "leave-room" },
    { type: "end-call" },
  ])("is accepted: $type", (fields) => {
    expect(parseClientSignal(frame(fields))).toMatchObject({ appointmentId: 7, ...fields });
  });

  test.each([
    ["that is not JSON", "{"],
    ["that is not an object", "[]"],
    ["that is null", "null"],
    ["that is deeply nested", "[".repeat(30_000)],
    ["of an unknown type", frame({ type: "joined" })],
    ["of the type __proto__", frame({ type: "__proto__" })],
    ["without a type", JSON.stringify({ appointmentId: 7 })],
    ["without a room", JSON.stringify({ type: "leave-room" })],
    ["with a string as the room", frame({ appointmentId: "1 OR 1", payload: offer })],
    ["with a negative room", frame({ appointmentId: -1, payload: offer })],
    ["with a fractional room", frame({ appointmentId: 1.5, payload: offer })],
    ["with a room above the safe integers", frame({ appointmentId: 2 ** 53 + 2, payload: offer })],
    ["without an SDP description", frame({})],
    ["with an unknown description type", frame({ payload: { type: "nothing" } })],
    ["with a number as inReplyTo", frame({ type: "answer", payload: { type: "answer", inReplyTo: 5 } })],
    ["with a number as the SDP", frame({ payload: { type: "offer", sdp: 5 } })],
    [
      "with a candidate of 5,000 characters",
      frame({ type: "ice-candidate", payload: { candidate: "a".repeat(5000) } }),
    ],
    ["with an empty chat text", frame({ type: "chat", payload: { text: "" } })],
    ["with an empty string as the chat", frame({ type: "chat", payload: "" })],
    ["with a number as the chat text", frame({ type: "chat", payload: { text: 5 } })],
    ["of type chat without a payload", frame({ type: "chat" })],
    ["with a chat text of 2,001 characters", frame({ type: "chat", payload: { text: "a".repeat(2001) } })],
    ["with 51 objects", `{"type":"leave-room","appointmentId":7,"payload":[${Array(49).fill("{}").join(",")}]}`],
    ["with 101 commas", `{"type":"leave-room","appointmentId":7,"payload":[${Array(100).fill("1").join(",")}]}`],
    ["with 51 keys", `{"type":"leave-room","appointmentId":7,"payload":{${keys(48)}}}`],
    ["with 9 levels", `{"type":"leave-room","appointmentId":7,"payload":${"[".repeat(8)}${"]".repeat(8)}}`],
    ["with a field that only the server sends", frame({ payload: offer, code: "ended" })],
  ])("is rejected %s", (_, text) => {
    expect(parseClientSignal(text)).toBeNull();
  });
});

test("every error message is a sentence, and no two close codes are the same", () => {
  expect(Object.values(ERROR_MESSAGES).every((text) => text.endsWith("."))).toBe(true);
  expect(new Set(Object.values(CLOSE_CODES)).size).toBe(Object.keys(CLOSE_CODES).length);
});

test("a frame of 50 objects, 50 keys or 8 levels is read", () => {
  for (const payload of [`[${Array(48).fill("{}").join(",")}]`, `{${keys(47)}}`, `${"[".repeat(7)}${"]".repeat(7)}`])
    expect(parseClientSignal(`{"type":"leave-room","appointmentId":7,"payload":${payload}}`)).toMatchObject({
      type: "leave-room",
    });
});
