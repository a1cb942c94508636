import { parseId } from "../http/field-schemas.ts";
import { accepted, type Outcome, refused } from "../http/outcome.ts";

/** Parses the family id in `?userId=`, which may occur at most once. Absent or empty means none. */
export function readFamilyIdParameter(query: URLSearchParams): Outcome<number | undefined> {
  const values = query.getAll("userId");
  if (values.length === 0 || (values.length === 1 && values[0] === "")) return accepted(undefined);
  const id = values.length === 1 ? parseId(values[0]) : null;
  return id === null ? refused("malformed", "userId must be the id of a family, given once.") : accepted(id);
}
