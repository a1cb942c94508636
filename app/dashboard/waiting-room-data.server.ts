import { createHash } from "node:crypto";
import { recordListRead } from "../audit/record-list-reads.server.ts";
import type { Person } from "../accounts/person.ts";
import { findFamiliesInWaitingRoom } from "../video/waiting-room-families.server.ts";

/**
 * Returns the families that are in the waiting room now. Starts are ISO 8601 UTC. `version` changes when a family joins
 * or leaves.
 */
export async function loadWaitingRoomData(person: Person) {
  await recordListRead();
  const families = (await findFamiliesInWaitingRoom(person)).map(({ startsAt, ...family }) => ({
    ...family,
    start: startsAt.toISOString(),
  }));
  return { families, version: createHash("sha256").update(JSON.stringify(families)).digest("base64url") };
}
