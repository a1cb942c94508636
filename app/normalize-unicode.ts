/** Above any script's maximum: pointed Hebrew with cantillation has five, Tibetan about ten. */
const MAX_COMBINING_MARKS = 30;
/** The two halfwidth katakana marks are letters that NFKC turns into combining marks. */
const COMBINING_MARKS = /[\p{M}\uff9e\uff9f]+/gu;

/**
 * Whether more combining marks follow each other than any script uses. Normalizing such a run takes time with the
 * square of its length (12 s for 120,000 marks), because each mark is sorted into its place.
 */
export function hasExcessiveMarks(text: string): boolean {
  if (text.length <= MAX_COMBINING_MARKS) return false;
  for (const [run] of text.matchAll(COMBINING_MARKS)) if (run.length > MAX_COMBINING_MARKS) return true;
  return false;
}

/**
 * The Unicode normal form of a text, in time linear to its length: a text with excessive combining marks is returned as
 * it is, so that two such texts never become one. All of the product normalizes here.
 */
export function normalizeUnicode(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return hasExcessiveMarks(text) ? text : text.normalize(form);
}

/** The typewriter's apostrophe for all that keyboards put in its place. */
export function normalizeApostrophes(text: string): string {
  return text.replace(/[\u2018\u2019\u02bc`\u00b4]/g, "'");
}
