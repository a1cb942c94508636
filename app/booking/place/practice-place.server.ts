import type { Prisma } from "../../../prisma/sqlite/client/client.ts";
import { join } from "@prisma/client/runtime/client";
import { assertAdministrator } from "../../accounts/authorization.server.ts";
import { lockAccountRow } from "../../accounts/lock-account-row.server.ts";
import type { Person } from "../../accounts/person.ts";
import { now } from "../../clock.ts";
import { readRowsInBatches } from "../../db/batches.server.ts";
import { db, inTransaction, type Transaction } from "../../db/client.server.ts";
import { lockPracticeDetails } from "../../practice/practice-details.server.ts";
import { OPEN_STATUSES } from "../appointment-status.ts";
import { visitKind } from "../visit-kind.ts";
import { savePlace } from "./save-place.server.ts";

/** Visits whose families one transaction tells, far within its 5 seconds. */
const BATCH_SIZE = 20;

const VISIT_SELECT = {
  id: true,
  userId: true,
  appointmentDate: true,
  duration: true,
  calendarSequence: true,
  isLiveVideoCall: true,
  meetingLink: true,
  place: true,
} as const;

type Visit = Awaited<ReturnType<typeof readVisits>>[number];

/** How many families are told that the practice's place has changed, and how many people the consultant has to tell. */
export type PlaceAudience = { families: number; peopleWithoutAccount: number };

/** Returns who is told when the practice's place changes. For the administrator; throws for anyone else. */
export async function countPracticePlaceRecipients(person: Person): Promise<PlaceAudience> {
  requireAdmin(person);
  const visits: Visit[] = [];
  for await (const visit of readRowsInBatches((after, take) => readVisits(db, { id: { gt: after } }, take)))
    if (isAtPracticePlace(visit)) visits.push(visit);
  return countRecipients(visits);
}

/**
 * Changes the practice's place to `place`, which `store` writes, and tells it to the families of all upcoming visits in
 * person without a place of their own, as `setPlace` does for one visit. Returns who is told. For the administrator;
 * throws for anyone else.
 *
 * All is done in one transaction, or with many visits in several, of which the last one stores the place. If one fails,
 * the place is not stored, so the consultant saves it again and no family is left out.
 */
export async function changePracticePlace(
  person: Person,
  place: string | null,
  storePlace: (transaction: Transaction) => Promise<void>,
): Promise<PlaceAudience> {
  requireAdmin(person);
  const notifiedVisits = new Map<number, Visit>();
  const notifyNextBatch = () =>
    inTransaction((transaction) => notifyBatch(transaction, { place, notifiedVisits, store: storePlace }));
  for (let isStored = false; !isStored;) {
    const { batch, isLast } = await notifyNextBatch();
    for (const visit of batch) notifiedVisits.set(visit.id, visit);
    isStored = isLast;
  }
  return countRecipients([...notifiedVisits.values()]);
}

const EMPTY_BATCH: { batch: Visit[]; isLast: boolean } = { batch: [], isLast: true };

type PlaceChange = {
  place: string | null;
  notifiedVisits: ReadonlyMap<number, Visit>;
  store: (transaction: Transaction) => Promise<void>;
};

async function notifyBatch(transaction: Transaction, { place, notifiedVisits, store }: PlaceChange) {
  const { meetingPlace: from } = await lockPracticeDetails(transaction);
  const next = from === place ? EMPTY_BATCH : await lockNextVisits(transaction, notifiedVisits);
  for (const visit of next.batch)
    await savePlace(transaction, { ...visit, practicePlace: from }, { place: null, practicePlace: place });
  if (next.isLast) await store(transaction);
  return next;
}

/** Locks and returns the next visits that were not told yet, or were changed since, and whether they are the last. */
async function lockNextVisits(transaction: Transaction, notifiedVisits: ReadonlyMap<number, Visit>) {
  // Telling a visit raises its number by one.
  const isNotified = ({ id, calendarSequence }: Visit) =>
    notifiedVisits.get(id)?.calendarSequence === calendarSequence - 1;
  const found = await readVisits(transaction, {}, notifiedVisits.size + BATCH_SIZE + 1);
  const unnotified = found.filter((visit) => !isNotified(visit));
  const ids = unnotified.slice(0, BATCH_SIZE).map(({ id }) => id);
  // In ascending order, so that two transactions can't wait for each other.
  const userIds = new Set(unnotified.slice(0, BATCH_SIZE).flatMap(({ userId }) => userId ?? []));
  for (const userId of [...userIds].sort((a, b) => a - b)) await lockAccountRow(transaction, userId);
  if (ids.length > 0)
    await transaction.$executeRaw`UPDATE "appointments" SET "calendarSequence" = "calendarSequence"
      WHERE "id" IN (${join(ids)})`;
  // Read again, because a family may have moved or canceled its visit before its row was locked.
  const locked = await readVisits(transaction, { id: { in: ids } }, BATCH_SIZE);
  return { batch: locked.filter(isAtPracticePlace), isLast: unnotified.length <= BATCH_SIZE };
}

/** Reads visits to come in person or on a link, in ascending order of id. */
function readVisits(client: Prisma.TransactionClient, condition: Prisma.AppointmentWhereInput, take: number) {
  const upcomingCondition = {
    appointmentDate: { gt: now() },
    status: { in: OPEN_STATUSES },
    isLiveVideoCall: false,
    place: null,
  };
  return client.appointment.findMany({
    where: { AND: [upcomingCondition, condition] },
    orderBy: { id: "asc" },
    take,
    select: VISIT_SELECT,
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

function requireAdmin(person: Person): void {
  assertAdministrator(person);
}
