// Proves how many places the networks of an address have at the same time.
import { expect, test } from "vitest";
import { NetworkConcurrency } from "../../app/http/network-concurrency.server.ts";

/** Takes places from one address after the other until the first is refused. */
function placesOf(addresses: (index: number) => string, limit: number) {
  const counter = new NetworkConcurrency();
  let taken = 0;
  while (taken < 1_000 && !counter.findFull(addresses(taken), 1, limit)) counter.add(addresses(taken++), 1);
  return { taken, full: counter.findFull(addresses(taken), 1, limit), counter };
}

test("an IPv4 address and an IPv6 /64 have a hundred places of a hundred, one more has none", () => {
  expect(placesOf(() => "203.0.113.7", 100)).toMatchObject({ taken: 100, full: "203.0.113.7" });
  expect(placesOf(() => "2001:db8:1:2::/64", 100)).toMatchObject({ taken: 100, full: "2001:db8:1:2::/64" });
});

test("a /56 has half as many again, a /48 twice as many, however many addresses they use", () => {
  const household = (index: number) => `2001:db8:1:1${(index % 250).toString(16).padStart(2, "0")}::/64`;
  expect(placesOf(household, 100)).toMatchObject({ taken: 150, full: "2001:db8:1:100::/56" });
  const site = (index: number) => `2001:db8:1:${(index * 256).toString(16)}::/64`;
  expect(placesOf(site, 100)).toMatchObject({ taken: 200, full: "2001:db8:1::/48" });
});

test("neighbors of a full network have all of theirs, and what is let go can be taken again", () => {
  const { counter } = placesOf(() => "2001:db8:1:2::/64", 100);
  expect(counter.findFull("2001:db8:1:3::/64", 1, 100)).toBeNull();
  expect(counter.findFull("2001:db8:2:2::/64", 100, 100)).toBeNull();
  counter.add("2001:db8:1:2::/64", -1);
  expect(counter.findFull("2001:db8:1:2::/64", 1, 100)).toBeNull();
  expect(counter.findFull("2001:db8:1:2::/64", 2, 100)).toBe("2001:db8:1:2::/64");
});
