/** What can make the pages easier on eyes and nerves. `word` is what is stored and what the style sheet looks for. */
export const COMFORTS = [
  { word: "large", label: "Larger text", hint: "Everything is a quarter larger." },
  { word: "calm", label: "Calmer colors", hint: "Soft green and grey, nothing that stands out." },
  { word: "still", label: "No motion", hint: "Nothing slides, fades or scrolls by itself." },
] as const;

/** The known words of a list, each once and in their own order, so that equal choices are stored equal. */
export function comfortOf(words: Iterable<unknown>): string {
  const given = new Set(words);
  return COMFORTS.filter(({ word }) => given.has(word))
    .map(({ word }) => word)
    .join(" ");
}
