import { type Refusal, refused } from "../http/outcome.ts";
import type { Person } from "./person.ts";

/** The refusal for a person without permission. */
export function accessDeniedRefusal(): Refusal {
  return refused("forbidden", "You don't have access to this.");
}

/** The refusal for whoever is not signed in, also when the session has ended since the request came. */
export function notSignedInRefusal(): Refusal {
  return refused("unauthorized", "Unauthorized");
}

/** The refusal where the administrator names a family that there is not. */
export function familyNotFoundRefusal(): Refusal {
  return refused("notFound", "There is no such family.");
}

/** Returns null for an administrator, a refusal for anyone else. */
export function refusalUnlessAdmin(person: Person): Refusal | null {
  return person.isAdmin ? null : accessDeniedRefusal();
}
