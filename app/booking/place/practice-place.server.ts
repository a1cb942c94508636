import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { join } from "@prisma/client/runtime/client";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { readRowsInBatches } from "../../db/batches.server.ts";
import { db, inTransaction, type Transaction } from "../../db/database-client.server.ts";
import { lockMeetingPlaceExclusively, lockAndReadPracticeDetails } from "../../practice/practice-details.server.ts";
import { OPEN_STATUSES } from "../appointment-status.ts";
import { visitKind } from "../visit-kind.ts";
import { storeVisitPlaceAndNotify } from "./store-visit-place.server.ts";

/** Visits whose families one transaction tells: far within its 5 seconds, because bookings wait for it. */
const BATCH_SIZE = 10;

const SELECT = {
  id: true,
  userId: true,
  appointmentDate: true,
  duration: true,
  calendarSequence: true,
  isLiveVideoCall: true,
  meetingLink: true,
  place: true,
} as const;

type Visit = Awaited<ReturnType<typeof readVisitsWithoutOwnPlace>>[number];

/** How many families are told that the practice's place has changed, and how many people the consultant has to tell. */
export type PlaceAudience = { families: number; peopleWithoutAccount: number };

/** Returns who is told when the practice's place changes. For the administrator; throws for anyone else. */
export async function countPracticePlaceRecipients(person: Person): Promise<PlaceAudience> {
  assertAdministrator(person);
  const visits: Visit[] = [];
  for await (const visit of readRowsInBatches((after, take) =>
    readVisitsWithoutOwnPlace(db, { id: { gt: after } }, take),
  ))
    if (isAtPracticePlace(visit)) visits.push(visit);
  return countRecipients(visits);
}

/**
 * Changes the practice's place to `place`, which `store` writes, and tells it to the families of all upcoming visits in
 * person without a place of their own, as `setVisitPlace` does for one visit. Returns who is told. For the administrator;
 * throws for anyone else.
 *
 * All is done in one transaction, or with many visits in several, of which the last one stores the place. If one fails,
 * the place is not stored, so the consultant saves it again and no family is left out. A visit that is booked or moved
 * meanwhile with the former place is told, too: its transaction reads the place with `readMeetingPlaceWithSharedLock`.
 */
export async function changePracticePlaceAndNotify(
  person: Person,
  place: string | null,
  store: (transaction: Transaction) => Promise<void>,
): Promise<PlaceAudience> {
  assertAdministrator(person);
  const notifiedVisits = new Map<number, Visit>();
  const handledSequences = new Map<number, number>();
  const notifyNextBatch = () =>
    inTransaction((transaction) => notifyBatchAndStorePlace(transaction, { place, handledSequences, store }));
  for (let isStored = false; !isStored;) {
    const next = await notifyNextBatch();
    for (const [id, sequence] of next.handledSequences) handledSequences.set(id, sequence);
    for (const visit of next.notifiedVisits) notifiedVisits.set(visit.id, visit);
    isStored = next.isStored;
  }
  return countRecipients([...notifiedVisits.values()]);
}

/** The calendar sequence of each visit that was told the new place, or is on a link, as it was left. */
type HandledSequences = ReadonlyMap<number, number>;

type PlaceChange = {
  place: string | null;
  /** What earlier transactions have done. */
  handledSequences: HandledSequences;
  store: (transaction: Transaction) => Promise<void>;
};

type Batch = { notifiedVisits: readonly Visit[]; handledSequences: HandledSequences; isStored: boolean };

async function notifyBatchAndStorePlace(
  transaction: Transaction,
  { place, handledSequences, store }: PlaceChange,
): Promise<Batch> {
  const { meetingPlace: from } = await lockAndReadPracticeDetails(transaction);
  if (from === place) {
    await store(transaction);
    return { notifiedVisits: [], handledSequences, isStored: true };
  }
  const visits = await lockVisits(transaction, await findRemainingVisits(transaction, handledSequences));
  await lockMeetingPlaceExclusively(transaction);
  const notifiedVisits = visits.filter(isAtPracticePlace);
  for (const visit of notifiedVisits)
    await storeVisitPlaceAndNotify(
      transaction,
      { ...visit, practicePlace: from },
      { place: null, practicePlace: place },
    );
  const nextSequences = new Map(handledSequences);
  for (const visit of visits) nextSequences.set(visit.id, visit.calendarSequence + (isAtPracticePlace(visit) ? 1 : 0));
  const isStored = (await findRemainingVisits(transaction, nextSequences)).length === 0;
  if (isStored) await store(transaction);
  return { notifiedVisits, handledSequences: nextSequences, isStored };
}

/** Returns the next visits that are not done yet, or were changed since. */
async function findRemainingVisits(transaction: Transaction, handledSequences: HandledSequences): Promise<Visit[]> {
  const found = await readVisitsWithoutOwnPlace(transaction, {}, handledSequences.size + BATCH_SIZE);
  return found.filter(({ id, calendarSequence }) => handledSequences.get(id) !== calendarSequence).slice(0, BATCH_SIZE);
}

/** Locks visits, and returns them as they are now: a family may have moved or canceled one before its row was locked. */
async function lockVisits(transaction: Transaction, visits: readonly Visit[]): Promise<Visit[]> {
  const ids = visits.map(({ id }) => id);
  // In ascending order, so that two transactions can't wait for each other.
  const userIds = new Set(visits.flatMap(({ userId }) => userId ?? []));
  for (const userId of [...userIds].sort((a, b) => a - b)) await lockAccountRow(transaction, userId);
  if (ids.length === 0) return [];
  await transaction.$executeRaw`UPDATE "appointments" SET "calendarSequence" = "calendarSequence"
    WHERE "id" IN (${join(ids)})`;
  return readVisitsWithoutOwnPlace(transaction, { id: { in: ids } }, BATCH_SIZE);
}

/** Reads visits to come in person or on a link, in ascending order of id. */
function readVisitsWithoutOwnPlace(
  client: Prisma.TransactionClient,
  condition: Prisma.AppointmentWhereInput,
  take: number,
) {
  const toCome = { appointmentDate: { gt: now() }, status: { in: OPEN_STATUSES }, isLiveVideoCall: false, place: null };
  return client.appointment.findMany({
    where: { AND: [toCome, condition] },
    orderBy: { id: "asc" },
    take,
    select: SELECT,
  });
}

function isAtPracticePlace(visit: Visit): boolean {
  return visitKind(visit) === "in-person";
}

function countRecipients(visits: readonly { userId: number | null }[]): PlaceAudience {
  return {
    families: new Set(visits.flatMap(({ userId }) => userId ?? [])).size,
    peopleWithoutAccount: visits.filter(({ userId }) => userId === null).length,
  };
}
