// Proves how many concurrency slots an address and its IPv6 networks may hold at the same time.
import { expect, test } from "vitest";
import { NetworkConcurrency } from "../../app/http/network-concurrency.server.ts";

/** Takes places from one address after the other until the first is refused. */
function placesOf(addresses: (index: number) => string, limit: number) {
  const counter = new NetworkConcurrency();
  let taken = 0;
  while (taken < 1_000 && !counter.findNetworkAtLimit(addresses(taken), 1, limit)) counter.add(addresses(taken++), 1);
  return { taken, full: counter.findNetworkAtLimit(addresses(taken), 1, limit), counter };
}

test("an IPv4 address and an IPv6 /64 may each hold 100 slots at a limit of 100; the next is refused", () => {
  expect(placesOf(() => "203.0.113.7", 100)).toMatchObject({ taken: 100, full: "203.0.113.7" });
  expect(placesOf(() => "2001:db8:1:2::/64", 100)).toMatchObject({ taken: 100, full: "2001:db8:1:2::/64" });
});

test("at a limit of 100 a /56 may hold 150 slots and a /48 200, however many addresses they use", () => {
  const household = (index: number) => `2001:db8:1:1${(index % 250).toString(16).padStart(2, "0")}::/64`;
  expect(placesOf(household, 100)).toMatchObject({ taken: 150, full: "2001:db8:1:100::/56" });
  const site = (index: number) => `2001:db8:1:${(index * 256).toString(16)}::/64`;
  expect(placesOf(site, 100)).toMatchObject({ taken: 200, full: "2001:db8:1::/48" });
});

test("a full network takes no slots from other networks, and a released slot can be used again", () => {
  const { counter } = placesOf(() => "2001:db8:1:2::/64", 100);
  expect(counter.findNetworkAtLimit("2001:db8:1:3::/64", 1, 100)).toBeNull();
  expect(counter.findNetworkAtLimit("2001:db8:2:2::/64", 100, 100)).toBeNull();
  counter.add("2001:db8:1:2::/64", -1);
  expect(counter.findNetworkAtLimit("2001:db8:1:2::/64", 1, 100)).toBeNull();
  expect(counter.findNetworkAtLimit("2001:db8:1:2::/64", 2, 100)).toBe("2001:db8:1:2::/64");
});
