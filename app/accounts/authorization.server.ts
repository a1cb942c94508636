import { type Refusal, refused } from "../http/outcome.ts";
import type { Person } from "./person.ts";

/** Returns the refusal for a person without permission. */
export function accessDeniedRefusal(): Refusal {
  return refused("forbidden", "You don't have access to this.");
}

/** Returns the refusal for a person who is not signed in, or whose session ended while the request was processed. */
export function notSignedInRefusal(): Refusal {
  return refused("unauthorized", "Unauthorized");
}

/** Returns the refusal when the administrator names a family that does not exist. */
export function familyNotFoundRefusal(): Refusal {
  return refused("notFound", "There is no such family.");
}

/** Returns null for an administrator, a refusal for anyone else. */
export function refusalUnlessAdmin(person: Person): Refusal | null {
  return person.isAdmin ? null : accessDeniedRefusal();
}

/**
 * Throws unless the person is an administrator. For reads and commands whose callers have already refused everyone else:
 * an error here is a fault of the program.
 */
export function assertAdministrator(person: Pick<Person, "isAdmin">): void {
  if (!person.isAdmin) throw new Error("Only the administrator may do this.");
}
