// Proves that a body is passed on whole or not at all, however small the chunks are in which it arrives.
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { joinAndLimitBodyChunks } from "../../app/http/request-body.server.ts";

/** Passes chunks to a request as Node's parser does. Returns what the request's readers get: null is the end. */
function receive(chunks: readonly string[]) {
  const request = new IncomingMessage(new Socket());
  request.headers["transfer-encoding"] = "chunked";
  const passed = vi.fn<(chunk: Buffer | null) => boolean>(() => true);
  request.push = passed;
  joinAndLimitBodyChunks(request);
  for (const chunk of chunks) request.push(Buffer.from(chunk));
  request.push(null);
  return { passed: passed.mock.calls.map(([chunk]) => chunk && String(chunk)), socket: request.socket };
}

const oneByte = (count: number) => Array.from({ length: count }, (_, index) => String(index % 10));

test("258 chunks of one byte are passed on as one, followed by the end", () => {
  const { passed, socket } = receive(oneByte(258));
  expect(passed).toEqual([oneByte(258).join(""), null]);
  expect(socket.destroyed).toBe(false);
});

test("of 259 chunks of one byte nothing is passed on, not even the end", () => {
  const { passed, socket } = receive(oneByte(259));
  expect(passed).toEqual([]);
  expect(socket.destroyed).toBe(true);
});

test("40,000 chunks of 128 bytes are passed on in their order; of as many of 127 bytes the end is not", () => {
  const ofLength = (bytes: number) => Array.from({ length: 40_000 }, (_, index) => String(index).padStart(bytes, "."));
  expect(receive(ofLength(127)).passed).not.toContain(null);
  const chunks = ofLength(128);
  const { passed } = receive(chunks);
  expect(passed.at(-1)).toBeNull();
  expect(passed.slice(0, -1).join("")).toBe(chunks.join(""));
});
