/** Returns the texts of stored answers with their names, whatever the structure of the form is. */
export function flattenTextFields(value: unknown, name = "Text"): [string, string][] {
  if (typeof value === "string") return value === "" ? [] : [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => flattenTextFields(each, Array.isArray(value) ? name : key));
}
