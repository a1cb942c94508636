import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";

/** Whose form an address asks for: `?userId=` names a family, once; absent or empty it names nobody. */
export function parseFamilyId(query: URLSearchParams): Outcome<number | undefined> {
  const values = query.getAll("userId");
  if (values.length === 0 || (values.length === 1 && values[0] === "")) return accepted(undefined);
  const id = values.length === 1 ? parseId(values[0]) : null;
  return id === null ? refused("malformed", "userId must be the id of a family, given once.") : accepted(id);
}
