/** What can make the pages easier on eyes and nerves. `word` is what is stored and what the style sheet looks for. */
export const DISPLAY_PREFERENCES = [
  { value: "large", label: "Larger text", hint: "Everything is a quarter larger." },
  { value: "calm", label: "Calmer colors", hint: "Soft green and grey, nothing that stands out." },
  { value: "still", label: "No motion", hint: "Nothing slides, fades or scrolls by itself." },
] as const;

/** The known words of a list, each once and in their own order, so that equal choices are stored equal. */
export function normalizePreferences(values: Iterable<unknown>): string {
  const chosen = new Set(values);
  return DISPLAY_PREFERENCES.filter(({ value }) => chosen.has(value))
    .map(({ value }) => value)
    .join(" ");
}
