import { DAY_SECONDS, MINUTE_SECONDS } from "../../time-units.ts";
import { filterNewAccountIds } from "../../accounts/new-account.server.ts";
import { now } from "../../clock.ts";
import type { Transaction } from "../../db/database-client.server.ts";
import { env } from "../../env.server.ts";
import { hashNetworks, hashNetworksWithAllSecrets, type NetworkHashes } from "../../http/network-hash.server.ts";
import { type Refusal, refused } from "../../http/outcome.ts";
import { HOLD_MINUTES } from "../holds/hold-duration.ts";
import { MAX_WAITING_FAMILIES, WAITING_CONDITION } from "../waiting-list/offer-order.server.ts";
import { mondayOf, toWallTime } from "../wall-time.ts";

/** Limits for all new accounts of one network together. A /48 is allowed less than the sum of its networks. */
const NETWORK_LIMITS = [
  { level: "network", minutesAWeek: 480, visits: 6, payments: 4, waitingADay: 2 },
  { level: "wideNetwork", minutesAWeek: 720, visits: 12, payments: 8, waitingADay: 4 },
] as const;

const HASH_PURPOSE = "network of a booking";

/**
 * Returns the columns that record the network from which a new account books. `ip` is the visitor's address (see
 * `clientIp`).
 */
export function bookingNetworkHashes(ip: string): NetworkHashes {
  return hashNetworks(HASH_PURPOSE, ip);
}

/**
 * Returns a refusal (tooMany) when an in-person booking of a new account from `ip` raises the unpaid upcoming visits of
 * all new accounts of its network above 480 minutes in the week of `appointmentDate` (Monday to Sunday in the
 * practice's time zone), or above six visits in total; otherwise null. For an IPv6 /48, the limits are 720 minutes and
 * twelve visits. Moves within the same week are never refused. Must run in the transaction that has written the booking
 * with `bookingNetworkHashes`. Source: docs/decisions/0017.
 */
export async function checkNetworkVisitLimit(
  transaction: Transaction,
  ip: string,
  { appointmentDate, movedFrom }: { appointmentDate: Date; movedFrom?: Date },
): Promise<Refusal | null> {
  if (movedFrom && isSameWeek(movedFrom, appointmentDate)) return null;
  const monday = mondayOfInstant(appointmentDate);
  const rows = await transaction.appointment.findMany({
    where: {
      ...wideNetworkCondition(ip),
      ...OWED_IN_PERSON_CONDITION,
      appointmentDate: { gt: now() },
    },
    select: { userId: true, appointmentDate: true, duration: true, network: true, wideNetwork: true },
  });
  const isExceeded = await isAnyLevelExceeded(transaction, ip, rows, (visits, limit) => {
    const inWeek = visits.filter((visit) => mondayOfInstant(visit.appointmentDate) === monday);
    const minutes = inWeek.reduce((sum, { duration }) => sum + duration, 0);
    return minutes > limit.minutesAWeek || visits.length > limit.visits;
  });
  if (!isExceeded) return null;
  const refusal = refused(
    "tooMany",
    `Too many unpaid visits were booked from your network. ${bookingAlternativesText()}`,
  );
  return { ...refusal, retryAfterSeconds: DAY_SECONDS };
}

/**
 * Returns a refusal (tooMany) when a new account's hold from `ip` is the fifth current hold of the new accounts of its
 * network, or the ninth of its /48, otherwise null. Counts holds for chosen times and for payments. Must run in the
 * transaction that has written the hold.
 */
export async function checkNetworkHoldLimit(transaction: Transaction, ip: string): Promise<Refusal | null> {
  const rows = await transaction.hold.findMany({
    where: { ...wideNetworkCondition(ip), expiresAt: { gt: now() } },
    select: { userId: true, network: true, wideNetwork: true },
  });
  const isExceeded = await isAnyLevelExceeded(transaction, ip, rows, (holds, { payments }) => holds.length > payments);
  if (!isExceeded) return null;
  const wait = `Please wait ${HOLD_MINUTES} minutes, or call us at ${env.practice.phone}.`;
  const refusal = refused("tooMany", `Too many payments are under way from your network. ${wait}`);
  return { ...refusal, retryAfterSeconds: HOLD_MINUTES * MINUTE_SECONDS };
}

/**
 * Returns a refusal (tooMany) when a new account's entry from `ip` is the third of the new accounts of its network on
 * the waiting list of `day`, or the fifth of its /48, otherwise null. Must run in the transaction that has written the
 * entry with `bookingNetworkHashes`.
 */
export async function checkNetworkWaitingListLimit(
  transaction: Transaction,
  ip: string,
  day: string,
): Promise<Refusal | null> {
  const rows = await transaction.waitingListEntry.findMany({
    where: { ...wideNetworkCondition(ip), ...WAITING_CONDITION, day },
    take: MAX_WAITING_FAMILIES,
    select: { userId: true, network: true, wideNetwork: true },
  });
  const isExceeded = await isAnyLevelExceeded(
    transaction,
    ip,
    rows,
    (entries, { waitingADay }) => entries.length > waitingADay,
  );
  if (!isExceeded) return null;
  const sentence = `Other families on your network are already waiting for that day. Choose another day, or call us at ${env.practice.phone}.`;
  return { ...refused("tooMany", sentence), retryAfterSeconds: DAY_SECONDS };
}

/**
 * Prisma filter for unpaid visits to be paid in person. Excludes visits scheduled from a request, because the
 * consultant arranged those.
 */
export const OWED_IN_PERSON_CONDITION = {
  status: { not: "cancelled" },
  paymentStatus: "pending",
  paymentMethod: "in-person",
  consultationRequestId: null,
};

/**
 * Returns a sentence with the ways in which a refused family can still book: those in `first`, by paying online if that
 * is offered, or by phone.
 */
export function bookingAlternativesText(...first: string[]): string {
  const ways = [...first, ...(env.payments === "off" ? [] : ["pay online"]), `call us at ${env.practice.phone}`];
  return `Please ${new Intl.ListFormat("en-US", { type: "disjunction" }).format(ways)}.`;
}

type NetworkRow = { userId: number | null; network: string | null; wideNetwork: string | null };

async function isAnyLevelExceeded<Row extends NetworkRow>(
  transaction: Transaction,
  ip: string,
  rows: Row[],
  isExceeded: (rows: Row[], limit: (typeof NETWORK_LIMITS)[number]) => boolean,
): Promise<boolean> {
  const newAccounts = await filterNewAccountIds([...new Set(rows.flatMap(({ userId }) => userId ?? []))], transaction);
  const newAccountRows = rows.filter(({ userId }) => userId !== null && newAccounts.has(userId));
  const networkHashes = hashNetworksWithAllSecrets(HASH_PURPOSE, ip);
  return NETWORK_LIMITS.some((limit) => {
    const levelRows = newAccountRows.filter((row) =>
      networkHashes.some((hashes) => hashes[limit.level] === row[limit.level]),
    );
    return isExceeded(levelRows, limit);
  });
}

function wideNetworkCondition(ip: string) {
  return { wideNetwork: { in: hashNetworksWithAllSecrets(HASH_PURPOSE, ip).map(({ wideNetwork }) => wideNetwork) } };
}

/** Checks whether both instants are in the same week, Monday to Sunday in the practice's time zone. */
export function isSameWeek(one: Date, other: Date): boolean {
  return mondayOfInstant(one) === mondayOfInstant(other);
}

function mondayOfInstant(instant: Date): string {
  return mondayOf(toWallTime(instant, env.practice.timeZone).day);
}
