// Proves how much memory unfinished request bodies may use in total, and which are dropped when it is full.
import { connect } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { origin, server, testing, visitor } from "../support/site.ts";

const KIB = 1024;
const { host, port } = new URL(origin);
const usual = { ...testing.BODY_MEMORY_LIMITS };
const PATH = "/api/consultation-requests";

/** Room for two bodies of 64 KiB, and for one step of 16 KiB beside them. */
const small = { bytes: 144 * KIB, reservedForSmall: 16 * KIB };

afterEach(async () => {
  vi.useRealTimers();
  await settle();
  Object.assign(testing.BODY_MEMORY_LIMITS, usual);
});

/** Sends the head of a body and so many bytes of it. */
async function sender(declared: number | "chunked", sent: number, path = PATH) {
  const socket = connect(Number(port), "127.0.0.1");
  let received = "";
  socket.on("data", (part: Buffer) => (received += part.toString("latin1"))).on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const length = declared === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${declared}`;
  const dispatched = new Promise((resolve) => server.once("request", resolve));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
  await dispatched;
  const send = (bytes: number) => socket.write(declared === "chunked" ? chunk(bytes) : " ".repeat(bytes));
  if (sent > 0) send(sent);
  const status = () => /HTTP\/1\.1 (\d+)/.exec(received)?.[1];
  return { socket, send, status, closed };
}

const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`;
/** Whatever was written before has been handled when this has been answered. */
const settle = async () => {
  for (let times = 0; times < 3; times += 1) await visitor().get("/healthz");
};
const statusOf = async (bytes: number, path = PATH) => {
  const headers = { Origin: origin, "Content-Type": "application/json" };
  return (await visitor().request("POST", path, { headers, body: "{}".padEnd(bytes) })).status;
};

describe("request bodies in memory", () => {
  test("are limited to 32 MiB in total, 4 MiB of it reserved for small bodies, and count as stalled after 5 seconds", () => {
    expect(usual).toEqual({ bytes: 32 * KIB * KIB, reservedForSmall: 4 * KIB * KIB, stallMs: 5_000 });
  });

  test("get 503 when they exceed the free memory; the reserve still accepts a small body", async () => {
    Object.assign(testing.BODY_MEMORY_LIMITS, { bytes: 40_000, reservedForSmall: 10_000 });
    expect(await statusOf(30_000)).toBe(422);
    expect(await statusOf(30_001)).toBe(503);
    expect(await statusOf(16_384)).toBe(422);
  });

  test.each([256 * KIB, "chunked"] as const)(
    "count by bytes received, not by declared length (%s): one-byte senders don't block a 250 KiB body",
    async (declared) => {
      Object.assign(testing.BODY_MEMORY_LIMITS, small);
      testing.BODY_MEMORY_LIMITS.bytes = 304 * KIB;
      const idle = await Promise.all([sender(declared, 1), sender(declared, 1)]);
      await settle();
      expect(await statusOf(250 * KIB)).toBe(422);
      expect(idle.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
      for (const { socket } of idle) socket.destroy();
    },
  );

  test("are accepted when they fill the memory exactly; one byte more closes the connection", async () => {
    Object.assign(testing.BODY_MEMORY_LIMITS, small);
    const first = await sender(100 * KIB, 64 * KIB);
    await settle();
    expect(await statusOf(64 * KIB)).toBe(422);
    const second = await sender(64 * KIB + 1, 64 * KIB);
    await settle();
    expect(second.socket.destroyed).toBe(false);
    second.send(1);
    await second.closed;
    expect([first.socket.destroyed, second.status()]).toEqual([false, undefined]);
    first.socket.destroy();
  });

  test("that stall for 5 seconds are dropped for a new body, longest-stalled first; before that it gets 503", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    Object.assign(testing.BODY_MEMORY_LIMITS, small);
    const first = await sender(128 * KIB, 64 * KIB);
    await settle();
    vi.advanceTimersByTime(1_000);
    const second = await sender(128 * KIB, 64 * KIB);
    await settle();
    vi.advanceTimersByTime(3_999);
    expect(await statusOf(20 * KIB)).toBe(503);
    expect(first.socket.destroyed || second.socket.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await statusOf(20 * KIB)).toBe(422);
    await first.closed;
    expect(second.socket.destroyed).toBe(false);
    second.socket.destroy();
  });

  test("that received 16 KiB within 5 seconds are kept when a new body arrives; one that received a byte is dropped", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    Object.assign(testing.BODY_MEMORY_LIMITS, small);
    const [first, second] = [await sender(80 * KIB, 48 * KIB), await sender(80 * KIB, 64 * KIB)];
    await settle();
    vi.advanceTimersByTime(4_000);
    first.send(16 * KIB);
    second.send(1);
    await settle();
    vi.advanceTimersByTime(4_000);
    expect(await statusOf(20 * KIB)).toBe(422);
    await second.closed;
    expect(first.socket.destroyed).toBe(false);
    first.socket.destroy();
  });

  test("release their memory once they are answered or aborted, so that it can be reused", async () => {
    Object.assign(testing.BODY_MEMORY_LIMITS, { bytes: 64 * KIB, reservedForSmall: 0 });
    for (let times = 0; times < 5; times += 1) {
      expect(await statusOf(64 * KIB)).toBe(422);
      const given = await sender(64 * KIB, 63 * KIB);
      await settle();
      given.socket.destroy();
      await given.closed;
      await settle();
    }
    expect(await statusOf(64 * KIB)).toBe(422);
  });
});
