/** Maximum keys, objects and arrays, and commas of a JSON text together, and its nesting. */
export type JsonLimits = { keys: number; containers: number; commas: number; depth: number };

/**
 * Returns the limit that a JSON text exceeds, or null. Runs before JSON.parse, which takes a hundred times as long for
 * nested arrays, and for objects with different keys, as for as many characters of text.
 */
export function findExceededJsonLimit(json: string, limits: JsonLimits): keyof JsonLimits | null {
  const counts = { keys: 0, containers: 0, commas: 0, depth: 0 };
  let isInString = false;
  const exceeds = (name: keyof JsonLimits) => (counts[name] += 1) > limits[name];
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === "\\") index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === ":") {
      if (exceeds("keys")) return "keys";
    } else if (character === ",") {
      if (exceeds("commas")) return "commas";
    } else if (character === "{" || character === "[") {
      if (exceeds("containers")) return "containers";
      if (exceeds("depth")) return "depth";
    } else if (character === "}" || character === "]") counts.depth -= 1;
  }
  return null;
}
