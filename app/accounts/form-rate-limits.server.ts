import type { RouterContextProvider } from "react-router";
import { DAY_SECONDS } from "../time-units.ts";
import { db } from "../db/database-client.server.ts";
import { env } from "../env.server.ts";
import { clientIpContext } from "../http/request-context.server.ts";
import { hashNetworks, keyedHash, type NetworkHashes } from "../http/network-hash.server.ts";
import { accepted, type Outcome, type Refusal, refused } from "../http/outcome.ts";
import { createNetworkLimiter, createRateLimiter } from "../http/rate-limit.server.ts";
import { getPerson } from "./guards.server.ts";
import { matchKnownDevice, parseKnownDeviceCookie } from "./known-device.server.ts";
import { isNewAccount } from "./new-account.server.ts";
import { familyIdOf, type Person } from "./person.ts";

/**
 * Maximum number of open requests of one network (an IPv4 address, an IPv6 /56, or a known family), and of one IPv6
 * /48.
 */
const MAX_OPEN_REQUESTS = { network: 10, wideNetwork: 30 };

/** Where a request comes from: the signed-in person, the client's address, and its Cookie header. */
export type SubmissionSource = { person: Person | null; ip: string; cookieHeader: string | null };

/** Returns the source of a request that is handled with `context`. */
export function getSubmissionSource(context: Readonly<RouterContextProvider>, request: Request): SubmissionSource {
  const cookieHeader = request.headers.get("cookie");
  return { person: getPerson(context), ip: context.get(clientIpContext), cookieHeader };
}

/**
 * The sender of a request, for its rate limits: a known family by its id, any other sender by the IP address alone.
 * `newFamilyId` is a signed-in family whose first visit has not taken place; the first requests of a day count for that
 * family alone.
 */
export type RateLimitSubject = { familyId: number | null; newFamilyId: number | null; ip: string };

/**
 * Returns the sender of a request with the email address `email`: the signed-in family if it is known, otherwise the
 * family with that address if it has signed in on this device before. This does not decide to which family the request
 * is assigned.
 */
export async function resolveRateLimitSubject(
  { person, ip, cookieHeader }: SubmissionSource,
  email: string,
): Promise<RateLimitSubject> {
  const familyId = person ? familyIdOf(person) : await findFamilyOfDevice(cookieHeader, email);
  const isKnown = familyId !== null && !(await isNewAccount(familyId));
  return { familyId: isKnown ? familyId : null, newFamilyId: person && !isKnown ? familyId : null, ip };
}

async function findFamilyOfDevice(cookieHeader: string | null, email: string): Promise<number | null> {
  const device = await parseKnownDeviceCookie(cookieHeader);
  if (!device) return null;
  const where = { email, isAdmin: false, closedAt: null };
  const family = await db.user.findFirst({ where, select: { id: true, email: true, password: true } });
  return family && matchKnownDevice(device, family) ? family.id : null;
}

/** Requests per day that a signed-in new family may always send, whatever other clients sent from its IP address. */
const MAX_OWN_REQUESTS_PER_DAY = 2;

/**
 * Allows `max` requests per `windowSeconds` to each known family, and `max` to all other senders of a network together.
 * The first two requests a day of each signed-in new family are not counted there. `consume` returns whether the
 * request is one of those two; they are also not limited by the open requests of their network. Refusal: tooMany.
 */
export function createFormRateLimiter(name: string, max: number, windowSeconds: number) {
  const networkRateLimit = createNetworkLimiter(name, max, windowSeconds);
  const familyLimit = createRateLimiter(`${name}-family`, max, windowSeconds);
  const newFamilyLimit = createRateLimiter(`${name}-own-day`, MAX_OWN_REQUESTS_PER_DAY, DAY_SECONDS);
  return {
    consume: async ({
      familyId,
      newFamilyId,
      ip,
    }: RateLimitSubject): Promise<Outcome<{ isExemptFromNetworkLimit: boolean }>> => {
      if (newFamilyId !== null && !(await newFamilyLimit.consume(String(newFamilyId))))
        return accepted({ isExemptFromNetworkLimit: true });
      const rateLimitRefusal =
        familyId === null ? await networkRateLimit.consume(ip) : await familyLimit.consume(String(familyId));
      return rateLimitRefusal ?? accepted({ isExemptFromNetworkLimit: false });
    },
  };
}

/**
 * Identifies the sender of a request by keyed hashes: of a known family, otherwise of the networks of the IP address.
 * They change with SESSION_SECRET, and differ for each `purpose`.
 */
export function hashRateLimitSubject(
  purpose: string,
  { familyId, ip }: Pick<RateLimitSubject, "familyId" | "ip">,
): NetworkHashes {
  if (familyId === null) return hashNetworks(purpose, ip);
  const family = keyedHash(purpose, `family ${familyId}`);
  return { network: family, wideNetwork: family };
}

/**
 * Checks the limit of open requests. Refusal: tooMany, while 10 requests of the sender's network (30 of its IPv6 /48)
 * are open; null otherwise. `countOpen` counts the open requests that match the condition.
 */
export async function checkOpenRequestLimit(
  networks: NetworkHashes,
  countOpen: (condition: Partial<NetworkHashes>) => Promise<number>,
): Promise<Refusal | null> {
  if (!env.isRateLimitingEnabled) return null;
  for (const level of ["network", "wideNetwork"] as const) {
    if ((await countOpen({ [level]: networks[level] })) < MAX_OPEN_REQUESTS[level]) continue;
    const refusal = refused(
      "tooMany",
      `Many requests from your network are waiting for an answer. Please call us at ${env.practice.phone} instead.`,
    );
    return { ...refusal, retryAfterSeconds: DAY_SECONDS };
  }
  return null;
}
