// Proves how often one IP address and one session may open the WebSocket of video visits.
import { expect, test } from "vitest";
import { environmentOverrides } from "../support/environment-overrides.ts";
import type { Family } from "../support/people.ts";
import { cookieHeader } from "../support/signaling-client.ts";
import { performHandshake } from "../support/socket-handshake.ts";

environmentOverrides.RATE_LIMITS = "on";
const { family, origin } = await import("../support/site.ts");

const MAX_OF_SESSION = 120;
const MAX_OF_ADDRESS = 300;

const open = (person: Family, localAddress: string) =>
  performHandshake(new URL("/ws", origin), { Origin: origin, Cookie: cookieHeader(person) }, localAddress);

/** The statuses of so many handshakes, one after the other. */
async function openOften(person: Family, localAddress: string, times: number): Promise<Set<number | undefined>> {
  const statuses = new Set<number | undefined>();
  for (let time = 0; time < times; time += 1) statuses.add((await open(person, localAddress)).status);
  return statuses;
}

test("a session opens 120 sockets a minute at one IP address, then gets 429; another IP or family can go on", async () => {
  const [noor, maria] = [await family(), await family()];
  expect(await openOften(noor, "127.0.60.1", MAX_OF_SESSION)).toEqual(new Set([101]));
  const refused = await open(noor, "127.0.60.1");
  expect([refused.status, refused.text]).toEqual([
    429,
    "Too many requests at once. Please wait a minute and try again.\n",
  ]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect([(await open(maria, "127.0.60.1")).status, (await open(noor, "127.0.60.2")).status]).toEqual([101, 101]);
});

test("visitors at one IP address get 300 handshakes a minute, then 429; families there can still connect", async () => {
  const [grace, joan] = [await family(), await family()];
  const statuses = new Set<number | undefined>();
  for (let time = 0; time < MAX_OF_ADDRESS; time += 1)
    statuses.add((await performHandshake(new URL("/ws", origin), { Origin: origin }, "127.0.60.4")).status);
  expect(statuses).toEqual(new Set([401]));
  const refused = await performHandshake(new URL("/ws", origin), { Origin: origin }, "127.0.60.4");
  expect([refused.status, Number(refused.headers["retry-after"]) > 0]).toEqual([429, true]);
  for (const person of [grace, joan]) expect((await open(person, "127.0.60.4")).status).toBe(101);
  expect((await open(grace, "127.0.60.5")).status).toBe(101);
});

test("a family that opens 60 sockets at once doesn't delay another family's, which comes last", async () => {
  const [grace, joan] = [await family(), await family()];
  for (const person of [grace, joan]) await person.get("/dashboard"); // the account of the cookie is known
  const opened: string[] = [];
  const openAs = async (name: string, person: Family, address: string) => {
    expect((await open(person, address)).status).toBe(101);
    opened.push(name);
  };
  const many = Array.from({ length: 60 }, () => openAs("Grace", grace, "127.0.60.6"));
  await Promise.all([...many, openAs("Joan", joan, "127.0.60.7")]);
  expect(opened.indexOf("Joan")).toBeLessThan(30);
});
