// Proves who may open the WebSocket of video visits.
import { describe, expect, test } from "vitest";
import { family, origin } from "../support/site.ts";
import { cookieHeader } from "../support/signaling-client.ts";
import { performHandshake } from "../support/socket-handshake.ts";

/** The status with which a WebSocket handshake is answered; 101 when it is accepted. */
async function handshakeStatus(headers: Record<string, string>, path = "/ws"): Promise<number | undefined> {
  return (await performHandshake(new URL(path, origin), headers)).status;
}

describe("the WebSocket handshake of video visits", () => {
  test.each([
    ["another site's origin", { Origin: "https://evil.example" }],
    ["the origin null", { Origin: "null" }],
    ["the site's origin with another scheme", { Origin: origin.replace("http:", "https:") }],
  ])("from %s gets 403, with and without a session", async (_, headers) => {
    const noor = await family();
    expect(await handshakeStatus({ ...headers, Cookie: cookieHeader(noor) })).toBe(403);
    expect(await handshakeStatus(headers)).toBe(403);
  });

  test("with a family's session cookie but no Origin header gets 403", async () => {
    expect(await handshakeStatus({ Cookie: cookieHeader(await family()) })).toBe(403);
  });

  test("without a valid session cookie gets 401, with and without an Origin header", async () => {
    expect(await handshakeStatus({})).toBe(401);
    expect(await handshakeStatus({ Cookie: "session=gone" })).toBe(401);
    expect(await handshakeStatus({ Origin: origin })).toBe(401);
    expect(await handshakeStatus({ Origin: origin, Cookie: "session=gone" })).toBe(401);
  });

  test("of a family succeeds on /ws, and gets 404 on another path", async () => {
    const noor = await family();
    expect(await handshakeStatus({ Origin: origin, Cookie: cookieHeader(noor) })).toBe(101);
    expect(await handshakeStatus({ Origin: origin, Cookie: cookieHeader(noor) }, "/elsewhere")).toBe(404);
  });
});
