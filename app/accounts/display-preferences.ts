/** The available display preferences. `value` is stored, and is used as a class of the root element. */
export const DISPLAY_PREFERENCES = [
  { value: "large", label: "Larger text", hint: "Everything is a quarter larger." },
  { value: "calm", label: "Calmer colors", hint: "Soft greens and grays." },
  { value: "still", label: "No motion", hint: "Nothing slides, fades or scrolls by itself." },
] as const;

/** Returns the known values among `values`, without duplicates and in a fixed order. */
export function normalizePreferences(values: Iterable<unknown>): string {
  const chosen = new Set(values);
  return DISPLAY_PREFERENCES.filter(({ value }) => chosen.has(value))
    .map(({ value }) => value)
    .join(" ");
}
