import { createHash } from "node:crypto";
import { recordListRead } from "../audit/list-reads.server.ts";
import type { Person } from "../accounts/person.ts";
import { findFamiliesInWaitingRoom } from "../video/waiting-room-families.server.ts";

/** The families in the waiting room now; starts are ISO 8601 UTC. `version` changes when a family joins or leaves. */
export async function loadFamiliesInWaitingRoom(person: Person) {
  await recordListRead();
  const families = (await findFamiliesInWaitingRoom(person)).map(({ startsAt, ...family }) => ({
    ...family,
    start: startsAt.toISOString(),
  }));
  return { families, version: createHash("sha256").update(JSON.stringify(families)).digest("base64url") };
}
