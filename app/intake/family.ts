import { parseId } from "../http/fields.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";

/** Whose form an address asks for: `?userId=` names a family, once; absent or empty it names nobody. */
export function readFamily(query: URLSearchParams): Outcome<number | undefined> {
  const given = query.getAll("userId");
  if (given.length === 0 || (given.length === 1 && given[0] === "")) return accepted(undefined);
  const id = given.length === 1 ? parseId(given[0]) : null;
  return id === null ? refused("malformed", "userId must be the id of a family, given once.") : accepted(id);
}
