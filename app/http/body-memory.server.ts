import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const KIB_BYTES = 1024;
/** Size of the steps in which memory is reserved as a body arrives, in bytes. */
export const RESERVATION_STEP_BYTES = 16 * KIB_BYTES;

/**
 * Limits on bodies that are in memory at the same time, in bytes and milliseconds. The reserved part is for bodies of
 * one step, so that people can sign in while large bodies are being received. A body that has not filled a step for
 * `stallMs` is dropped when another body needs the memory.
 */
export const BODY_MEMORY_LIMITS = {
  bytes: 32 * KIB_BYTES * KIB_BYTES,
  reservedForSmall: 4 * KIB_BYTES * KIB_BYTES,
  stallMs: 5_000,
};

type Reservation = { request: IncomingMessage; socket: Socket; bytes: number; progressAt: number };

let reservedBytes = 0;
/** Ordered by progress: the body that has waited longest for its next step is first. */
const reservations = new Set<Reservation>();

/**
 * Reserves memory for a body of at most `maxBytes` as it arrives, and releases it when the response closes. When all
 * memory is in use, closes the connection of the unfinished body that has stalled longest. If no body has stalled:
 * returns false, or closes this body's own connection when part of the body has already arrived.
 */
export function reserveBodyMemory(request: IncomingMessage, response: ServerResponse, maxBytes: number): boolean {
  const budgetBytes =
    BODY_MEMORY_LIMITS.bytes - (maxBytes > RESERVATION_STEP_BYTES ? BODY_MEMORY_LIMITS.reservedForSmall : 0);
  const reservation = { request, socket: request.socket, bytes: 0, progressAt: 0 };
  let arrivedBytes = request.readableLength;
  const growTo = (bytes: number) => {
    while (reservation.bytes < Math.min(bytes, maxBytes)) {
      if (
        !growReservationEvictingStalled(
          reservation,
          Math.min(RESERVATION_STEP_BYTES, maxBytes - reservation.bytes),
          budgetBytes,
        )
      )
        return false;
    }
    return true;
  };
  if (maxBytes > budgetBytes || !growTo(Math.max(1, arrivedBytes))) {
    releaseReservation(reservation);
    return false;
  }
  const push = request.push.bind(request);
  // Node's parser calls this for each part of the body.
  request.push = (chunk: Buffer | null, ...pushArguments: []) => {
    arrivedBytes += chunk?.length ?? 0;
    if (reservations.has(reservation) && !growTo(arrivedBytes)) request.socket.destroy();
    return push(chunk, ...pushArguments);
  };
  response.once("close", () => releaseReservation(reservation));
  return true;
}

function growReservationEvictingStalled(reservation: Reservation, bytes: number, budgetBytes: number): boolean {
  while (reservedBytes + bytes > budgetBytes) {
    const stalledReservation = findStalledReservation(reservation);
    if (!stalledReservation) return false;
    releaseReservation(stalledReservation);
    stalledReservation.socket.destroy();
  }
  reservedBytes += bytes;
  reservation.bytes += bytes;
  reservation.progressAt = performance.now();
  reservations.delete(reservation);
  reservations.add(reservation);
  return true;
}

/**
 * Returns the unfinished body, other than `excludedReservation`, that has waited longest for its next step. Returns null if none has
 * stalled.
 */
function findStalledReservation(excludedReservation: Reservation): Reservation | null {
  const stalledSince = performance.now() - BODY_MEMORY_LIMITS.stallMs;
  for (const each of reservations) {
    if (each.progressAt > stalledSince) return null;
    if (each !== excludedReservation && !each.request.complete) return each;
  }
  return null;
}

function releaseReservation(reservation: Reservation): void {
  reservedBytes -= reservation.bytes;
  reservation.bytes = 0;
  reservations.delete(reservation);
}
