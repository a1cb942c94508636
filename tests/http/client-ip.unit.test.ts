// Proves which client address is read from the proxy's header, and that a missing address is logged once.
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("client-ip");
const PUBLIC = { APP_ORIGIN: "https://practice.example", PAYMENTS: "off", RATE_LIMITS: "on" };
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), PUBLIC, {
  VISITOR_ADDRESS_HEADER: "X-Visitor",
});
const { clientIp } = await import("../../app/http/client-ip.server.ts");
const { log } = await import("../../app/http/log.server.ts");
const warn = vi.spyOn(log, "warn");

const SENTENCE =
  "A request came without an address in x-visitor, which VISITOR_ADDRESS_HEADER names: it counts as its peer's.";

function ipOf(headers: Record<string, string>): string {
  const socket = { remoteAddress: "203.0.113.1" };
  return clientIp({ headers, socket } as unknown as Parameters<typeof clientIp>[0]);
}

// In this order: the process says it at the first such request.
test("the last address in the configured header is the client's (IPv6 as a /64), and nothing is logged", () => {
  expect(ipOf({ "x-visitor": "198.51.100.1", "x-forwarded-for": "192.0.2.9" })).toBe("198.51.100.1");
  expect(ipOf({ "x-visitor": "192.0.2.9, 198.51.100.2" })).toBe("198.51.100.2");
  expect(ipOf({ "x-visitor": "::ffff:198.51.100.3" })).toBe("198.51.100.3");
  expect(ipOf({ "x-visitor": "2001:DB8::1:2:3:4:5" })).toBe("2001:db8:0:1::/64");
  expect(warn.mock.calls).toEqual([]);
});

test("without a valid address in the header the peer's address is used, and one warning is logged", () => {
  expect(ipOf({ "x-visitor": "192.0.2.9, unknown" })).toBe("203.0.113.1");
  expect(warn.mock.calls).toEqual([[SENTENCE]]);
  for (const words of ["", "unknown", "198.51.100.1:443", "198.51.100.1,", "1.2.3"])
    expect([words, ipOf({ "x-visitor": words })]).toEqual([words, "203.0.113.1"]);
  expect(ipOf({ "x-forwarded-for": "198.51.100.1" })).toBe("203.0.113.1");
  expect(warn.mock.calls).toEqual([[SENTENCE]]);
});
