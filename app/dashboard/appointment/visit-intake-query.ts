/** Whether the query of a visit's details asks for the family's intake form beside them. */
export function isIntakeRequested(query: URLSearchParams): boolean {
  return query.get("intake") === "open";
}

/** Adds to the query of a visit's details, with its question mark or empty, that the intake form is shown. */
export function addIntakeToQuery(query: string): string {
  return `${query === "" ? "?" : `${query}&`}intake=open`;
}
