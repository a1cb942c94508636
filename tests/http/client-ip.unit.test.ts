// Proves which client address is read from the proxy's header and how it is stored, and that a missing one is logged once.
import { createHash, createHmac } from "node:crypto";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testEnvironment } from "../support/test-environment.ts";

const folder = temporaryFolder("client-ip");
const PUBLIC = { APP_ORIGIN: "https://practice.example", PAYMENTS: "off", RATE_LIMITS: "on" };
Object.assign(process.env, await testEnvironment(`file:${folder}/none.db`, folder), PUBLIC, {
  VISITOR_ADDRESS_HEADER: "X-Visitor",
});
const { clientIp } = await import("../../app/http/client-ip.server.ts");
const { hashNetworks } = await import("../../app/http/network-hash.server.ts");
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

test("a network is stored as a hash under the site's secret, one per purpose, so that nobody can compute or join it", () => {
  const [purpose, ip, secret] = ["network of a legal request", "198.51.100.1", "the secret of this site"];
  const { network, wideNetwork } = hashNetworks(purpose, ip, secret);
  expect([network, network]).toEqual([
    wideNetwork,
    createHmac("sha256", secret).update(`${purpose}: ${ip}`).digest("base64url"),
  ]);
  for (const text of [ip, `${purpose}: ${ip}`])
    expect(network).not.toBe(createHash("sha256").update(text).digest("base64url"));
  const others = [
    hashNetworks(purpose, ip, "the secret of another site"),
    hashNetworks("network of a consultation request", ip, secret),
    hashNetworks(purpose, "198.51.100.2", secret),
    hashNetworks(purpose, ip),
  ];
  expect(new Set([network, ...others.map((each) => each.network)]).size).toBe(5);
});

test("the addresses of an IPv6 /56 share one stored hash, and those of its /48 a second one", () => {
  const hash = (ip: string) => hashNetworks("network of a legal request", ip);
  const own = hash("2001:db8:1:100::/64");
  expect(hash("2001:db8:1:1ff::/64")).toEqual(own);
  const neighbor = hash("2001:db8:1:200::/64");
  expect([neighbor.wideNetwork === own.wideNetwork, neighbor.network === own.network]).toEqual([true, false]);
  expect(hash("2001:db8:2:100::/64").wideNetwork).not.toBe(own.wideNetwork);
  expect(own.network).not.toBe(own.wideNetwork);
});
