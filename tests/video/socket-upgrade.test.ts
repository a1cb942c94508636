// Proves who may open the socket of video visits.
import { describe, expect, test } from "vitest";
import { family, origin } from "../support/site.ts";
import { cookieHeader } from "../support/signalling-client.ts";
import { performHandshake } from "../support/socket-handshake.ts";

/** The status with which a WebSocket handshake is answered; 101 when it is accepted. */
async function handshakeStatus(headers: Record<string, string>, path = "/ws"): Promise<number | undefined> {
  return (await performHandshake(new URL(path, origin), headers)).status;
}

describe("the socket of video visits", () => {
  test.each([
    ["another site's page", { Origin: "https://evil.example" }],
    ["a page that hides where it is from", { Origin: "null" }],
    ["our page over another scheme", { Origin: origin.replace("http:", "https:") }],
  ])("turns %s away before it looks at the session", async (_, headers) => {
    const noor = await family();
    expect(await handshakeStatus({ ...headers, Cookie: cookieHeader(noor) })).toBe(403);
    expect(await handshakeStatus(headers)).toBe(403);
  });

  test("turns a program without an Origin away that has a family's cookie", async () => {
    expect(await handshakeStatus({ Cookie: cookieHeader(await family()) })).toBe(403);
  });

  test("asks a visitor, and one with a dead cookie, to sign in, also without an Origin", async () => {
    expect(await handshakeStatus({})).toBe(401);
    expect(await handshakeStatus({ Cookie: "session=gone" })).toBe(401);
    expect(await handshakeStatus({ Origin: origin })).toBe(401);
    expect(await handshakeStatus({ Origin: origin, Cookie: "session=gone" })).toBe(401);
  });

  test("opens to a family, and knows no other address", async () => {
    const noor = await family();
    expect(await handshakeStatus({ Origin: origin, Cookie: cookieHeader(noor) })).toBe(101);
    expect(await handshakeStatus({ Origin: origin, Cookie: cookieHeader(noor) }, "/elsewhere")).toBe(404);
  });
});
