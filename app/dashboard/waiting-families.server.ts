import { createHash } from "node:crypto";
import type { Person } from "../accounts/person.ts";
import { findWaitingFamilies } from "../video/waiting-families.server.ts";

/** Who waits for the consultant now; the start is ISO 8601, UTC. `version` is the same for as long as nobody comes or goes. */
export async function loadWaitingFamilies(person: Person) {
  const families = (await findWaitingFamilies(person)).map(({ startsAt, ...family }) => ({
    ...family,
    start: startsAt.toISOString(),
  }));
  return { families, version: createHash("sha256").update(JSON.stringify(families)).digest("base64url") };
}
